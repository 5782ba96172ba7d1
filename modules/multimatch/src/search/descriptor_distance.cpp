// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "descriptor_distance.hpp"

#include "opencv2/core/hal/hal.hpp"
#include "opencv2/core/hal/intrin.hpp"

namespace cv { namespace multimatch {

namespace {

int squaredDistance(const uchar* a, const uchar* b, int width)
{
    int squared = 0, c = 0;
#if CV_SIMD128
    v_int32x4 sums = v_setzero_s32();
    for (; c + 16 <= width; c += 16)
    {
        v_uint16x8 low, high;
        v_expand(v_absdiff(v_load(a + c), v_load(b + c)), low, high);
        const v_int16x8 x = v_reinterpret_as_s16(low), y = v_reinterpret_as_s16(high);
        sums = v_dotprod(x, x, v_dotprod(y, y, sums));
    }
    squared = v_reduce_sum(sums);
#endif
    for (; c < width; ++c)
        squared += (a[c] - b[c]) * (a[c] - b[c]);
    return squared;
}

} // namespace

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
    return std::sqrt(static_cast<float>(squaredDistance(a, b, width)));
}

}} // namespace cv::multimatch
