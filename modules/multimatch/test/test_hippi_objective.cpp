// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_hippi.hpp"
#include "test_reference.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

std::vector<int> flat(const Tracks& tracks)
{
    std::vector<int> result;
    for (int v = 0; v < tracks.viewCount(); ++v)
    {
        const std::vector<int> ids = tracks.trackIds(v);
        result.insert(result.end(), ids.begin(), ids.end());
    }
    return result;
}

std::vector<int> canonical(const std::vector<int>& labels)
{
    std::map<int, int> name;
    std::vector<int> result;
    for (size_t p = 0; p < labels.size(); ++p)
        result.push_back(labels[p] < 0
                             ? -1
                             : name.insert(std::make_pair(labels[p], static_cast<int>(name.size())))
                                   .first->second);
    return result;
}

std::vector<std::vector<int>> randomStart(const MatchingProblem& problem, int d, unsigned seed)
{
    RNG rng(seed + 1000);
    std::vector<std::vector<int>> labels;
    for (size_t v = 0; v < problem.viewSizes.size(); ++v)
    {
        std::vector<int> all(static_cast<size_t>(d));
        std::iota(all.begin(), all.end(), 0);
        for (int u = d - 1; u > 0; --u)
            std::swap(all[u], all[rng.uniform(0, u + 1)]);
        labels.push_back(std::vector<int>(all.begin(), all.begin() + problem.viewSizes[v]));
    }
    return labels;
}

DenseReference reference(const MatchingProblem& problem, const HiPPIParams& params)
{
    DenseReference dense;
    dense.viewSizes = problem.viewSizes;
    const Mat_<float> S = problem.similarity.toDense(), A = problem.adjacency.weights.toDense();
    const int m = S.rows;
    Eigen::VectorXd scale = Eigen::VectorXd::Ones(m);
    if (params.normalization == NORMALIZE_SYMMETRIC)
        for (int p = 0; p < m; ++p)
        {
            const double sum = cv::sum(S.row(p))[0];
            scale(p) = sum > 0 ? std::sqrt(params.beta / sum) : 0;
        }
    dense.W = Eigen::MatrixXd::Identity(m, m);
    for (int p = 0; p < m; ++p)
        for (int q = 0; q < m; ++q)
            dense.W(p, q) += static_cast<double>(S(p, q)) * scale(p) * scale(q);
    const size_t channels = std::max<size_t>(1, problem.adjacency.phases.size());
    for (size_t c = 0; c < channels; ++c)
    {
        Eigen::MatrixXcd channel(m, m);
        for (int p = 0; p < m; ++p)
            for (int q = 0; q < m; ++q)
            {
                std::complex<double> phase(1, 0);
                if (!problem.adjacency.phases.empty())
                {
                    const Complexf x = problem.adjacency.phases[c][p];
                    const Complexf y = problem.adjacency.phases[c][q];
                    phase = std::complex<double>(x.re, x.im) *
                            std::conj(std::complex<double>(y.re, y.im));
                }
                channel(p, q) = static_cast<double>(A(p, q)) * phase;
            }
        dense.A.push_back(channel);
    }
    return dense;
}

void expectSameObjective(const std::vector<double>& expected, const std::vector<double>& found)
{
    ASSERT_EQ(expected.size(), found.size());
    for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(expected[i], found[i], 1e-5 * std::abs(expected[i])) << "iteration " << i;
}

class Multimatch_HiPPI_Reference : public testing::TestWithParam<bool>
{
};

TEST_P(Multimatch_HiPPI_Reference, literal_equals_dense)
{
    int moved = 0;
    for (unsigned seed = 1; seed <= 60; ++seed)
    {
        const MatchingProblem problem = randomProblem(seed, GetParam());
        HiPPIParams params;
        params.mode = HIPPI_COMPLETE;
        params.universeSize = 9;
        params.start = START_LABELS;
        params.normalization = seed % 2 ? NORMALIZE_SYMMETRIC : NORMALIZE_NONE;
        const Ptr<HiPPI> hippi = HiPPI::create(params);
        const std::vector<std::vector<int>> start = randomStart(problem, 9, seed);
        hippi->setInitialLabels(start);
        const Tracks tracks = hippi->solve(problem);
        expectConsistent(tracks);
        expectMonotone(tracks.report().objective);
        EXPECT_TRUE(tracks.report().exact);

        DenseReference dense = reference(problem, params);
        std::vector<int> labels;
        for (size_t v = 0; v < start.size(); ++v)
            labels.insert(labels.end(), start[v].begin(), start[v].end());
        const std::vector<int> expected = dense.run(labels, 9);
        expectSameObjective(dense.objective, tracks.report().objective);
        EXPECT_EQ(canonical(expected), flat(tracks)) << "seed " << seed;
        moved += expected != labels;
    }
    EXPECT_GT(moved, 40) << "the iteration hardly ever moved, so this compared nothing";
}

INSTANTIATE_TEST_CASE_P(Channels, Multimatch_HiPPI_Reference, testing::Bool());

//! The objective is then not convex, and a projection can lower it.
TEST(Multimatch_HiPPI, objective_never_falls_where_the_adjacency_is_indefinite)
{
    for (unsigned seed = 1; seed <= 60; ++seed)
    {
        MatchingProblem problem = randomProblem(seed, seed % 2 == 0);
        // Points in pairs, and nothing on the diagonal: eigenvalues of 1 and -1.
        std::vector<int> rows, columns;
        int first = 0;
        for (size_t v = 0; v < problem.viewSizes.size(); first += problem.viewSizes[v++])
            for (int p = 0; p < problem.viewSizes[v] / 2 * 2; ++p)
            {
                rows.push_back(first + p);
                columns.push_back(first + (p ^ 1));
            }
        problem.adjacency.weights = CsrMatrix::fromTriplets(first, first, rows, columns,
                                                            std::vector<float>(rows.size(), 1.f));
        HiPPIParams params;
        params.mode = HIPPI_COMPLETE;
        params.universeSize = 9;
        params.start = START_LABELS;
        const Ptr<HiPPI> hippi = HiPPI::create(params);
        hippi->setInitialLabels(randomStart(problem, 9, seed));
        const Tracks tracks = hippi->solve(problem);
        expectConsistent(tracks);
        expectMonotone(tracks.report().objective);
    }
}

TEST(Multimatch_HiPPI, report_is_exact_only_where_nothing_was_cut)
{
    SyntheticParams p;
    p.noise = 0.3;
    const SyntheticViews views = makeViews(p);
    for (int exact = 0; exact < 2; ++exact)
    {
        HiPPIParams params;
        params.mode = HIPPI_COMPLETE;
        params.exact = exact != 0;
        const Tracks tracks = HiPPI::create(params)->match(views.keypoints, views.descriptors);
        EXPECT_EQ(params.exact, tracks.report().exact);
    }
}

TEST(Multimatch_HiPPI, exact_mode_is_monotone_from_every_start)
{
    SyntheticParams p;
    p.noise = 0.5;
    const SyntheticViews views = makeViews(p);
    const int starts[] = {START_QUICKMATCH, START_SPECTRAL, START_RANDOM, START_GREEDY};
    for (size_t s = 0; s < sizeof(starts) / sizeof(starts[0]); ++s)
        for (int mode = HIPPI_LITERAL; mode <= HIPPI_COMPLETE; ++mode)
        {
            HiPPIParams params;
            params.mode = mode;
            params.start = starts[s];
            params.startCount = 2;
            params.exact = true;
            const Tracks tracks = HiPPI::create(params)->match(views.keypoints, views.descriptors);
            expectConsistent(tracks);
            expectMonotone(tracks.report().objective);
            EXPECT_TRUE(tracks.report().exact);
            EXPECT_TRUE(tracks.report().converged);
        }
}

//! Steps that gain less than the share at which blocks and truncated rows end.
int smallSteps(const std::vector<double>& objective)
{
    int count = 0;
    for (size_t i = 1; i + 1 < objective.size(); ++i)
        count += objective[i] > objective[i - 1] && objective[i] < 1.002 * objective[i - 1];
    return count;
}

//! Not where it grows by little: a dense problem is solved as if exact were asked for.
TEST(Multimatch_HiPPI, dense_problems_end_where_the_objective_does_not_grow)
{
    int small = 0;
    for (unsigned seed = 1; seed <= 5; ++seed)
    {
        SyntheticParams p;
        p.noise = 0.7;
        p.seed = seed;
        const SyntheticViews views = makeViews(p);
        MatchingProblem problem;
        for (const std::vector<KeyPoint>& view : views.keypoints)
            problem.viewSizes.push_back(static_cast<int>(view.size()));
        problem.similarity = computeSimilarity(findNeighbors(views.descriptors, 3));
        problem.adjacency = computeAdjacency(views.points());
        HiPPIParams params;
        params.mode = HIPPI_COMPLETE;
        params.start = START_RANDOM;
        params.seed = static_cast<int>(seed);
        const Tracks tracks = HiPPI::create(params)->solve(problem);
        params.exact = true;
        const Tracks exact = HiPPI::create(params)->solve(problem);
        EXPECT_TRUE(tracks.report().exact);
        EXPECT_EQ(exact.report().objective, tracks.report().objective) << "seed " << seed;
        EXPECT_EQ(exact, tracks) << "seed " << seed;
        small += smallSteps(exact.report().objective);
    }
    EXPECT_GT(small, 0) << "no step was small, so this compared nothing";
}

TEST(Multimatch_HiPPI, large_literal_problem_without_dense_matrices)
{
    SyntheticParams p;
    p.views = 10;
    p.universe = 500;
    p.visible = 400;
    p.outliers = 20;
    p.noise = 0.2;
    const SyntheticViews views = makeViews(p); // 4200 points x 1000 universe points
    HiPPIParams params;
    params.mode = HIPPI_COMPLETE;
    params.universeSize = 1000;
    params.exact = true;
    params.maxIterations = 4;
    params.mu = 2;
    const Tracks tracks = HiPPI::create(params)->match(views.keypoints, views.descriptors);
    expectConsistent(tracks);
    expectMonotone(tracks.report().objective);
    EXPECT_EQ(tracks.statistics().points, tracks.statistics().observations);
}

//! || U' W A W U ||^2 with W = I + S, entry by entry.
double literalObjective(const MatchingProblem& problem, const Tracks& tracks)
{
    std::vector<int> labels;
    int d = 0;
    for (int v = 0; v < tracks.viewCount(); ++v)
        for (int id : tracks.trackIds(v))
        {
            labels.push_back(id);
            d = std::max(d, id + 1);
        }
    const auto times = [&](const CsrMatrix& M, double diagonal, const Mat_<double>& x) {
        Mat_<double> out = diagonal * x;
        for (int p = 0; p < M.rows; ++p)
            for (size_t e = M.offsets[p]; e < M.offsets[p + 1]; ++e)
                for (int c = 0; c < d; ++c)
                    out(p, c) += M.values[e] * x(M.columns[e], c);
        return out;
    };
    Mat_<double> U = Mat_<double>::zeros(static_cast<int>(labels.size()), d);
    for (size_t p = 0; p < labels.size(); ++p)
        U(static_cast<int>(p), labels[p]) = 1;
    const CsrMatrix& S = problem.similarity;
    const Mat_<double> R = times(S, 1, times(problem.adjacency.weights, 0, times(S, 1, U)));
    const Mat_<double> G = U.t() * R;
    return G.dot(G);
}

TEST(Multimatch_HiPPI, blocks_increase_the_objective_and_report_it)
{
    SyntheticParams p;
    p.views = 16;
    p.universe = 600;
    p.visible = 450;
    p.outliers = 0;
    p.noise = 0.2;
    const SyntheticViews views = makeViews(p); // 7200 x 600: too large for the dense step
    MatchingProblem problem;
    std::vector<Mat> points;
    for (const std::vector<KeyPoint>& view : views.keypoints)
    {
        problem.viewSizes.push_back(static_cast<int>(view.size()));
        points.push_back(Mat(static_cast<int>(view.size()), 2, CV_32F));
        for (size_t q = 0; q < view.size(); ++q)
        {
            points.back().at<float>(static_cast<int>(q), 0) = view[q].pt.x;
            points.back().at<float>(static_cast<int>(q), 1) = view[q].pt.y;
        }
    }
    problem.similarity = computeSimilarity(findNeighbors(views.descriptors, 1));
    AdjacencyParams adjacency;
    adjacency.tolerance = 1e-2f;
    problem.adjacency = computeAdjacency(points, adjacency);
    HiPPIParams params;
    params.mode = HIPPI_COMPLETE;
    params.universeSize = 600;
    params.normalization = NORMALIZE_NONE;
    params.directional = 0;
    const Ptr<HiPPI> hippi = HiPPI::create(params);
    const Tracks tracks = hippi->solve(problem);
    expectConsistent(tracks);
    EXPECT_EQ(tracks.statistics().points, tracks.statistics().observations);
    EXPECT_FALSE(tracks.report().exact);
    const std::vector<double> objective = tracks.report().objective;
    ASSERT_GE(objective.size(), 3u);
    const double best = *std::max_element(objective.begin(), objective.end());
    EXPECT_GT(best, 1.05 * objective[0]);
    const double expected = literalObjective(problem, tracks);
    EXPECT_NEAR(expected, best, 1e-4 * expected);

    setNumThreads(1);
    const Tracks alone = hippi->solve(problem);
    setNumThreads(-1);
    EXPECT_EQ(tracks, alone);
}

}} // namespace opencv_test
