// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_peers.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

/** Views that show the same points in a plane, each turned, shifted and scaled, in an order of its
own. No two distances between points are alike. */
struct Plane
{
    MatchingProblem problem;
    std::vector<std::vector<int>> labels;

    Plane(int k, int n, double noise, unsigned seed)
    {
        RNG rng(seed);
        Mat_<double> places(n, 2);
        rng.fill(places, RNG::UNIFORM, -100, 100);
        for (int v = 0; v < k; ++v)
        {
            const double angle = rng.uniform(0., CV_2PI), scale = rng.uniform(0.5, 2.);
            std::vector<int> order(static_cast<size_t>(n));
            std::iota(order.begin(), order.end(), 0);
            for (int p = n - 1; p > 0; --p)
                std::swap(order[p], order[rng.uniform(0, p + 1)]);
            Mat_<double> view(n, 2);
            for (int p = 0; p < n; ++p)
            {
                const double x = places(order[p], 0) + rng.gaussian(noise);
                const double y = places(order[p], 1) + rng.gaussian(noise);
                view(p, 0) = scale * (std::cos(angle) * x - std::sin(angle) * y) + 7;
                view(p, 1) = scale * (std::sin(angle) * x + std::cos(angle) * y) - 3;
            }
            problem.viewSizes.push_back(n);
            problem.points.push_back(view);
            labels.push_back(order);
        }
        problem.similarity = similarityOf(0, 1, rng);
    }

    //! True matches of similarity right, and as many wrong ones of similarity wrong.
    CsrMatrix similarityOf(float right, float wrong, RNG& rng) const
    {
        const int k = static_cast<int>(labels.size()), n = problem.viewSizes[0];
        std::vector<int> rows, columns;
        std::vector<float> values;
        for (int i = 0; i < k; ++i)
            for (int j = i + 1; j < k; ++j)
            {
                const int shift = rng.uniform(1, n);
                for (int p = 0; p < n; ++p)
                    for (int q = 0; q < n; ++q)
                    {
                        const int difference = (labels[j][q] - labels[i][p] + n) % n;
                        const float value = difference == 0       ? right
                                            : difference == shift ? wrong
                                                                  : 0.f;
                        if (value <= 0)
                            continue;
                        rows.insert(rows.end(), {i * n + p, j * n + q});
                        columns.insert(columns.end(), {j * n + q, i * n + p});
                        values.insert(values.end(), 2, value);
                    }
            }
        return CsrMatrix::fromTriplets(k * n, k * n, rows, columns, values);
    }

    bool isSolvedBy(const Tracks& tracks) const
    {
        return partition(Tracks(labels)) == partition(tracks);
    }
};

//! Similarities that are all wrong do not count where appearance has no weight.
TEST(Multimatch_AlternatingMatching, distances_alone_decide)
{
    const Plane plane(6, 9, 0.5, 1);
    GraphMatchingParams params;
    params.appearance = 0;
    params.edgeScale = 0.01f;
    const Tracks tracks = AlternatingMatching::create(params)->solve(plane.problem);
    EXPECT_TRUE(plane.isSolvedBy(tracks));
    EXPECT_TRUE(tracks.report().converged);
    EXPECT_EQ(9, tracks.report().universeSize);
    params.appearance = 1;
    EXPECT_FALSE(plane.isSolvedBy(AlternatingMatching::create(params)->solve(plane.problem)));
}

TEST(Multimatch_GraduatedConsistency, distances_alone_decide)
{
    const Plane plane(6, 9, 0.5, 2);
    GraphMatchingParams params;
    params.appearance = 0;
    params.edgeScale = 0.01f;
    EXPECT_TRUE(plane.isSolvedBy(GraduatedConsistency::create(params)->solve(plane.problem)));
    params.appearance = 1;
    EXPECT_FALSE(plane.isSolvedBy(GraduatedConsistency::create(params)->solve(plane.problem)));
}

TEST(Multimatch_AlternatingMatching, affinity_never_falls)
{
    for (unsigned seed = 0; seed < 5; ++seed)
    {
        Plane plane(8, 10, 15, seed);
        RNG rng(seed);
        plane.problem.similarity = plane.similarityOf(1.f, 0.9f, rng);
        const Tracks tracks = AlternatingMatching::create()->solve(plane.problem);
        expectConsistent(tracks);
        expectMonotone(tracks.report().objective);
    }
}

//! Distances need not come from points: those along a circle are given as matrices.
TEST(Multimatch_GraduatedConsistency, takes_distances_in_place_of_points)
{
    Plane plane(5, 8, 0, 3);
    GraphMatchingParams params;
    params.appearance = 0;
    params.edgeScale = 0.01f;
    std::vector<Mat> distances;
    for (size_t v = 0; v < plane.labels.size(); ++v)
    {
        Mat_<double> D(8, 8);
        for (int p = 0; p < 8; ++p)
            for (int q = 0; q < 8; ++q)
            {
                const double a = plane.labels[v][p], b = plane.labels[v][q];
                D(p, q) = std::abs(a * a - b * b);
            }
        distances.push_back(D);
    }
    plane.problem.points.clear();
    for (const Tracks& tracks :
         {GraduatedConsistency::create(params)->solve(plane.problem, distances),
          AlternatingMatching::create(params)->solve(plane.problem, distances)})
        EXPECT_TRUE(plane.isSolvedBy(tracks));
    EXPECT_ERROR(GraduatedConsistency::create()->solve(plane.problem), "neither points nor key");
    distances[3] = Mat_<double>(8, 7);
    EXPECT_ERROR(GraduatedConsistency::create()->solve(plane.problem, distances),
                 "distances[3] is 8 x 7");
    distances.pop_back();
    EXPECT_ERROR(SparseConsistent::create()->solve(plane.problem, distances),
                 "distances has 4 views but viewSizes has 5");
}

//! Two points that look alike in both views: only their distances to the others tell them apart.
TEST(Multimatch_RandomWalks, look_alikes_are_told_apart_by_distances)
{
    const Mat_<float> first = (Mat_<float>(4, 2) << 0, 0, 10, 0, 0, 3, 9, 7);
    const Mat_<float> second = (Mat_<float>(4, 2) << 10, 0, 0, 0, 0, 3, 9, 7);
    const Mat_<float> looks = (Mat_<float>(4, 2) << 1, 1, 1, 1, 5, 0, 0, 5);
    const std::vector<Mat> points = {first, second}, descriptors = {looks, looks};
    const std::vector<PairMatches> pairs =
        RandomWalks::create()->matchPointPairs(points, descriptors);
    ASSERT_EQ(1u, pairs.size());
    ASSERT_EQ(4u, pairs[0].matches.size());
    const int expected[] = {1, 0, 2, 3};
    for (int p = 0; p < 4; ++p)
    {
        EXPECT_EQ(expected[p], pairs[0].matches[p].trainIdx);
        EXPECT_NEAR(0, pairs[0].matches[p].distance, 1e-5);
    }
}

TEST(Multimatch_RandomWalks, takes_an_empty_view_and_views_of_different_sizes)
{
    SyntheticParams params;
    params.views = 4;
    params.universe = params.visible = 12;
    params.outliers = 0;
    params.noise = 0.05;
    SyntheticViews views = makeViews(params);
    views.keypoints[1].resize(7);
    views.descriptors[1] = views.descriptors[1].rowRange(0, 7);
    views.labels[1].resize(7);
    views.keypoints.insert(views.keypoints.begin(), std::vector<KeyPoint>());
    views.descriptors.insert(views.descriptors.begin(), Mat());
    views.labels.insert(views.labels.begin(), std::vector<int>());
    const std::set<std::vector<int>> truth = matchSet(Tracks(views.labels));
    EXPECT_TRUE(truth == matchSet(*RandomWalks::create(), views));
    EXPECT_TRUE(truth == matchSet(*AlternatingMatching::create(), views));
}

TEST(Multimatch_LowRankCoordinates, coordinates_correct_wrong_matches)
{
    int solved = 0, solvedWithoutGeometry = 0;
    for (unsigned seed = 0; seed < 10; ++seed)
    {
        Plane plane(10, 8, 0.5, seed);
        RNG rng(seed);
        plane.problem.similarity = plane.similarityOf(1.f, 0.95f, rng);
        LowRankParams params;
        const Tracks tracks = LowRankCoordinates::create(params)->solve(plane.problem);
        expectConsistent(tracks);
        expectMonotone(tracks.report().objective);
        EXPECT_EQ(8, tracks.size());
        solved += plane.isSolvedBy(tracks);
        params.geometry = 0;
        solvedWithoutGeometry +=
            plane.isSolvedBy(LowRankCoordinates::create(params)->solve(plane.problem));
    }
    EXPECT_GE(solved, solvedWithoutGeometry);
    EXPECT_GE(solved, 8);
}

//! d points in every view, where some views have more.
TEST(Multimatch_LowRankCoordinates, takes_what_all_views_show)
{
    SyntheticParams params;
    params.views = 6;
    params.universe = params.visible = 12;
    params.outliers = 0;
    params.noise = 0.05;
    SyntheticViews views = makeViews(params);
    for (int v = 0; v < 6; ++v)
        for (size_t p = 0; p < views.labels[v].size(); ++p)
            if (views.labels[v][p] == v || views.labels[v][p] == (v + 1) % 6)
            {
                // Points 0 to 5 are not seen by two views each.
                views.labels[v].erase(views.labels[v].begin() + p);
                views.keypoints[v].erase(views.keypoints[v].begin() + p);
                Mat kept = views.descriptors[v].rowRange(0, int(p)).clone();
                kept.push_back(
                    views.descriptors[v].rowRange(int(p) + 1, views.descriptors[v].rows));
                views.descriptors[v] = kept;
                --p;
            }
    LowRankParams lowRank;
    lowRank.universeSize = 6;
    const Tracks tracks =
        LowRankCoordinates::create(lowRank)->match(views.keypoints, views.descriptors);
    ASSERT_EQ(6, tracks.size());
    for (int v = 0; v < 6; ++v)
        for (size_t p = 0; p < views.labels[v].size(); ++p)
            EXPECT_EQ(views.labels[v][p] >= 6, tracks.trackIds(v)[p] >= 0);
    EXPECT_EQ(1, scoreTracks(tracks, views.labels).precision());
    lowRank.universeSize = 11;
    EXPECT_ERROR(LowRankCoordinates::create(lowRank)->match(views.keypoints, views.descriptors),
                 "LowRankParams::universeSize is 11, expected at most 10");
}

//! Every third point has random distances in each view: these points are left unmatched.
TEST(Multimatch_SparseConsistent, drops_matches_whose_distances_disagree)
{
    const int n = 12;
    Plane plane(5, n, 0, 6);
    RNG rng(6);
    plane.problem.similarity = plane.similarityOf(1.f, 0.5f, rng);
    plane.problem.points.clear();
    std::vector<std::vector<int>> expected = plane.labels;
    std::vector<Mat> distances;
    for (size_t v = 0; v < plane.labels.size(); ++v)
    {
        Mat_<double> D(n, n, 0.);
        for (int p = 0; p < n; ++p)
            for (int q = 0; q < p; ++q)
            {
                const double a = plane.labels[v][p], b = plane.labels[v][q];
                const bool random = int(a) % 3 == 0 || int(b) % 3 == 0;
                D(p, q) = D(q, p) = random ? rng.uniform(0., 120.) : std::abs(a * a - b * b);
            }
        for (int& label : expected[v])
            label = label % 3 == 0 ? -1 : label;
        distances.push_back(D);
    }
    SparseConsistentParams params;
    params.edgeScale = 1e-4f;
    const Tracks tracks = SparseConsistent::create(params)->solve(plane.problem, distances);
    EXPECT_TRUE(partition(Tracks(expected)) == partition(tracks));
}

TEST(Multimatch_UniverseSize, is_the_number_of_tracks_of_consistent_matches)
{
    // Tracks a0-b0-c0, a1-b1, and the single points a2 and c1.
    const std::vector<int> viewSizes = {3, 2, 2};
    const int ends[][2] = {{0, 3}, {3, 5}, {0, 5}, {1, 4}};
    std::vector<int> rows, columns;
    for (const int* end : ends)
    {
        rows.insert(rows.end(), {end[0], end[1]});
        columns.insert(columns.end(), {end[1], end[0]});
    }
    const CsrMatrix matches =
        CsrMatrix::fromTriplets(7, 7, rows, columns, std::vector<float>(rows.size(), 1.f));
    EXPECT_EQ(4, estimateUniverseSize(viewSizes, matches));
    EXPECT_EQ(5, estimateUniverseSize({3, 2}, CsrMatrix(5, 5)));
    SpectralParams params;
    params.universeSize = UNIVERSE_FROM_SPECTRUM;
    EXPECT_EQ(4, Spectral::create(params)->solve(viewSizes, matches).report().universeSize);
    EXPECT_ERROR(estimateUniverseSize({1, 2}, CsrMatrix(2, 2)), "have 3 points");
}

TEST(Multimatch_UniverseSize, few_wrong_matches_do_not_change_it)
{
    // 10 views of 12 points, all matches known but for one pair of views in 15, which is turned.
    const int k = 10, n = 12;
    std::vector<int> rows, columns;
    int pair = 0;
    for (int i = 0; i < k; ++i)
        for (int j = i + 1; j < k; ++j, ++pair)
            for (int p = 0; p < n; ++p)
            {
                const int q = pair % 15 == 7 ? (p + 1) % n : p;
                rows.insert(rows.end(), {i * n + p, j * n + q});
                columns.insert(columns.end(), {j * n + q, i * n + p});
            }
    const CsrMatrix matches =
        CsrMatrix::fromTriplets(k * n, k * n, rows, columns, std::vector<float>(rows.size(), 1.f));
    EXPECT_EQ(n, estimateUniverseSize(std::vector<int>(k, n), matches));
}

TEST(Multimatch_GeometricPeers, refuse_what_is_too_large)
{
    std::vector<Mat> points(2, Mat_<float>::zeros(51, 2)), descriptors(2, Mat_<float>::ones(51, 3));
    EXPECT_ERROR(RandomWalks::create()->matchPoints(points, descriptors),
                 "at most 50 points a view, but view 0 has 51");
    EXPECT_ERROR(AlternatingMatching::create()->matchPoints(points, descriptors), "at most 50");
    EXPECT_ERROR(GraduatedConsistency::create()->matchPoints(points, descriptors), "at most 50");
    points.assign(81, Mat_<float>::zeros(50, 2));
    descriptors.assign(81, Mat_<float>::ones(50, 3));
    EXPECT_ERROR(GraduatedConsistency::create()->matchPoints(points, descriptors),
                 "at most 4000 points in all views together, but there are 4050");
    EXPECT_ERROR(LowRankCoordinates::create()->matchPoints(points, descriptors),
                 "at most 4000 points in all views together, but there are 4050");
    points.assign(2, Mat_<float>::zeros(900, 2));
    descriptors.assign(2, Mat_<float>::ones(900, 3));
    EXPECT_ERROR(SparseConsistent::create()->matchPoints(points, descriptors),
                 "at most 4096 candidate matches a view, but 900 points with 5");
}

TEST(Multimatch_GeometricPeers, errors_name_parameter_and_value)
{
    GraphMatchingParams graph;
    graph.appearance = 1.5f;
    EXPECT_ERROR(RandomWalks::create(graph), "GraphMatchingParams::appearance is 1.5");
    graph = GraphMatchingParams();
    graph.universeSize = -2;
    EXPECT_ERROR(GraduatedConsistency::create(graph), "GraphMatchingParams::universeSize is -2");
    LowRankParams lowRank;
    lowRank.rank = 0;
    EXPECT_ERROR(LowRankCoordinates::create(lowRank), "LowRankParams::rank is 0");
    SparseConsistentParams sparse;
    sparse.support = 1;
    EXPECT_ERROR(SparseConsistent::create(sparse), "SparseConsistentParams::support is 1");
}

}} // namespace opencv_test
