// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

#include "opencv2/multimatch/detail/assignment.hpp"

namespace opencv_test { namespace {

using multimatch::detail::assignDense;
using multimatch::detail::AssignmentCandidates;
using multimatch::detail::assignSparse;

//! Rows assigned, and their total value.
struct Outcome
{
    int assigned;
    double value;

    Outcome() : assigned(0), value(0) {}
};

AssignmentCandidates allCandidates(const Mat& values)
{
    AssignmentCandidates candidates;
    candidates.cols = values.cols;
    candidates.offsets.push_back(0);
    for (int r = 0; r < values.rows; ++r)
    {
        for (int c = 0; c < values.cols; ++c)
        {
            candidates.columns.push_back(c);
            candidates.values.push_back(values.at<double>(r, c));
        }
        candidates.offsets.push_back(static_cast<int>(candidates.columns.size()));
    }
    return candidates;
}

//! Each entry is a candidate with the given probability; integers make ties, reals do not.
AssignmentCandidates randomCandidates(RNG& rng, int rows, int cols, double density, bool integers)
{
    AssignmentCandidates candidates;
    candidates.cols = cols;
    candidates.offsets.push_back(0);
    for (int r = 0; r < rows; ++r)
    {
        for (int c = 0; c < cols; ++c)
            if (rng.uniform(0., 1.) < density)
            {
                candidates.columns.push_back(c);
                candidates.values.push_back(integers ? rng.uniform(-3, 6) : rng.uniform(-1., 2.));
            }
        candidates.offsets.push_back(static_cast<int>(candidates.columns.size()));
    }
    return candidates;
}

//! Tries everything. Without unmatched rows the number of rows counts first, then the value.
void bruteForce(const AssignmentCandidates& candidates, bool allowUnmatched, size_t row,
                std::vector<bool>& taken, const Outcome& sofar, Outcome& best)
{
    if (row + 1 == candidates.offsets.size())
    {
        const bool larger = !allowUnmatched && sofar.assigned > best.assigned;
        const bool equal = allowUnmatched || sofar.assigned == best.assigned;
        if (larger || (equal && sofar.value > best.value))
            best = sofar;
        return;
    }
    bruteForce(candidates, allowUnmatched, row + 1, taken, sofar, best);
    for (int i = candidates.offsets[row]; i < candidates.offsets[row + 1]; ++i)
    {
        const int col = candidates.columns[i];
        if (taken[col])
            continue;
        taken[col] = true;
        Outcome next = sofar;
        next.assigned++;
        next.value += candidates.values[i];
        bruteForce(candidates, allowUnmatched, row + 1, taken, next, best);
        taken[col] = false;
    }
}

Outcome bruteForce(const AssignmentCandidates& candidates, bool allowUnmatched)
{
    Outcome best;
    best.assigned = -1;
    best.value = -std::numeric_limits<double>::infinity();
    std::vector<bool> taken(candidates.cols, false);
    bruteForce(candidates, allowUnmatched, 0, taken, Outcome(), best);
    return best;
}

//! Checks that positions form an assignment and adds it up.
Outcome evaluate(const AssignmentCandidates& candidates, const std::vector<int>& positions)
{
    Outcome outcome;
    EXPECT_EQ(candidates.offsets.size(), positions.size() + 1);
    std::vector<bool> taken(candidates.cols, false);
    for (size_t r = 0; r < positions.size(); ++r)
    {
        if (positions[r] < 0)
        {
            EXPECT_EQ(-1, positions[r]);
            continue;
        }
        EXPECT_GE(positions[r], candidates.offsets[r]);
        EXPECT_LT(positions[r], candidates.offsets[r + 1]);
        const int col = candidates.columns[positions[r]];
        EXPECT_FALSE(taken[col]) << "column " << col << " is taken twice";
        taken[col] = true;
        outcome.assigned++;
        outcome.value += candidates.values[positions[r]];
    }
    return outcome;
}

Outcome evaluate(const Mat& values, const std::vector<int>& columns)
{
    std::vector<int> positions(columns);
    for (size_t r = 0; r < columns.size(); ++r)
        if (columns[r] >= 0)
            positions[r] = static_cast<int>(r) * values.cols + columns[r];
    return evaluate(allCandidates(values), positions);
}

Mat randomValues(RNG& rng, int rows, int cols, bool integers)
{
    Mat values(rows, cols, CV_64F);
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c)
            values.at<double>(r, c) = integers ? rng.uniform(-3, 6) : rng.uniform(-1., 2.);
    return values;
}

TEST(Multimatch_AssignDense, equals_brute_force)
{
    RNG rng(1);
    for (int trial = 0; trial < 2000; trial++)
    {
        const bool allowUnmatched = trial % 2 == 0;
        const int cols = rng.uniform(1, 7), rows = rng.uniform(1, allowUnmatched ? 7 : cols + 1);
        const Mat values = randomValues(rng, rows, cols, trial % 3 != 0);
        const Outcome found = evaluate(values, assignDense(values, allowUnmatched));
        const Outcome expected = bruteForce(allCandidates(values), allowUnmatched);
        ASSERT_NEAR(expected.value, found.value, 1e-12) << "trial " << trial << "\n" << values;
        if (!allowUnmatched)
        {
            ASSERT_EQ(rows, found.assigned);
        }
    }
}

TEST(Multimatch_AssignDense, prices_of_a_similar_problem_change_nothing)
{
    RNG rng(5);
    for (int trial = 0; trial < 200; trial++)
    {
        const int cols = rng.uniform(2, 40), rows = rng.uniform(1, cols + 1);
        Mat values = randomValues(rng, rows, cols, trial % 3 == 0);
        std::vector<double> prices;
        for (int similar = 0; similar < 4; similar++)
        {
            const Outcome expected = evaluate(values, assignDense(values, false));
            const Outcome found = evaluate(values, assignDense(values, prices));
            ASSERT_NEAR(expected.value, found.value, 1e-9) << "trial " << trial;
            ASSERT_EQ(rows, found.assigned);
            ASSERT_EQ(static_cast<size_t>(cols), prices.size());
            values += 0.3 * randomValues(rng, rows, cols, false);
        }
    }
    std::vector<double> wrong(3, 0.);
    EXPECT_THROW(assignDense(Mat::zeros(2, 4, CV_64F), wrong), cv::Exception);
}

TEST(Multimatch_AssignSparse, equals_brute_force)
{
    RNG rng(2);
    for (int trial = 0; trial < 4000; trial++)
    {
        const bool allowUnmatched = trial % 2 == 0;
        const AssignmentCandidates candidates = randomCandidates(
            rng, rng.uniform(0, 7), rng.uniform(1, 7), rng.uniform(0.1, 1.), trial % 3 != 0);
        const Outcome found = evaluate(candidates, assignSparse(candidates, allowUnmatched));
        const Outcome expected = bruteForce(candidates, allowUnmatched);
        ASSERT_NEAR(expected.value, found.value, 1e-12) << "trial " << trial;
        if (!allowUnmatched)
        {
            ASSERT_EQ(expected.assigned, found.assigned) << "trial " << trial;
        }
    }
}

TEST(Multimatch_AssignSparse, equals_dense)
{
    RNG rng(3);
    for (int trial = 0; trial < 1500; trial++)
    {
        const bool allowUnmatched = trial % 2 == 0, integers = trial % 3 != 0;
        const int cols = rng.uniform(1, 40), rows = rng.uniform(1, allowUnmatched ? 40 : cols + 1);
        const Mat values = randomValues(rng, rows, cols, integers);
        const AssignmentCandidates candidates = allCandidates(values);
        const Outcome dense = evaluate(values, assignDense(values, allowUnmatched));
        const Outcome sparse = evaluate(candidates, assignSparse(candidates, allowUnmatched));
        ASSERT_NEAR(dense.value, sparse.value, 1e-10) << "trial " << trial;
        if (!allowUnmatched)
        {
            ASSERT_EQ(dense.assigned, sparse.assigned);
        }
    }
}

TEST(Multimatch_AssignSparse, equals_dense_with_absent_candidates)
{
    // An absent candidate is a very bad one. The values are integers, so that the sums are exact
    // beside it.
    const double absent = -1e6;
    RNG rng(4);
    for (int trial = 0; trial < 600; trial++)
    {
        const bool allowUnmatched = trial % 2 == 0;
        const int cols = rng.uniform(10, 60), rows = rng.uniform(1, cols + 1);
        const AssignmentCandidates candidates =
            randomCandidates(rng, rows, cols, rng.uniform(0.02, 0.3), true);
        Mat values(rows, cols, CV_64F, Scalar(absent));
        for (int r = 0; r < rows; ++r)
            for (int i = candidates.offsets[r]; i < candidates.offsets[r + 1]; ++i)
                values.at<double>(r, candidates.columns[i]) = candidates.values[i];

        Outcome dense;
        const std::vector<int> columns = assignDense(values, allowUnmatched);
        for (int r = 0; r < rows; ++r)
            if (columns[r] >= 0 && values.at<double>(r, columns[r]) != absent)
            {
                dense.assigned++;
                dense.value += values.at<double>(r, columns[r]);
            }
        const Outcome sparse = evaluate(candidates, assignSparse(candidates, allowUnmatched));
        ASSERT_EQ(dense.value, sparse.value) << "trial " << trial;
        if (!allowUnmatched)
        {
            ASSERT_EQ(dense.assigned, sparse.assigned) << "trial " << trial;
        }
    }
}

TEST(Multimatch_AssignSparse, keeps_small_values_exact_beside_unassigned_rows)
{
    // Rows 0 to 2 want the same column; one of them wins by the last digit of its value.
    AssignmentCandidates candidates;
    candidates.cols = 2;
    const int offsets[] = {0, 1, 2, 3, 4};
    const int columns[] = {0, 0, 0, 1};
    const double values[] = {1e-12, 1e-12 + 1e-27, 1e-12 - 1e-27, 1e12};
    candidates.offsets.assign(offsets, offsets + 5);
    candidates.columns.assign(columns, columns + 4);
    candidates.values.assign(values, values + 4);
    const std::vector<int> positions = assignSparse(candidates, false);
    EXPECT_EQ(-1, positions[0]);
    EXPECT_EQ(1, positions[1]);
    EXPECT_EQ(-1, positions[2]);
    EXPECT_EQ(3, positions[3]);
}

TEST(Multimatch_AssignSparse, cardinality_comes_before_value)
{
    // The best single match (10) would leave row 1 without a column.
    AssignmentCandidates candidates;
    candidates.cols = 2;
    const int offsets[] = {0, 2, 3};
    const int columns[] = {0, 1, 0};
    const double values[] = {10, -5, -4};
    candidates.offsets.assign(offsets, offsets + 3);
    candidates.columns.assign(columns, columns + 3);
    candidates.values.assign(values, values + 3);
    std::vector<int> positions = assignSparse(candidates, false);
    EXPECT_EQ(1, positions[0]);
    EXPECT_EQ(2, positions[1]);
    positions = assignSparse(candidates, true);
    EXPECT_EQ(0, positions[0]);
    EXPECT_EQ(-1, positions[1]);
}

TEST(Multimatch_AssignDense, hand_made)
{
    const Mat values = (Mat_<double>(3, 4) << 7, 5, 1, 0, 6, 2, 0, 0, 8, 4, 3, 1);
    const std::vector<int> columns = assignDense(values, false);
    ASSERT_EQ(3u, columns.size());
    EXPECT_EQ(1, columns[0]);
    EXPECT_EQ(0, columns[1]);
    EXPECT_EQ(2, columns[2]);
    // More rows than columns: the best rows are chosen.
    const Mat tall = (Mat_<double>(3, 1) << 2, 5, 3);
    const std::vector<int> chosen = assignDense(tall, true);
    EXPECT_EQ(-1, chosen[0]);
    EXPECT_EQ(0, chosen[1]);
    EXPECT_EQ(-1, chosen[2]);
    EXPECT_EQ(std::vector<int>(2, -1), assignDense(Mat(2, 3, CV_64F, Scalar(-1)), true));
}

TEST(Multimatch_AssignDense, takes_part_of_a_matrix)
{
    RNG rng(5);
    const Mat whole = randomValues(rng, 30, 40, false);
    const Mat part = whole(Rect(3, 2, 20, 15));
    EXPECT_EQ(assignDense(part.clone(), false), assignDense(part, false));
}

TEST(Multimatch_Assignment, refuses_bad_input)
{
    EXPECT_THROW(assignDense(Mat::zeros(3, 2, CV_64F), false), cv::Exception);
    EXPECT_THROW(assignDense(Mat::zeros(2, 3, CV_32F), false), cv::Exception);
    Mat values = Mat::zeros(2, 3, CV_64F);
    values.at<double>(1, 1) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(assignDense(values, true), cv::Exception);

    RNG rng(6);
    const AssignmentCandidates good = randomCandidates(rng, 4, 5, 1., false);
    EXPECT_NO_THROW(assignSparse(good, true));
    AssignmentCandidates bad = good;
    bad.columns[7] = 5;
    EXPECT_THROW(assignSparse(bad, true), cv::Exception);
    bad = good;
    bad.values.pop_back();
    EXPECT_THROW(assignSparse(bad, true), cv::Exception);
    bad = good;
    bad.offsets.clear();
    EXPECT_THROW(assignSparse(bad, true), cv::Exception);
    bad = good;
    bad.values[0] = std::numeric_limits<double>::infinity();
    EXPECT_THROW(assignSparse(bad, false), cv::Exception);
}

TEST(Multimatch_Assignment, more_candidates_than_int_counts_are_refused)
{
    const size_t most = static_cast<size_t>(INT_MAX);
    EXPECT_EQ(INT_MAX, multimatch::detail::candidateOffset(most));
    EXPECT_ERROR(multimatch::detail::candidateOffset(most + 1),
                 "2147483648 pairs of neighbors, expected at most 2147483647");
}

}} // namespace
