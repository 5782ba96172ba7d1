// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "perf_precomp.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

enum Kind
{
    FLOAT_NUMBERS,
    WHOLE_NUMBERS,
    BITS
};
CV_ENUM(DescriptorKind, FLOAT_NUMBERS, WHOLE_NUMBERS, BITS)

std::vector<Mat> randomViews(int kind, int views, int points)
{
    RNG& rng = theRNG();
    std::vector<Mat> descriptors;
    for (int v = 0; v < views; ++v)
    {
        Mat rows(points, kind == BITS ? 32 : 128, kind == FLOAT_NUMBERS ? CV_32F : CV_8U);
        rng.fill(rows, RNG::UNIFORM, 0, kind == FLOAT_NUMBERS ? 1 : 256);
        descriptors.push_back(rows);
    }
    return descriptors;
}

int normOf(int kind)
{
    return kind == BITS ? NORM_HAMMING : NORM_L2;
}

typedef TestBaseWithParam<tuple<DescriptorKind, int>> Search;

PERF_TEST_P(Search, findNeighbors,
            testing::Combine(DescriptorKind::all(), testing::Values(50, 1000, 3000)))
{
    const int kind = get<0>(GetParam()), points = get<1>(GetParam());
    const std::vector<Mat> descriptors = randomViews(kind, 4, points);
    NeighborGraph graph;
    TEST_CYCLE() graph = findNeighbors(descriptors, 2, noArray(), normOf(kind));
    EXPECT_GE(graph.distances.nonZeros(), size_t(4) * 3 * 2 * size_t(points));
    SANITY_CHECK_NOTHING();
}

typedef TestBaseWithParam<DescriptorKind> Index;

PERF_TEST_P(Index, findNeighborsApproximately, DescriptorKind::all())
{
    const int kind = GetParam();
    const std::vector<Mat> descriptors = randomViews(kind, 10, 1000);
    NeighborGraph graph;
    TEST_CYCLE()
    graph = findNeighbors(descriptors, 2, noArray(), normOf(kind), SEARCH_APPROXIMATE);
    EXPECT_EQ(10000, graph.distances.rows);
    SANITY_CHECK_NOTHING();
}

PERF_TEST_P(Index, retrievePairs, DescriptorKind::all())
{
    const int kind = GetParam();
    const std::vector<Mat> descriptors = randomViews(kind, 20, 500);
    Mat pairs;
    TEST_CYCLE() pairs = retrievePairs(descriptors, 5, normOf(kind));
    EXPECT_GE(pairs.rows, 20 * 5 / 2);
    SANITY_CHECK_NOTHING();
}

}} // namespace opencv_test
