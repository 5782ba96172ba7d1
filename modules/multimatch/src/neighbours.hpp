// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_NEIGHBOURS_HPP
#define OPENCV_MULTIMATCH_SRC_NEIGHBOURS_HPP

#include "input.hpp"
#include "run_control.hpp"

namespace cv { namespace multimatch {

/** findNeighbours on checked features, with progress. A cancelled search returns the neighbours of the pairs compared
so far. */
NeighbourGraph neighbourGraph(const MultiMatcher::Input& input, int k, RunControl& control);

//! Bytes that neighbourGraph() holds at most beside the input.
double searchBytes(const MultiMatcher::Input& input, int k);

//! Throws where so many bytes are more than the budget.
void checkBudget(const MultiMatcher::Input& input, double bytes);

}} // namespace cv::multimatch

#endif
