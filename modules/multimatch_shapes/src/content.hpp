// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SHAPES_SRC_CONTENT_HPP
#define OPENCV_MULTIMATCH_SHAPES_SRC_CONTENT_HPP

#include "opencv2/multimatch_shapes/mesh.hpp"

#include <cstring>

namespace cv { namespace multimatch { namespace shapes {

//! A number that depends on the coordinates and the seed alone: random choices then do not depend
//! on the order of the shapes.
inline uint64 contentNumber(const Mesh& mesh, int seed)
{
    uint64 number = 14695981039346656037ull + static_cast<uint64>(static_cast<unsigned>(seed));
    for (const Vec3d& vertex : mesh.vertices)
        for (int c = 0; c < 3; ++c)
        {
            uint64 bits = 0;
            const float value = static_cast<float>(vertex[c]);
            std::memcpy(&bits, &value, sizeof(value));
            number = (number ^ bits) * 1099511628211ull; // FNV-1a
        }
    return number ^ (number >> 29);
}

}}} // namespace cv::multimatch::shapes

#endif
