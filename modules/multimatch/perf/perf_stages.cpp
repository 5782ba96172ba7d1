// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "perf_precomp.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

//! Points of one scene in many views, each view with a random half of them and noise.
struct Scene
{
    std::vector<Mat> points, descriptors;

    Scene(int views, int universe)
    {
        RNG& rng = theRNG();
        Mat places(universe, 2, CV_32F), looks(universe, 64, CV_32F);
        rng.fill(places, RNG::UNIFORM, 0, 1000);
        rng.fill(looks, RNG::NORMAL, 0, 1);
        for (int v = 0; v < views; ++v)
        {
            Mat seenPlaces, seenLooks;
            for (int u = 0; u < universe; ++u)
                if (rng.uniform(0, 2))
                {
                    seenPlaces.push_back(places.row(u));
                    seenLooks.push_back(looks.row(u));
                }
            Mat noise(seenLooks.size(), CV_32F);
            rng.fill(noise, RNG::NORMAL, 0, 0.3);
            points.push_back(seenPlaces);
            descriptors.push_back(seenLooks + noise);
        }
    }
};

typedef TestBaseWithParam<int> Stages; // views of about 300 points

PERF_TEST_P(Stages, computeSimilarity, testing::Values(10, 30))
{
    const NeighborGraph graph = findNeighbors(Scene(GetParam(), 600).descriptors, 2);
    CsrMatrix S;
    TEST_CYCLE() S = computeSimilarity(graph);
    EXPECT_GT(S.nonZeros(), 0u);
    SANITY_CHECK_NOTHING();
}

PERF_TEST_P(Stages, computeAdjacency, testing::Values(10, 30))
{
    const Scene scene(GetParam(), 600);
    Adjacency A;
    TEST_CYCLE() A = computeAdjacency(scene.points);
    EXPECT_GT(A.weights.nonZeros(), 0u);
    SANITY_CHECK_NOTHING();
}

PERF_TEST_P(Stages, solve, testing::Values(10, 30))
{
    const Scene scene(GetParam(), 600);
    MatchingProblem problem;
    for (size_t v = 0; v < scene.points.size(); ++v)
        problem.viewSizes.push_back(scene.points[v].rows);
    problem.points = scene.points;
    problem.similarity = computeSimilarity(findNeighbors(scene.descriptors, 2));
    const Ptr<HiPPI> matcher = HiPPI::create();
    Tracks tracks;
    TEST_CYCLE() tracks = matcher->solve(problem);
    EXPECT_GT(tracks.size(), 0);
    SANITY_CHECK_NOTHING();
}

PERF_TEST_P(Stages, match, testing::Values(10, 30))
{
    const Scene scene(GetParam(), 600);
    const Ptr<HiPPI> matcher = HiPPI::create();
    Tracks tracks;
    TEST_CYCLE() tracks = matcher->matchPoints(scene.points, scene.descriptors);
    EXPECT_GT(tracks.size(), 0);
    SANITY_CHECK_NOTHING();
}

PERF_TEST_P(Stages, matchGuided, testing::Values(10))
{
    const Scene scene(GetParam(), 600);
    GuidedParams params;
    params.verification.model = MODEL_HOMOGRAPHY;
    const Ptr<GuidedHiPPI> matcher = GuidedHiPPI::create(params);
    Tracks tracks;
    TEST_CYCLE() tracks = matcher->matchPoints(scene.points, scene.descriptors);
    EXPECT_GT(tracks.size(), 0);
    SANITY_CHECK_NOTHING();
}

PERF_TEST_P(Stages, allPairMatches, testing::Values(10, 30))
{
    const Scene scene(GetParam(), 600);
    const Tracks tracks = UnionFind::create()->matchPoints(scene.points, scene.descriptors);
    std::vector<PairMatches> matches;
    TEST_CYCLE() matches = allPairMatches(tracks);
    EXPECT_FALSE(matches.empty());
    SANITY_CHECK_NOTHING();
}

typedef TestBaseWithParam<int> Assignment; // candidates a row

PERF_TEST_P(Assignment, assignSparse, testing::Values(4, 12))
{
    const int rows = 500, cols = 1000, candidates = GetParam();
    RNG& rng = theRNG();
    multimatch::detail::AssignmentCandidates problem;
    problem.cols = cols;
    problem.offsets.push_back(0);
    for (int r = 0; r < rows; ++r)
    {
        const int first = rng.uniform(0, cols);
        for (int c = 0; c < candidates; ++c)
        {
            problem.columns.push_back((first + c * c) % cols);
            problem.values.push_back(rng.uniform(0., 1.));
        }
        problem.offsets.push_back(static_cast<int>(problem.columns.size()));
    }
    std::vector<int> assigned;
    TEST_CYCLE() assigned = multimatch::detail::assignSparse(problem, true);
    EXPECT_EQ(size_t(rows), assigned.size());
    SANITY_CHECK_NOTHING();
}

PERF_TEST(DenseAssignment, assignDense)
{
    Mat values(200, 400, CV_64F);
    theRNG().fill(values, RNG::UNIFORM, 0, 1);
    std::vector<int> assigned;
    TEST_CYCLE() assigned = multimatch::detail::assignDense(values, false);
    EXPECT_EQ(200u, assigned.size());
    SANITY_CHECK_NOTHING();
}

}} // namespace opencv_test
