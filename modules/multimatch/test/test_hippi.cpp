// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

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

//! A random problem: similarities between points of different views, Gaussian adjacency with or
//! without phases.
MatchingProblem randomProblem(unsigned seed, bool directional)
{
    RNG rng(seed);
    MatchingProblem problem;
    const int views = rng.uniform(2, 6);
    std::vector<Mat> points;
    for (int v = 0; v < views; ++v)
    {
        problem.viewSizes.push_back(v == 1 && seed % 5 == 0 ? 0 : rng.uniform(1, 8));
        Mat x(problem.viewSizes.back(), 2, CV_32F);
        if (!x.empty())
            rng.fill(x, RNG::UNIFORM, 0, 10);
        points.push_back(x);
    }
    const int m = std::accumulate(problem.viewSizes.begin(), problem.viewSizes.end(), 0);
    std::vector<int> view, rows, columns;
    std::vector<float> values;
    for (int v = 0; v < views; ++v)
        view.insert(view.end(), static_cast<size_t>(problem.viewSizes[static_cast<size_t>(v)]), v);
    for (int p = 0; p < m; ++p)
        for (int q = p + 1; q < m; ++q)
            if (view[static_cast<size_t>(p)] != view[static_cast<size_t>(q)] &&
                rng.uniform(0, 3) == 0)
            {
                const float s = rng.uniform(0.01f, 1.f);
                const int both[2] = {p, q};
                for (int side = 0; side < 2; ++side)
                {
                    rows.push_back(both[side]);
                    columns.push_back(both[1 - side]);
                    values.push_back(s);
                }
            }
    problem.similarity = CsrMatrix::fromTriplets(m, m, rows, columns, values);
    AdjacencyParams params;
    params.mu = 5;
    params.directional = directional ? 1.f : 0.f;
    problem.adjacency = computeAdjacency(points, params);
    return problem;
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
            std::swap(all[static_cast<size_t>(u)], all[static_cast<size_t>(rng.uniform(0, u + 1))]);
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
                    const Complexf x = problem.adjacency.phases[c][static_cast<size_t>(p)];
                    const Complexf y = problem.adjacency.phases[c][static_cast<size_t>(q)];
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

TEST(Multimatch_HiPPI, finds_the_truth_without_noise)
{
    SyntheticParams p;
    p.noise = 0.01;
    const SyntheticViews views = makeViews(p);
    const Tracks tracks = HiPPI::create()->match(views.keypoints, views.descriptors);
    expectConsistent(tracks);
    const MatchScore score = scoreTracks(tracks, views.labels);
    EXPECT_EQ(1., score.precision());
    EXPECT_GE(score.recall(), 0.99);
}

TEST(Multimatch_HiPPI, finds_the_truth_in_binary_descriptors)
{
    SyntheticParams p;
    p.binary = true;
    p.noise = 0.05;
    const SyntheticViews views = makeViews(p);
    const Tracks tracks = HiPPI::create()->match(views.keypoints, views.descriptors);
    expectConsistent(tracks);
    EXPECT_GE(scoreTracks(tracks, views.labels).fscore(), 0.97);
}

TEST(Multimatch_HiPPI, points_as_matrices_give_tracks_too)
{
    const SyntheticViews views = makeViews(SyntheticParams());
    const Tracks tracks = HiPPI::create()->matchPoints(views.points(), views.descriptors);
    expectConsistent(tracks);
    EXPECT_GE(scoreTracks(tracks, views.labels).fscore(), 0.97);
}

TEST(Multimatch_HiPPI, points_in_space_give_tracks_too)
{
    const SyntheticViews views = makeViews(SyntheticParams());
    std::vector<Mat> points = views.points();
    for (size_t v = 0; v < points.size(); ++v)
    {
        const Mat height = 0.5 * points[v].col(0) + 0.25 * points[v].col(1);
        hconcat(points[v], height, points[v]);
    }
    const Tracks tracks = HiPPI::create()->matchPoints(points, views.descriptors);
    expectConsistent(tracks);
    EXPECT_GE(scoreTracks(tracks, views.labels).fscore(), 0.97);
}

TEST(Multimatch_HiPPI, given_similarity_with_positions_does_as_well)
{
    const SyntheticViews views = makeViews(SyntheticParams());
    MatchingProblem problem;
    for (size_t v = 0; v < views.keypoints.size(); ++v)
        problem.viewSizes.push_back(static_cast<int>(views.keypoints[v].size()));
    problem.similarity = computeSimilarity(findNeighbors(views.descriptors, 2));
    problem.points = views.points();
    const Tracks tracks = HiPPI::create()->solve(problem);
    expectConsistent(tracks);
    EXPECT_GE(scoreTracks(tracks, views.labels).fscore(), 0.97);
    problem.points.pop_back();
    EXPECT_ERROR(HiPPI::create()->solve(problem), "points has 7 views but viewSizes has 8");
}

TEST(Multimatch_HiPPI, rotated_views_are_turned_back)
{
    SyntheticParams p;
    p.noise = 0.5;
    SyntheticViews views = makeViews(p);
    const Tracks upright = HiPPI::create()->match(views.keypoints, views.descriptors);
    for (size_t v = 0; v < views.keypoints.size(); ++v)
    {
        const float turn = 0.7f * static_cast<float>(v), c = std::cos(turn), s = std::sin(turn);
        for (size_t k = 0; k < views.keypoints[v].size(); ++k)
        {
            const Point2f x = views.keypoints[v][k].pt;
            views.keypoints[v][k].pt = Point2f(c * x.x - s * x.y, s * x.x + c * x.y);
        }
    }
    const Tracks turned = HiPPI::create()->match(views.keypoints, views.descriptors);
    expectConsistent(turned);
    EXPECT_GE(scoreTracks(turned, views.labels).fscore(),
              scoreTracks(upright, views.labels).fscore() - 0.02);
}

TEST(Multimatch_HiPPI, positions_that_tell_nothing_do_no_harm)
{
    SyntheticParams p;
    p.noise = 0.3;
    SyntheticViews views = makeViews(p);
    RNG rng(5);
    for (size_t v = 0; v < views.keypoints.size(); ++v)
        for (size_t k = 0; k < views.keypoints[v].size(); ++k)
            views.keypoints[v][k].pt = Point2f(rng.uniform(0.f, 600.f), rng.uniform(0.f, 400.f));
    const Tracks tracks = HiPPI::create()->match(views.keypoints, views.descriptors);
    expectConsistent(tracks);
    EXPECT_GE(scoreTracks(tracks, views.labels).fscore(), 0.97);
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

class Multimatch_HiPPI_Invariance : public testing::TestWithParam<int>
{
protected:
    HiPPIParams params() const
    {
        HiPPIParams p;
        p.mode = GetParam() % 2 ? HIPPI_COMPLETE : HIPPI_PARTIAL;
        p.exact = GetParam() / 2 != 0;
        p.startCount = 2;
        return p;
    }
};

TEST_P(Multimatch_HiPPI_Invariance, views_and_points_in_any_order)
{
    SyntheticParams p;
    p.noise = 0.4;
    for (unsigned seed = 1; seed <= 4; ++seed)
    {
        p.seed = seed;
        const SyntheticViews views = makeViews(p);
        std::vector<int> viewTo;
        std::vector<std::vector<int>> pointTo;
        const SyntheticViews shuffled = shuffledViews(views, seed + 77, viewTo, pointTo);
        const Tracks tracks = HiPPI::create(params())->match(views.keypoints, views.descriptors);
        const Tracks again =
            HiPPI::create(params())->match(shuffled.keypoints, shuffled.descriptors);
        EXPECT_FALSE(tracks.empty());
        EXPECT_TRUE(renumbered(partition(tracks), viewTo, pointTo) == partition(again))
            << "seed " << seed;
    }
}

TEST_P(Multimatch_HiPPI_Invariance, number_of_threads)
{
    SyntheticParams p;
    p.noise = 0.4;
    const SyntheticViews views = makeViews(p);
    const int threads = getNumThreads();
    setNumThreads(1);
    const Tracks one = HiPPI::create(params())->match(views.keypoints, views.descriptors);
    setNumThreads(4);
    const Tracks four = HiPPI::create(params())->match(views.keypoints, views.descriptors);
    setNumThreads(threads);
    EXPECT_TRUE(one == four);
    EXPECT_EQ(one.report().objective, four.report().objective);
}

INSTANTIATE_TEST_CASE_P(Modes, Multimatch_HiPPI_Invariance, testing::Range(0, 4));

TEST(Multimatch_HiPPI, scale_of_points_does_not_matter)
{
    SyntheticParams p;
    p.noise = 0.3;
    const SyntheticViews views = makeViews(p);
    std::vector<Mat> points = views.points(), larger;
    for (size_t v = 0; v < points.size(); ++v)
        larger.push_back(points[v] * 8.0); // a power of two: no rounding
    EXPECT_TRUE(HiPPI::create()->matchPoints(points, views.descriptors) ==
                HiPPI::create()->matchPoints(larger, views.descriptors));
}

TEST(Multimatch_HiPPI, empty_views_are_legal)
{
    SyntheticViews views = makeViews(SyntheticParams());
    views.keypoints[3].clear();
    views.descriptors[3] = Mat();
    views.labels[3].clear();
    for (int mode = HIPPI_PARTIAL; mode <= HIPPI_COMPLETE; ++mode)
    {
        HiPPIParams params;
        params.mode = mode;
        const Tracks tracks = HiPPI::create(params)->match(views.keypoints, views.descriptors);
        expectConsistent(tracks);
        EXPECT_TRUE(tracks.trackIds(3).empty());
    }
    for (size_t v = 0; v < views.keypoints.size(); ++v)
    {
        views.keypoints[v].clear();
        views.descriptors[v] = Mat();
    }
    EXPECT_TRUE(HiPPI::create()->match(views.keypoints, views.descriptors).empty());
}

TEST(Multimatch_HiPPI, literal_mode_labels_every_point)
{
    SyntheticParams p;
    p.noise = 0.4;
    const SyntheticViews views = makeViews(p);
    HiPPIParams params;
    params.mode = HIPPI_COMPLETE;
    const Tracks tracks = HiPPI::create(params)->match(views.keypoints, views.descriptors);
    expectConsistent(tracks);
    EXPECT_EQ(2 * 36, tracks.report().universeSize);
    EXPECT_LE(tracks.size(), tracks.report().universeSize);
    EXPECT_EQ(tracks.statistics().points, tracks.statistics().observations);
}

TEST(Multimatch_HiPPI, given_universe_size_is_honored)
{
    const SyntheticViews views = makeViews(SyntheticParams());
    HiPPIParams params;
    params.universeSize = 12;
    const Tracks tracks = HiPPI::create(params)->match(views.keypoints, views.descriptors);
    expectConsistent(tracks);
    EXPECT_LE(tracks.size(), 12);
    EXPECT_GE(tracks.size(), 10);
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

TEST(Multimatch_HiPPI, blocks_climb_and_tell_the_objective)
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

TEST(Multimatch_HiPPI, pairs_and_window_restrict_the_comparison)
{
    SyntheticParams p;
    p.views = 6;
    p.noise = 0.05;
    const SyntheticViews views = makeViews(p);
    const Ptr<HiPPI> hippi = HiPPI::create();
    const Mat pairs = (Mat_<int>(2, 2) << 0, 1, 4, 3);
    hippi->setPairs(pairs);
    const Tracks tracks = hippi->match(views.keypoints, views.descriptors);
    expectConsistent(tracks);
    EXPECT_FALSE(tracks.matches(0, 1).empty());
    EXPECT_FALSE(tracks.matches(3, 4).empty());
    EXPECT_TRUE(tracks.matches(1, 3).empty());
    EXPECT_EQ(std::vector<int>(views.keypoints[2].size(), -1), tracks.trackIds(2));
    EXPECT_EQ(0., cv::norm(pairs, hippi->getPairs(), NORM_INF));

    const Ptr<HiPPI> window = HiPPI::create();
    window->setWindow(1);
    EXPECT_EQ(1, window->getWindow());
    const Tracks chained = window->match(views.keypoints, views.descriptors);
    EXPECT_FALSE(chained.matches(0, 1).empty());
    EXPECT_GE(scoreTracks(chained, views.labels).precision(), 0.99);
}

TEST(Multimatch_HiPPI, start_labels_are_used)
{
    const SyntheticViews views = makeViews(SyntheticParams());
    HiPPIParams params;
    params.start = START_LABELS;
    params.maxIterations = 0;
    params.minConfidence = 0;
    const Ptr<HiPPI> hippi = HiPPI::create(params);
    EXPECT_ERROR(hippi->match(views.keypoints, views.descriptors), "initial labels");
    hippi->setInitialLabels(views.labels);
    const Tracks tracks = hippi->match(views.keypoints, views.descriptors);
    EXPECT_EQ(1., scoreTracks(tracks, views.labels).fscore());
    EXPECT_EQ(0, tracks.report().iterations);
}

//! Any label that is not negative is legal.
TEST(Multimatch_HiPPI, start_labels_may_be_large)
{
    const SyntheticViews views = makeViews(SyntheticParams());
    std::vector<std::vector<int>> large = views.labels;
    for (std::vector<int>& view : large)
        for (int& label : view)
            if (label >= 0)
                label = std::numeric_limits<int>::max() - label;
    for (HiPPIMode mode : {HIPPI_PARTIAL, HIPPI_COMPLETE})
    {
        HiPPIParams params;
        params.mode = mode;
        params.start = START_LABELS;
        const Ptr<HiPPI> hippi = HiPPI::create(params);
        hippi->setInitialLabels(views.labels);
        const Tracks expected = hippi->match(views.keypoints, views.descriptors);
        hippi->setInitialLabels(large);
        EXPECT_TRUE(expected == hippi->match(views.keypoints, views.descriptors));
    }
}

//! Their squared distances would be infinite, and nothing would be matched without a word.
TEST(Multimatch_HiPPI, huge_descriptors_are_refused)
{
    SyntheticViews views = makeViews(SyntheticParams());
    views.descriptors[1].at<float>(2, 3) = 1e30f;
    EXPECT_ERROR(HiPPI::create()->match(views.keypoints, views.descriptors),
                 "descriptors[1] has the value 1e+30 in row 2, column 3");
    views.descriptors[1].at<float>(2, 3) = 1e15f;
    EXPECT_NO_THROW(HiPPI::create()->match(views.keypoints, views.descriptors));
}

//! Universe points that no point can use cost nothing.
TEST(Multimatch_HiPPI, universe_may_be_larger_than_the_number_of_points)
{
    SyntheticParams p;
    p.views = 4;
    const SyntheticViews views = makeViews(p);
    HiPPIParams params = paperParams();
    size_t points = 0;
    for (const std::vector<KeyPoint>& view : views.keypoints)
        points += view.size();
    params.universeSize = static_cast<int>(points);
    const Tracks expected = HiPPI::create(params)->match(views.keypoints, views.descriptors);
    params.universeSize = 200000; // a matrix of its square would need 320 GB
    EXPECT_TRUE(expected == HiPPI::create(params)->match(views.keypoints, views.descriptors));
}

TEST(Multimatch_HiPPI, spectral_start_takes_views_of_any_size)
{
    HiPPIParams params;
    params.start = START_SPECTRAL;
    // No points at all.
    const Ptr<HiPPI> matcher = HiPPI::create(params);
    const Tracks none = matcher->match(std::vector<std::vector<KeyPoint>>(2),
                                       std::vector<Mat>(2, Mat(0, 8, CV_32F)));
    EXPECT_EQ(0, none.size());
    // One view has as many points as there are universe points, others have more.
    SyntheticParams p;
    p.views = 3;
    SyntheticViews views = makeViews(p);
    params.universeSize = 5;
    views.keypoints[0].resize(5);
    views.descriptors[0] = views.descriptors[0].rowRange(0, 5);
    matcher->setParams(params);
    expectConsistent(matcher->match(views.keypoints, views.descriptors));
}

TEST(Multimatch_HiPPI, random_starts_of_the_last_seed)
{
    const SyntheticViews views = makeViews(SyntheticParams());
    HiPPIParams params;
    params.mode = HIPPI_COMPLETE;
    params.start = START_RANDOM;
    params.startCount = 3;
    params.seed = std::numeric_limits<int>::max();
    expectConsistent(HiPPI::create(params)->match(views.keypoints, views.descriptors));
}

TEST(Multimatch_HiPPI, callback_sees_progress_and_can_stop)
{
    SyntheticParams p;
    p.universe = 100;
    p.visible = 80;
    const SyntheticViews views = makeViews(p);
    const Ptr<HiPPI> hippi = HiPPI::create();
    std::vector<std::string> stages;
    hippi->setProgressCallback([&](const Progress& progress) {
        EXPECT_GE(progress.fraction, 0.);
        EXPECT_LE(progress.fraction, 1.);
        if (stages.empty() || stages.back() != progress.stage)
            stages.push_back(progress.stage);
        return true;
    });
    const Tracks whole = hippi->match(views.keypoints, views.descriptors);
    EXPECT_FALSE(whole.report().cancelled);
    EXPECT_EQ(whole.report().stages, stages);
    EXPECT_EQ(whole.report().stages.size(), whole.report().seconds.size());

    hippi->setProgressCallback(
        [&](const Progress& progress) { return std::string(progress.stage) != "iterations"; });
    const Tracks stopped = hippi->match(views.keypoints, views.descriptors);
    EXPECT_TRUE(stopped.report().cancelled);
    EXPECT_EQ(0, stopped.report().iterations);
    expectConsistent(stopped);

    // Wherever it is stopped, the callback is not called again, and the labels so far are a result.
    for (size_t s = 0; s < stages.size(); ++s)
    {
        int callsAfter = -1;
        hippi->setProgressCallback([&](const Progress& progress) {
            callsAfter += callsAfter >= 0 || stages[s] == progress.stage;
            return callsAfter < 0;
        });
        const Tracks early = hippi->match(views.keypoints, views.descriptors);
        EXPECT_TRUE(early.report().cancelled) << stages[s];
        EXPECT_EQ(0, callsAfter) << stages[s];
        expectConsistent(early);
        EXPECT_EQ(whole.viewCount(), early.viewCount());
    }
}

TEST(Multimatch_HiPPI, bad_input_is_named)
{
    SyntheticViews views = makeViews(SyntheticParams());
    const Ptr<HiPPI> hippi = HiPPI::create();
    {
        SyntheticViews bad = views;
        bad.keypoints.pop_back();
        EXPECT_ERROR(hippi->match(bad.keypoints, bad.descriptors),
                     "descriptors has 8 views but keypoints has 7");
    }
    {
        SyntheticViews bad = views;
        bad.descriptors[3] = bad.descriptors[3].rowRange(0, 35);
        EXPECT_ERROR(hippi->match(bad.keypoints, bad.descriptors),
                     "descriptors[3] has 35 rows but keypoints[3] has 36");
    }
    {
        SyntheticViews bad = views;
        bad.descriptors[2].convertTo(bad.descriptors[2], CV_8U);
        EXPECT_ERROR(hippi->match(bad.keypoints, bad.descriptors),
                     "descriptors[2] has the type CV_8UC1 but descriptors[0] has CV_32FC1");
    }
    {
        SyntheticViews bad = views;
        bad.descriptors[2].convertTo(bad.descriptors[2], CV_64F);
        EXPECT_ERROR(hippi->match(bad.keypoints, bad.descriptors),
                     "descriptors[2] has the type CV_64FC1");
    }
    {
        SyntheticViews bad = views;
        bad.descriptors[5] = bad.descriptors[5].colRange(0, 31);
        EXPECT_ERROR(hippi->match(bad.keypoints, bad.descriptors),
                     "descriptors[5] has 31 columns but descriptors[0] has 32");
    }
    {
        SyntheticViews bad = views;
        bad.descriptors[1] = bad.descriptors[1].clone();
        bad.descriptors[1].at<float>(4, 7) = std::numeric_limits<float>::quiet_NaN();
        EXPECT_ERROR(hippi->match(bad.keypoints, bad.descriptors), "in row 4, column 7");
        bad.descriptors[1].at<float>(4, 7) = std::numeric_limits<float>::infinity();
        EXPECT_ERROR(hippi->match(bad.keypoints, bad.descriptors), "descriptors[1]");
    }
    {
        SyntheticViews bad = views;
        bad.keypoints[6][2].pt.y = std::numeric_limits<float>::infinity();
        EXPECT_ERROR(hippi->match(bad.keypoints, bad.descriptors), "keypoints[6]");
    }
    EXPECT_ERROR(hippi->match(std::vector<std::vector<KeyPoint>>(1, views.keypoints[0]),
                              std::vector<Mat>(1, views.descriptors[0])),
                 "keypoints has 1 views, expected at least 2");
    {
        std::vector<Mat> points = views.points();
        points[4] = Mat::zeros(36, 4, CV_32F);
        EXPECT_ERROR(hippi->matchPoints(points, views.descriptors), "points[4] is 36 x 4");
    }
    {
        HiPPIParams params;
        params.mode = HIPPI_COMPLETE;
        params.universeSize = 35;
        EXPECT_ERROR(HiPPI::create(params)->match(views.keypoints, views.descriptors),
                     "universeSize is 35 but view 0 has 36 points");
    }
    EXPECT_ERROR(hippi->setPairs(Mat_<int>(Matx<int, 1, 2>(3, 3))), "(3, 3)");
    EXPECT_ERROR(hippi->setPairs(Mat_<float>(Matx<float, 1, 2>(3, 4))), "CV_32FC1");
    hippi->setPairs(Mat_<int>(Matx<int, 1, 2>(3, 8)));
    EXPECT_ERROR(hippi->match(views.keypoints, views.descriptors), "expected view numbers below 8");
    EXPECT_ERROR(hippi->setWindow(-1), "window is -1");
}

TEST(Multimatch_HiPPI, bad_parameters_are_named)
{
    HiPPIParams params;
    params.mu = 0;
    EXPECT_ERROR(HiPPI::create(params), "HiPPIParams::mu is 0, expected more than 0");
    params = HiPPIParams();
    params.minConfidence = 1.5f;
    EXPECT_ERROR(HiPPI::create(params), "HiPPIParams::minConfidence is 1.5");
    params = HiPPIParams();
    params.neighbors = 0;
    EXPECT_ERROR(HiPPI::create(params), "HiPPIParams::neighbors is 0");
}

TEST(Multimatch_HiPPI, bad_problems_are_named)
{
    const MatchingProblem good = randomProblem(2, false);
    const Ptr<HiPPI> hippi = HiPPI::create();
    MatchingProblem bad = good;
    bad.viewSizes.push_back(1);
    EXPECT_ERROR(hippi->solve(bad), "similarity is");
    bad = good;
    bad.similarity.values[0] += 1.f;
    EXPECT_ERROR(hippi->solve(bad), "similarity is not symmetric");
    bad = good;
    bad.similarity.values[0] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_ERROR(hippi->solve(bad), "not finite");
    bad = good;
    bad.adjacency.weights = good.similarity;
    EXPECT_ERROR(hippi->solve(bad), "adjacency has an entry at");
}

TEST(Multimatch_HiPPI, parameters_survive_file_storage)
{
    HiPPIParams params;
    params.mode = HIPPI_COMPLETE;
    params.universeSize = 77;
    params.beta = 0.375f;
    params.exact = true;
    params.seed = 11;
    FileStorage out(".yml", FileStorage::WRITE | FileStorage::MEMORY);
    HiPPI::create(params)->write(out);
    FileStorage in(out.releaseAndGetString(), FileStorage::READ | FileStorage::MEMORY);
    const Ptr<HiPPI> hippi = HiPPI::create();
    hippi->read(in.root());
    const HiPPIParams back = hippi->getParams();
    EXPECT_EQ(HIPPI_COMPLETE, back.mode);
    EXPECT_EQ(77, back.universeSize);
    EXPECT_EQ(0.375f, back.beta);
    EXPECT_TRUE(back.exact);
    EXPECT_EQ(11, back.seed);
    EXPECT_EQ("multimatch.HiPPI", hippi->getDefaultName());
}

//! A data set with d given and every view of d points.
double bijectiveScore(const std::string& file)
{
    FileStorage fs(file, FileStorage::READ);
    const int views = static_cast<int>(fs["view_count"]);
    std::vector<Mat> points, descriptors;
    std::vector<std::vector<int>> labels;
    for (int v = 0; v < views; ++v)
    {
        Mat x, f, l;
        fs[cv::format("points_%03d", v)] >> x;
        fs[cv::format("descriptors_%03d", v)] >> f;
        fs[cv::format("labels_%03d", v)] >> l;
        points.push_back(x);
        descriptors.push_back(f);
        labels.push_back(std::vector<int>(l.begin<int>(), l.end<int>()));
    }
    HiPPIParams params;
    params.universeSize = points[0].rows;
    const Tracks tracks = HiPPI::create(params)->matchPoints(points, descriptors);
    expectConsistent(tracks);
    expectMonotone(tracks.report().objective);
    return scoreTracks(tracks, labels).fscore();
}

TEST(Multimatch_HiPPI, bijective_data_sets)
{
    const std::string data = testData();
    if (data.empty())
        return;
    EXPECT_GE(bijectiveScore(data + "/cmu/hotel.yml.gz"), 0.99);
    EXPECT_GE(bijectiveScore(data + "/willow/face.yml.gz"), 0.99);
}

}} // namespace opencv_test
