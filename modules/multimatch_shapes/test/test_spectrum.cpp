// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_meshes.hpp"

namespace opencv_test { namespace {

//! Laplacian of the unit sphere: eigenvalues l (l + 1), 2 l + 1 times each.
TEST(Shapes_Spectrum, eigenvalues_of_the_sphere)
{
    const Spectrum spectrum = laplaceSpectrum(sphereMesh(40, 60), 16);
    int i = 0;
    for (int l = 0; l < 4; ++l)
        for (int m = 0; m < 2 * l + 1; ++m, ++i)
            EXPECT_NEAR(l * (l + 1), spectrum.eigenvalues.at<double>(i), 0.02 * l * (l + 1) + 1e-6)
                << i;
}

TEST(Shapes_Spectrum, eigenfunctions_are_orthonormal)
{
    const Spectrum spectrum = laplaceSpectrum(exampleShape(2, 3), 60);
    const Mat& phi = spectrum.eigenfunctions;
    Mat weighted = phi.clone();
    for (int v = 0; v < phi.rows; ++v)
        weighted.row(v) *= spectrum.mass.at<double>(v);
    const Mat gram = phi.t() * weighted;
    EXPECT_LT(norm(gram - Mat::eye(60, 60, CV_64F), NORM_INF), 1e-8);
    EXPECT_NEAR(surfaceArea(exampleShape(2, 3)), sum(spectrum.mass)[0], 1e-2);
}

TEST(Shapes_Spectrum, thin_triangles_give_no_negative_eigenvalue)
{
    Mesh mesh = gridMesh(8);
    for (Vec3d& vertex : mesh.vertices)
        vertex[1] *= 1e-5;
    const Spectrum spectrum = laplaceSpectrum(mesh, 10);
    EXPECT_GE(spectrum.eigenvalues.at<double>(0), 0);
    EXPECT_TRUE(checkRange(spectrum.eigenfunctions));
}

TEST(Shapes_Spectrum, signatures_do_not_depend_on_the_position)
{
    const Mesh mesh = exampleShape(1, 3);
    Mesh moved = mesh;
    for (Vec3d& vertex : moved.vertices)
        vertex = Vec3d(-vertex[1] + 5, vertex[0], vertex[2] - 2);
    const Spectrum one = laplaceSpectrum(mesh, 50), other = laplaceSpectrum(moved, 50);
    EXPECT_LT(norm(waveKernelSignature(one), waveKernelSignature(other), NORM_INF), 1e-7);
    const std::vector<double> times = {0.1, 1.};
    const Mat heat = heatKernelSignature(one, times);
    EXPECT_LT(norm(heat, heatKernelSignature(other, times), NORM_INF), 1e-7);
    // Both are densities: with the mass they add up to 1.
    for (int c = 0; c < heat.cols; ++c)
        EXPECT_NEAR(1, one.mass.dot(heat.col(c)), 1e-6);
}

TEST(Shapes_Spectrum, refuses_bad_arguments)
{
    EXPECT_NE(std::string::npos,
              messageOf([]() { laplaceSpectrum(tetrahedron(), 4); }).find("expected 2 to 3"));
    const Spectrum spectrum = laplaceSpectrum(gridMesh(4), 6);
    EXPECT_NE("", messageOf([&]() { waveKernelSignature(spectrum, 1); }));
    EXPECT_NE("", messageOf([&]() { heatKernelSignature(spectrum, {0.}); }));
    EXPECT_NE("", messageOf([&]() { waveKernelSignature(Spectrum()); }));
}

TEST(Shapes_Geodesics, distances_in_a_plane)
{
    const int n = 20;
    const Mesh mesh = gridMesh(n);
    const Geodesics geodesics(mesh);
    const Mat distances = geodesics.distancesFrom({0, 7 * (n + 1) + 5});
    for (int s = 0; s < 2; ++s)
        for (int v = 0; v < geodesics.vertexCount(); ++v)
        {
            const double right = norm(mesh.vertices[v] - mesh.vertices[s ? 7 * (n + 1) + 5 : 0]);
            EXPECT_GE(distances.at<float>(s, v), right * (1 - 1e-5));
            EXPECT_LE(distances.at<float>(s, v), right * 1.09 + 1e-5);
        }
}

TEST(Shapes_Geodesics, distances_on_a_sphere)
{
    const Mesh mesh = sphereMesh(40, 60);
    const Mat distances = Geodesics(mesh).distancesFrom({0});
    double error = 0;
    for (int v = 1; v < distances.cols; ++v)
        error += std::abs(distances.at<float>(v) / std::acos(mesh.vertices[v][2]) - 1);
    EXPECT_LT(error / distances.cols, 0.02);
}

TEST(Shapes_Geodesics, farthest_points_are_spread)
{
    const Geodesics geodesics(exampleShape(0, 3));
    Mat distances;
    const std::vector<int> points = geodesics.farthestPoints(50, 3, &distances);
    ASSERT_EQ(50u, points.size());
    ASSERT_EQ(50, distances.rows);
    // Each point is as far from those before it as any vertex is.
    for (int p = 1; p < 50; ++p)
    {
        Mat nearest;
        reduce(distances.rowRange(0, p), nearest, 0, REDUCE_MIN);
        double farthest;
        minMaxLoc(nearest, NULL, &farthest);
        EXPECT_EQ(static_cast<float>(farthest), nearest.at<float>(points[p]));
    }
    EXPECT_NE("", messageOf([&]() { geodesics.farthestPoints(5, -1); }));
    EXPECT_NE("", messageOf([&]() { geodesics.farthestPoints(100000, 0); }));
    EXPECT_NE("", messageOf([&]() { geodesics.distancesFrom({642}); }));
}

}} // namespace opencv_test::
