// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SHAPES_SRC_EDGES_HPP
#define OPENCV_MULTIMATCH_SHAPES_SRC_EDGES_HPP

#include "opencv2/multimatch_shapes/mesh.hpp"

namespace cv { namespace multimatch { namespace shapes {

//! An edge of a face, in the direction in which the face has it.
struct HalfEdge
{
    int from, to;
    int opposite; //!< the third vertex of the face
    int face;

    int low() const { return std::min(from, to); }
    int high() const { return std::max(from, to); }
    bool sameEdge(const HalfEdge& other) const
    {
        return low() == other.low() && high() == other.high();
    }
};

//! All half edges; those of one edge stand together, ordered by face.
std::vector<HalfEdge> sortedHalfEdges(const Mesh& mesh);

//! Calls body(first, second) for each two half edges of one edge; on a checked mesh there are no
//! more.
template<typename Body>
void forInteriorEdges(const std::vector<HalfEdge>& edges, const Body& body)
{
    for (size_t e = 0; e + 1 < edges.size(); ++e)
        if (edges[e].sameEdge(edges[e + 1]))
            body(edges[e], edges[e + 1]);
}

double faceArea(const Mesh& mesh, const Vec3i& face);

}}} // namespace cv::multimatch::shapes

#endif
