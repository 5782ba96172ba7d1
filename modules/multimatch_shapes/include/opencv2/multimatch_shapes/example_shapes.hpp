// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SHAPES_EXAMPLE_SHAPES_HPP
#define OPENCV_MULTIMATCH_SHAPES_EXAMPLE_SHAPES_HPP

#include "opencv2/multimatch_shapes/mesh.hpp"

namespace cv { namespace multimatch { namespace shapes {

/** @brief A creature with a head, a tail and four legs, for demonstrations and tests.
@param pose 0: upright and mirror symmetric, with x pointing to its left; others: bent and twisted
with swung legs, by this seed
@param level subdivisions of an icosahedron, 1 to 7; 10 * 4^level + 2 vertices
The same vertex is the same point in all poses. */
Mesh exampleShape(int pose, int level = 4);

//! Per vertex of exampleShape() the vertex on the other side, left or right, of the same place.
std::vector<int> exampleMirror(int level = 4);

}}} // namespace cv::multimatch::shapes

#endif
