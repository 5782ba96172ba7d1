// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_CONFIDENCE_HPP
#define OPENCV_MULTIMATCH_SRC_CONFIDENCE_HPP

#include "precomp.hpp"

namespace cv { namespace multimatch {

std::vector<float> membershipConfidence(const CsrMatrix& similarity, const std::vector<int>& labels);

}} // namespace cv::multimatch

#endif
