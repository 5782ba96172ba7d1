// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_SEARCH_CELL_SEARCH_HPP
#define OPENCV_MULTIMATCH_SRC_SEARCH_CELL_SEARCH_HPP

#include "../base/run_control.hpp"
#include "../input/input.hpp"

namespace cv { namespace multimatch {

/** Neighbors between views by one index over all: descriptors are sorted into cells around learned
words, and cells compared with themselves and the cells nearest to them. Symmetric; rows hold at
most k points of a view that are nearest to the row's own point, and points that have the row's
point among their own nearest. */
CsrMatrix neighborsByCells(const MultiMatcher::Input& input, int k, double shareBefore,
                           RunControl& control);

//! Upper bound of the bytes that it allocates beside the input.
double cellSearchBytes(int points, const std::vector<Mat>& descriptors);

}} // namespace cv::multimatch

#endif
