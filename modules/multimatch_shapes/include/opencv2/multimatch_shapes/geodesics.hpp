// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SHAPES_GEODESICS_HPP
#define OPENCV_MULTIMATCH_SHAPES_GEODESICS_HPP

#include "opencv2/multimatch_shapes/mesh.hpp"

namespace cv { namespace multimatch { namespace shapes {

/** @brief Approximate geodesic distances on a mesh.

Shortest paths along the edges and along the diagonals of each two neighboring triangles, unfolded
into a plane, where the diagonal lies inside them. Distances are 1 to 2 % too long on meshes of
usual triangles. Cost of one source: about 4 ms for 16,000 vertices.

Threads: any number of threads may use one object at once. */
class Geodesics
{
public:
    //! @param mesh must pass checkMesh()
    explicit Geodesics(const Mesh& mesh);

    //! Number of vertices of the mesh.
    int vertexCount() const { return static_cast<int>(offsets_.size()) - 1; }

    /** @brief Distances from vertices to all vertices.
    @param sources vertex indices
    @return sources x vertices CV_32F, in the unit of the coordinates
    Throws cv::Exception on an index out of range. */
    Mat distancesFrom(const std::vector<int>& sources) const;

    /** @brief Farthest point sampling: each point is the vertex that is farthest from all points
    before it.
    @param count number of points, from 1 to the number of vertices
    @param first the vertex to begin at; the first point is the vertex farthest from it
    @param distances if not NULL: count x vertices CV_32F, the distances from each point to all
    vertices
    @return vertex indices */
    std::vector<int> farthestPoints(int count, int first, Mat* distances = NULL) const;

private:
    void distancesFrom(int source, float* distances) const;
    void checkVertex(int vertex) const;

    // Neighbors of each vertex, in compressed rows.
    std::vector<size_t> offsets_;
    std::vector<int> neighbors_;
    std::vector<float> lengths_;
};

}}} // namespace cv::multimatch::shapes

#endif
