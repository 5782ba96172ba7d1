// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_DETAIL_KERNELS_HPP
#define OPENCV_MULTIMATCH_DETAIL_KERNELS_HPP

#include "opencv2/core.hpp"

namespace cv { namespace multimatch { namespace detail {

//! @addtogroup multimatch
//! @{

/** @brief Names of the kernels of the descriptor search that this processor can run, fastest first.

All of them find the same neighbors. The first one is taken, unless the environment variable
OPENCV_MULTIMATCH_KERNELS names another one: tests loop over them with it. It is read whenever a
search begins, which throws cv::Exception where it has another value. As everywhere in OpenCV,
cv::setUseOptimized(false) allows the last one only, and OPENCV_CPU_DISABLE excludes instruction
sets. */
CV_EXPORTS std::vector<String> kernelNames();

//! @}

}}} // namespace cv::multimatch::detail

#endif
