// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_precomp.hpp"

#include "test_problems.hpp"

#include <map>
#include <set>

#include "opencv2/multimatch/detail/log_odds.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

//! A problem with log-odds of any signs and a start.
struct LogOddsProblem
{
    std::vector<int> viewSizes, view, labels, proposed;
    CsrMatrix L;
    Mat pairs;
    float missing, trackCost, memberCost;

    explicit LogOddsProblem(unsigned seed)
    {
        RNG rng(seed);
        const int views = rng.uniform(2, 7);
        for (int v = 0; v < views; ++v)
        {
            viewSizes.push_back(rng.uniform(0, 6));
            view.insert(view.end(), static_cast<size_t>(viewSizes.back()), v);
        }
        std::vector<int> compared;
        for (int v = 0; v < views; ++v)
            for (int w = v + 1; w < views; ++w)
                if (seed % 3 != 0 || rng.uniform(0, 3) > 0)
                {
                    compared.push_back(v);
                    compared.push_back(w);
                    isCompared.insert(std::make_pair(v, w));
                }
        pairs = Mat(compared, true).reshape(1, static_cast<int>(compared.size() / 2));
        const int points = static_cast<int>(view.size());
        std::vector<int> rows, columns;
        std::vector<float> values;
        for (int p = 0; p < points; ++p)
            for (int q = p + 1; q < points; ++q)
                if (isCompared.count(std::make_pair(view[p], view[q])) && rng.uniform(0, 3) > 0)
                {
                    const float value = rng.uniform(-8.f, 8.f);
                    for (int side = 0; side < 2; ++side)
                    {
                        rows.push_back(side ? q : p);
                        columns.push_back(side ? p : q);
                        values.push_back(value);
                    }
                }
        L = CsrMatrix::fromTriplets(points, points, rows, columns, values);
        missing = rng.uniform(-8.f, 0.f);
        trackCost = rng.uniform(0.f, 5.f);
        memberCost = seed % 2 ? 0.f : rng.uniform(0.f, 5.f);
        labels = randomLabels(rng);
        proposed = randomLabels(rng);
    }

    std::vector<int> randomLabels(RNG& rng) const
    {
        std::vector<int> result;
        std::set<std::pair<int, int>> taken;
        for (size_t p = 0; p < view.size(); ++p)
        {
            const int label = rng.uniform(-1, 5);
            result.push_back(
                label >= 0 && taken.insert(std::make_pair(view[p], label)).second ? label : -1);
        }
        return result;
    }

    //! By its definition.
    double objective(const std::vector<int>& at) const
    {
        std::map<int, int> size;
        for (size_t p = 0; p < at.size(); ++p)
            if (at[p] >= 0)
                ++size[at[p]];
        double sum = 0;
        for (const auto& track : size)
            sum -= track.second > 1 ? trackCost + memberCost * float(track.second - 1) : 0;
        for (int p = 0; p < L.rows; ++p)
            for (int q = p + 1; q < L.rows; ++q)
            {
                if (at[p] < 0 || at[p] != at[q] ||
                    !isCompared.count(std::make_pair(view[p], view[q])))
                    continue;
                const int* row = L.columns.data();
                sum += std::binary_search(row + L.offsets[p], row + L.offsets[p + 1], q)
                           ? L.at(p, q)
                           : missing;
            }
        return sum;
    }

    std::set<std::pair<int, int>> isCompared;
};

Mat allPairsOfViews(int count)
{
    Mat pairs;
    for (int v = 0; v < count; ++v)
        for (int w = v + 1; w < count; ++w)
            pairs.push_back(Mat((Mat_<int>(1, 2) << v, w)));
    return pairs;
}

TEST(Multimatch_Power, objective_never_falls_at_fixed_log_odds)
{
    int moved = 0, rose = 0;
    for (unsigned seed = 1; seed <= 4000; ++seed)
    {
        const LogOddsProblem problem(seed);
        std::vector<int> labels = problem.labels;
        double before = problem.objective(labels);
        for (int sweep = 0; sweep < 3; ++sweep)
        {
            const std::vector<int> last = labels;
            const double after = cv::multimatch::detail::projectLogOdds(
                problem.viewSizes, problem.L, problem.pairs, problem.missing, problem.trackCost,
                problem.memberCost, problem.proposed, labels);
            ASSERT_NEAR(problem.objective(labels), after, 1e-3) << "seed " << seed;
            ASSERT_GE(after, before - 1e-3) << "seed " << seed << ", sweep " << sweep;
            std::set<std::pair<int, int>> seen;
            for (size_t p = 0; p < labels.size(); ++p)
                ASSERT_TRUE(labels[p] < 0 ||
                            seen.insert(std::make_pair(problem.view[p], labels[p])).second)
                    << "seed " << seed;
            moved += labels != last;
            rose += after > before + 1e-3;
            before = after;
        }
    }
    EXPECT_GT(moved, 3000);
    EXPECT_GT(rose, 3000);
}

//! Two views with one point each: a track exactly where the log-odds exceed its cost.
TEST(Multimatch_Power, track_begins_where_the_log_odds_exceed_its_cost)
{
    for (float value : {2.9f, 3.1f})
    {
        const CsrMatrix L = CsrMatrix::fromTriplets(
            2, 2, std::vector<int>{0, 1}, std::vector<int>{1, 0}, std::vector<float>(2, value));
        std::vector<int> labels(2, -1);
        const double objective = cv::multimatch::detail::projectLogOdds(
            std::vector<int>(2, 1), L, (Mat_<int>(1, 2) << 0, 1), -8.f, 3.f, 0.f,
            std::vector<int>(), labels);
        EXPECT_EQ(value > 3, labels[0] >= 0 && labels[0] == labels[1]);
        EXPECT_NEAR(value > 3 ? value - 3. : 0., objective, 1e-5);
    }
}

//! Two tracks in different views whose pairs are all weak: no point of one would move to the other
//! alone, together they join.
TEST(Multimatch_Power, tracks_join_where_all_their_pairs_together_say_so)
{
    const float within = 6.f, across = 1.f;
    std::vector<int> rows, columns;
    std::vector<float> values;
    for (int p = 0; p < 6; ++p)
        for (int q = 0; q < 6; ++q)
            if (p != q)
            {
                rows.push_back(p);
                columns.push_back(q);
                values.push_back(p / 3 == q / 3 ? within : across);
            }
    const CsrMatrix L = CsrMatrix::fromTriplets(6, 6, rows, columns, values);
    std::vector<int> labels = {0, 0, 0, 1, 1, 1};
    const double objective = cv::multimatch::detail::projectLogOdds(
        std::vector<int>(6, 1), L, allPairsOfViews(6), -8.f, 3.f, 2.f, std::vector<int>(), labels);
    EXPECT_EQ(std::vector<int>(6, 0), labels);
    EXPECT_NEAR(6 * within + 9 * across - 3 - 5 * 2, objective, 1e-4);
}

//! A member pays its cost once, however many pairs it has: weak evidence of many members adds up.
TEST(Multimatch_Power, member_is_paid_for_once)
{
    for (int views : {3, 6})
    {
        std::vector<int> rows, columns;
        std::vector<float> values;
        for (int p = 0; p < views; ++p)
            for (int q = 0; q < views; ++q)
                if (p != q)
                {
                    rows.push_back(p);
                    columns.push_back(q);
                    // The last point has weak evidence with all others.
                    values.push_back(std::max(p, q) == views - 1 ? 1.f : 8.f);
                }
        const CsrMatrix L = CsrMatrix::fromTriplets(views, views, rows, columns, values);
        std::vector<int> labels(static_cast<size_t>(views), -1);
        cv::multimatch::detail::projectLogOdds(std::vector<int>(static_cast<size_t>(views), 1), L,
                                               allPairsOfViews(views), -8.f, 3.f, 4.f,
                                               std::vector<int>(), labels);
        EXPECT_EQ(0, labels[0]);
        EXPECT_EQ(views == 6, labels.back() == 0) << views << " views";
    }
}

//! Five points that no two of them would make a track, but all together: only where it is proposed.
//! A sixth does not belong to it.
TEST(Multimatch_Power, proposed_track_begins_where_all_its_pairs_together_say_so)
{
    const int views = 6;
    std::vector<int> rows, columns;
    std::vector<float> values;
    for (int p = 0; p < views; ++p)
        for (int q = 0; q < views; ++q)
            if (p != q)
            {
                rows.push_back(p);
                columns.push_back(q);
                values.push_back(std::max(p, q) == views - 1 ? -1.f : 3.f);
            }
    const CsrMatrix L = CsrMatrix::fromTriplets(views, views, rows, columns, values);
    for (bool isProposed : {false, true})
    {
        std::vector<int> labels(views, -1);
        const double objective = cv::multimatch::detail::projectLogOdds(
            std::vector<int>(views, 1), L, allPairsOfViews(views), -8.f, 4.f, 1.f,
            isProposed ? std::vector<int>(views, 7) : std::vector<int>(), labels);
        const std::vector<int> expected = {0, 0, 0, 0, 0, -1};
        EXPECT_EQ(isProposed ? expected : std::vector<int>(views, -1), labels);
        EXPECT_NEAR(isProposed ? 10 * 3 - 4 - 4 * 1 : 0, objective, 1e-4);
    }
}

//! Two tracks that were chained: each point has more for its own half than against the other, as
//! few views of the two were compared.
TEST(Multimatch_Power, chained_tracks_are_divided_where_few_views_were_compared)
{
    const int views = 6;
    const auto half = [&](int view) { return view / (views / 2); };
    std::vector<int> rows, columns, compared;
    std::vector<float> values;
    for (int p = 0; p < views; ++p)
        for (int q = p + 1; q < views; ++q)
        {
            if (half(p) != half(q) && p + q != views - 1)
                continue;
            compared.push_back(p);
            compared.push_back(q);
            for (int side = 0; side < 2; ++side)
            {
                rows.push_back(side ? q : p);
                columns.push_back(side ? p : q);
                values.push_back(half(p) == half(q) ? 5.f : -2.f);
            }
        }
    const CsrMatrix L = CsrMatrix::fromTriplets(views, views, rows, columns, values);
    const Mat pairs = Mat(compared, true).reshape(1, static_cast<int>(compared.size() / 2));
    std::vector<int> labels(views, 0);
    const double objective = cv::multimatch::detail::projectLogOdds(
        std::vector<int>(views, 1), L, pairs, -8.f, 4.f, 0.f, std::vector<int>(), labels);
    EXPECT_EQ((std::vector<int>{0, 0, 0, 1, 1, 1}), labels);
    EXPECT_NEAR(2 * (3 * 5 - 4), objective, 1e-4);
}

}} // namespace opencv_test
