// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

TEST(Multimatch_Similarity, sparse_matrix_from_three_arrays)
{
    const Mat dense = (Mat_<float>(3, 4) << 0, 2, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0);
    const Mat data = (Mat_<double>(1, 3) << 2, 3, 5);
    const Mat indices = (Mat_<int>(3, 1) << 1, 3, 0), indptr = (Mat_<int>(1, 4) << 0, 2, 2, 3);
    const CsrMatrix matrix = CsrMatrix::fromArrays(4, data, indices, indptr);
    EXPECT_EQ(0, cv::norm(matrix.toDense(), dense, NORM_INF));
    EXPECT_EQ(0u, CsrMatrix::fromArrays(2, Mat(), Mat(), Mat_<int>::zeros(1, 3)).nonZeros());
    EXPECT_ERROR(CsrMatrix::fromArrays(3, data, indices, indptr), "column 3 in row 0");
    EXPECT_ERROR(CsrMatrix::fromArrays(4, data, data, indptr), "indices is 1 x 3");
    EXPECT_ERROR(CsrMatrix::fromArrays(4, data, indices, Mat()), "indptr is empty");
    const Mat falling = (Mat_<int>(1, 4) << 0, 9, 2, 3);
    EXPECT_ERROR(CsrMatrix::fromArrays(4, data, indices, falling), "offsets fall after row 1");
}

TEST(Multimatch_Similarity, kernel_is_as_stated)
{
    NeighborGraph graph;
    graph.viewSizes = {2, 1};
    graph.distances =
        CsrMatrix::fromTriplets(3, 3, {0, 2, 1, 2}, {2, 0, 2, 1}, {1.f, 1.f, 2.f, 2.f});
    graph.ownDistance = {4.f, 4.f, std::numeric_limits<float>::infinity()};
    SimilarityParams params;
    params.rhoDen = 0.5f;
    params.cutoff = 0;
    // The lone point of view 1 takes the median of all: every bandwidth is 2.
    const CsrMatrix S = computeSimilarity(graph, params);
    EXPECT_NEAR(std::exp(-1. / 8), S.at(0, 2), 1e-6);
    EXPECT_NEAR(std::exp(-4. / 8), S.at(2, 1), 1e-6);
    EXPECT_TRUE(S.isSymmetric());
    params.weighted = true;
    EXPECT_NEAR(std::log(3.) * std::exp(-1. / 8), computeSimilarity(graph, params).at(0, 2), 1e-6);
    params.weighted = false;
    params.cutoff = 0.7f;
    EXPECT_EQ(2u, computeSimilarity(graph, params).nonZeros());
    params.cutoff = 1;
    EXPECT_ERROR(computeSimilarity(graph, params), "cutoff is 1");
    params = SimilarityParams();
    params.rhoDen = -1;
    EXPECT_ERROR(computeSimilarity(graph, params), "rhoDen is -1");
}

TEST(Multimatch_Similarity, equal_descriptors_in_a_view_do_not_cut_points_off)
{
    Mat a = (Mat_<float>(3, 2) << 0, 0, 0, 0, 10, 0), b = (Mat_<float>(2, 2) << 0.1f, 0, 10, 0.1f);
    const CsrMatrix S = computeSimilarity(findNeighbors(std::vector<Mat>{a, b}, 3));
    for (size_t e = 0; e < S.nonZeros(); ++e)
        EXPECT_TRUE(std::isfinite(S.values[e]));
    EXPECT_GT(S.at(0, 3), 0.f);
    EXPECT_GT(S.at(2, 4), 0.9f);
}

}} // namespace opencv_test
