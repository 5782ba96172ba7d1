// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_BASE_STATISTICS_HPP
#define OPENCV_MULTIMATCH_SRC_BASE_STATISTICS_HPP

#include "../precomp.hpp"

namespace cv { namespace multimatch {

const float LN2 = 0.69314718f; //!< the median of a Laplace density is its scale times this

//! The (upper) median; values must not be empty and are reordered.
template<typename T>
T medianOf(std::vector<T>& values)
{
    const typename std::vector<T>::iterator middle =
        values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}} // namespace cv::multimatch

#endif
