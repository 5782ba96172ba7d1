// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_TEST_MULTIMATCH_SHAPES_MESHES_HPP
#define OPENCV_TEST_MULTIMATCH_SHAPES_MESHES_HPP

#include "test_precomp.hpp"

#include "opencv2/multimatch_shapes.hpp"

namespace opencv_test {

using namespace cv::multimatch;
using namespace cv::multimatch::shapes;

//! Two triangles for each square of a grid of n x n squares of size 1.
inline Mesh gridMesh(int n)
{
    Mesh mesh;
    for (int y = 0; y <= n; ++y)
        for (int x = 0; x <= n; ++x)
            mesh.vertices.push_back(Vec3d(x, y, 0));
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x)
        {
            const int a = y * (n + 1) + x, b = a + 1, c = a + n + 1, d = c + 1;
            // Diagonals in alternating directions.
            if ((x + y) % 2)
                mesh.faces.insert(mesh.faces.end(), {Vec3i(a, b, d), Vec3i(a, d, c)});
            else
                mesh.faces.insert(mesh.faces.end(), {Vec3i(a, b, c), Vec3i(b, d, c)});
        }
    return mesh;
}

//! A sphere of radius 1 with rings x sectors quadrilaterals, cut into triangles.
inline Mesh sphereMesh(int rings, int sectors)
{
    Mesh mesh;
    mesh.vertices.push_back(Vec3d(0, 0, 1));
    for (int r = 1; r < rings; ++r)
        for (int s = 0; s < sectors; ++s)
        {
            const double polar = CV_PI * r / rings, around = 2 * CV_PI * s / sectors;
            mesh.vertices.push_back(Vec3d(std::sin(polar) * std::cos(around),
                                          std::sin(polar) * std::sin(around), std::cos(polar)));
        }
    const int last = static_cast<int>(mesh.vertices.size());
    mesh.vertices.push_back(Vec3d(0, 0, -1));
    for (int s = 0; s < sectors; ++s)
    {
        const int t = (s + 1) % sectors;
        mesh.faces.push_back(Vec3i(0, 1 + s, 1 + t));
        for (int r = 0; r + 2 < rings; ++r)
        {
            const int a = 1 + r * sectors, b = a + sectors;
            mesh.faces.push_back(Vec3i(a + s, b + s, b + t));
            mesh.faces.push_back(Vec3i(a + s, b + t, a + t));
        }
        const int a = 1 + (rings - 2) * sectors;
        mesh.faces.push_back(Vec3i(a + s, last, a + t));
    }
    return mesh;
}

//! A tetrahedron, the smallest closed mesh.
inline Mesh tetrahedron()
{
    Mesh mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.faces = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    return mesh;
}

//! The message of what is thrown; empty: nothing.
template<typename Body>
std::string messageOf(const Body& body)
{
    try
    {
        body();
    }
    catch (const cv::Exception& e)
    {
        return e.err;
    }
    return std::string();
}

} // namespace opencv_test

#endif
