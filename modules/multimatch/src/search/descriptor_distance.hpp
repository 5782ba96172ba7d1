// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_SEARCH_DESCRIPTOR_DISTANCE_HPP
#define OPENCV_MULTIMATCH_SRC_SEARCH_DESCRIPTOR_DISTANCE_HPP

#include "../precomp.hpp"

namespace cv { namespace multimatch {

//! Distance of two descriptors. width: number of columns; depth: CV_32F or CV_8U; normType: NORM_L2
//! or NORM_HAMMING.
float descriptorDistance(const uchar* a, const uchar* b, int width, int depth, int normType);

}} // namespace cv::multimatch

#endif
