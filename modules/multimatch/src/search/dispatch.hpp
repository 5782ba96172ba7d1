// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_SEARCH_DISPATCH_HPP
#define OPENCV_MULTIMATCH_SRC_SEARCH_DISPATCH_HPP

#include "descriptor_kernels.hpp"

namespace cv { namespace multimatch {

/** The fastest kernels that the processor can run and OpenCV's options allow, or those that the environment variable OPENCV_MULTIMATCH_KERNELS
names; see opencv2/multimatch/detail/kernels.hpp. */
DescriptorKernels descriptorKernels();

}} // namespace cv::multimatch

#endif
