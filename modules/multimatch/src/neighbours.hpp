// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_NEIGHBOURS_HPP
#define OPENCV_MULTIMATCH_SRC_NEIGHBOURS_HPP

#include "run_control.hpp"

namespace cv { namespace multimatch {

/** findNeighbours on checked descriptors (one type and width; empty Mats for empty views), with progress. A cancelled search
returns the neighbours of the pairs compared so far. */
NeighbourGraph neighbourGraph(const std::vector<Mat>& descriptors,
                              const std::vector<int>& viewSizes, int k, const Mat& pairs,
                              RunControl& control);

}} // namespace cv::multimatch

#endif
