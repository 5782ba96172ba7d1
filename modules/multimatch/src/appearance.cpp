// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "appearance.hpp"

#include "opencv2/core/hal/hal.hpp"

namespace cv { namespace multimatch {

Appearance::Appearance(const std::vector<Mat>& descriptors, int normType,
                       const std::vector<float>& bandwidths)
    : type_(CV_32F), normType_(normType), width_(0), bandwidth_(bandwidths)
{
    for (size_t v = 0; v < descriptors.size(); ++v)
        for (int r = 0; r < descriptors[v].rows; ++r)
        {
            rows_.push_back(descriptors[v].ptr(r));
            type_ = descriptors[v].type();
            width_ = descriptors[v].cols;
        }
}

float Appearance::squaredDistance(const uchar* a, const uchar* b) const
{
    if (type_ == CV_32F)
        return hal::normL2Sqr_(reinterpret_cast<const float*>(a), reinterpret_cast<const float*>(b),
                               width_);
    if (normType_ == NORM_HAMMING)
    {
        const float bits = static_cast<float>(hal::normHamming(a, b, width_));
        return bits * bits;
    }
    int squared = 0;
    for (int c = 0; c < width_; ++c)
        squared += (a[c] - b[c]) * (a[c] - b[c]);
    return static_cast<float>(squared);
}

float Appearance::similarity(int p, int q) const
{
    const float squared =
        squaredDistance(rows_[static_cast<size_t>(p)], rows_[static_cast<size_t>(q)]);
    return descriptorKernel(squared, bandwidth_[static_cast<size_t>(p)],
                            bandwidth_[static_cast<size_t>(q)]);
}

}} // namespace cv::multimatch
