// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

#include <Eigen/Dense>

namespace opencv_test { namespace {

using namespace cv::multimatch;

Mat randomPoints(int n, int dimension, unsigned seed)
{
    Mat x(n, dimension, CV_32F);
    RNG rng(seed);
    rng.fill(x, RNG::UNIFORM, 0, 100);
    return x;
}

//! The definition, all pairs.
Mat plainAdjacency(const Mat& x, double mu, double tolerance)
{
    std::vector<double> nearest;
    for (int p = 0; p < x.rows; ++p)
    {
        double best = std::numeric_limits<double>::infinity();
        for (int q = 0; q < x.rows; ++q)
        {
            const double distance = cv::norm(x.row(p), x.row(q));
            if (distance > 0)
                best = std::min(best, distance);
        }
        nearest.push_back(best);
    }
    std::sort(nearest.begin(), nearest.end());
    const double sigma = nearest[nearest.size() / 2];
    Mat_<float> A(x.rows, x.rows);
    for (int p = 0; p < x.rows; ++p)
        for (int q = 0; q < x.rows; ++q)
        {
            const double distance = cv::norm(x.row(p), x.row(q));
            const double value = std::exp(-distance * distance / (2 * mu * sigma * sigma));
            A(p, q) = value >= tolerance ? static_cast<float>(value) : 0.f;
        }
    return std::move(A);
}

TEST(Multimatch_Adjacency, equals_all_pairs)
{
    for (int dimension = 2; dimension <= 3; ++dimension)
    {
        std::vector<Mat> views = {randomPoints(60, dimension, 1), Mat(),
                                  randomPoints(1, dimension, 2), randomPoints(81, dimension, 3)};
        AdjacencyParams params;
        params.mu = 3;
        params.tolerance = 1e-4f;
        const Adjacency A = computeAdjacency(views, params);
        A.weights.validate("A");
        EXPECT_TRUE(A.phases.empty());
        const Mat dense = A.weights.toDense();
        ASSERT_EQ(142, dense.rows);
        EXPECT_LE(cv::norm(dense(Rect(0, 0, 60, 60)), plainAdjacency(views[0], 3, 1e-4), NORM_INF),
                  2e-4);
        EXPECT_LE(
            cv::norm(dense(Rect(61, 61, 81, 81)), plainAdjacency(views[3], 3, 1e-4), NORM_INF),
            2e-4);
        EXPECT_EQ(0, countNonZero(dense(Rect(60, 0, 82, 60)))) << "views are not apart";
        EXPECT_EQ(1.f, dense.at<float>(60, 60));
    }
}

TEST(Multimatch_Adjacency, points_at_one_place)
{
    Mat x = randomPoints(30, 2, 5);
    for (int p = 20; p < 30; ++p)
        x.row(p - 20).copyTo(x.row(p));
    const Adjacency A = computeAdjacency(std::vector<Mat>{x});
    EXPECT_FLOAT_EQ(1.f, A.weights.at(3, 23));
    EXPECT_LE(cv::norm(A.weights.toDense(), plainAdjacency(x, 10, 1e-6), NORM_INF), 1e-4);
    const Adjacency all = computeAdjacency(std::vector<Mat>{Mat::zeros(4, 2, CV_32F)});
    EXPECT_EQ(16u, all.weights.nonZeros());
}

//! Also where more points lie at one place than neighbors are kept.
TEST(Multimatch_Adjacency, diagonal_is_one)
{
    Mat x = randomPoints(40, 2, 3);
    for (int p = 10; p < 30; ++p)
        x.row(5).copyTo(x.row(p));
    AdjacencyParams params;
    params.maxNeighbors = 4;
    const Adjacency A = computeAdjacency(std::vector<Mat>(2, x), params);
    for (int p = 0; p < A.weights.rows; ++p)
        EXPECT_EQ(1.f, A.weights.at(p, p)) << p;
}

TEST(Multimatch_Adjacency, is_positive_semidefinite)
{
    AdjacencyParams params;
    params.directional = 1;
    const Mat x = randomPoints(80, 2, 9);
    const Adjacency A = computeAdjacency(std::vector<Mat>{x}, params);
    ASSERT_EQ(2u, A.phases.size());
    for (size_t c = 0; c < 2; ++c)
    {
        Eigen::MatrixXcd H(80, 80);
        for (int p = 0; p < 80; ++p)
            for (int q = 0; q < 80; ++q)
            {
                const Complexf a = A.phases[c][p], b = A.phases[c][q];
                EXPECT_NEAR(1., a.re * a.re + a.im * a.im, 1e-5);
                H(p, q) = static_cast<double>(A.weights.at(p, q)) *
                          std::complex<double>(a.re, a.im) *
                          std::conj(std::complex<double>(b.re, b.im));
            }
        EXPECT_LE((H - H.adjoint()).norm(), 1e-6);
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd> solver(H);
        EXPECT_GE(solver.eigenvalues().minCoeff(), -1e-4);
    }
}

TEST(Multimatch_Adjacency, limited_neighbors_stay_symmetric)
{
    AdjacencyParams params;
    params.maxNeighbors = 5;
    const Adjacency A = computeAdjacency(std::vector<Mat>{randomPoints(90, 2, 4)}, params);
    EXPECT_TRUE(A.weights.isSymmetric());
    for (int p = 0; p < 90; ++p)
        EXPECT_GE(A.weights.offsets[p + 1] - A.weights.offsets[p], 6u);
    EXPECT_LE(A.weights.nonZeros(), 90u * 11u);
}

TEST(Multimatch_Adjacency, distances_given_by_the_caller)
{
    const Mat x = randomPoints(40, 2, 8);
    Mat distances(40, 40, CV_64F);
    for (int p = 0; p < 40; ++p)
        for (int q = 0; q < 40; ++q)
            distances.at<double>(p, q) = cv::norm(x.row(p), x.row(q));
    AdjacencyParams params;
    const Adjacency A = adjacencyFromDistances(std::vector<Mat>{distances, Mat()}, params);
    EXPECT_LE(cv::norm(A.weights.toDense(), plainAdjacency(x, 10, 1e-6), NORM_INF), 1e-4);
    distances.at<double>(3, 5) = std::numeric_limits<double>::infinity();
    EXPECT_ERROR(adjacencyFromDistances(std::vector<Mat>{distances}, params), "distances[0]");
    distances.at<double>(5, 3) = std::numeric_limits<double>::infinity();
    EXPECT_EQ(0.f, adjacencyFromDistances(std::vector<Mat>{distances}, params).weights.at(3, 5));
    params.directional = 1;
    EXPECT_ERROR(adjacencyFromDistances(std::vector<Mat>{distances}, params), "directional is 1");
}

TEST(Multimatch_Adjacency, bad_parameters_are_named)
{
    AdjacencyParams params;
    params.mu = -1;
    EXPECT_ERROR(computeAdjacency(std::vector<Mat>{randomPoints(3, 2, 1)}, params), "mu is -1");
    params = AdjacencyParams();
    params.tolerance = 0;
    EXPECT_ERROR(computeAdjacency(std::vector<Mat>{randomPoints(3, 2, 1)}, params),
                 "tolerance is 0");
}

TEST(Multimatch_Sparse, triplets_dense_and_permutation)
{
    const CsrMatrix a =
        CsrMatrix::fromTriplets(3, 3, {2, 0, 2, 2}, {1, 2, 0, 1}, {1.f, 5.f, 3.f, 0.5f});
    a.validate("a");
    EXPECT_EQ(3u, a.nonZeros());
    EXPECT_EQ(1.5f, a.at(2, 1));
    EXPECT_EQ(0.f, a.at(1, 1));
    EXPECT_FALSE(a.isSymmetric());
    const CsrMatrix b = CsrMatrix::fromDense(a.toDense());
    EXPECT_EQ(a.columns, b.columns);
    EXPECT_EQ(a.values, b.values);
    const CsrMatrix moved = a.permuted({1, 2, 0});
    moved.validate("moved");
    EXPECT_EQ(1.5f, moved.at(0, 2));
    EXPECT_EQ(5.f, moved.at(1, 0));
    EXPECT_EQ(3.f, moved.at(0, 1));
    EXPECT_ERROR(CsrMatrix::fromTriplets(2, 2, {2}, {0}, {1.f}), "triplet 0 is at (2, 0)");
    CsrMatrix bad = a;
    bad.columns[0] = 7;
    EXPECT_ERROR(bad.validate("bad"), "bad: column 7 in row 0");
}

}} // namespace opencv_test
