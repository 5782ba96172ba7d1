// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "descriptor_distance.hpp"

#include "opencv2/core/hal/hal.hpp"

namespace cv { namespace multimatch {

float descriptorDistance(const uchar* a, const uchar* b, int width, int depth, int normType)
{
    if (normType == NORM_HAMMING)
        return static_cast<float>(hal::normHamming(a, b, width));
    if (depth == CV_32F)
    {
        // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): rows of matrices of floats
        const float *x = reinterpret_cast<const float*>(a), *y = reinterpret_cast<const float*>(b);
        // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
        return std::sqrt(hal::normL2Sqr_(x, y, width));
    }
    int squared = 0;
    for (int c = 0; c < width; ++c)
        squared += (a[c] - b[c]) * (a[c] - b[c]);
    return std::sqrt(static_cast<float>(squared));
}

}} // namespace cv::multimatch
