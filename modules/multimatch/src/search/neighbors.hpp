// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_SEARCH_NEIGHBORS_HPP
#define OPENCV_MULTIMATCH_SRC_SEARCH_NEIGHBORS_HPP

#include "../base/run_control.hpp"
#include "../input/input.hpp"

namespace cv { namespace multimatch {

/** findNeighbors on checked features, with progress. A cancelled search returns the neighbors of
the pairs compared so far. */
NeighborGraph neighborGraph(const MultiMatcher::Input& input, int k, RunControl& control);

//! Upper bound of the bytes that neighborGraph() allocates beside the input.
double searchBytes(const MultiMatcher::Input& input, int k);

/** Bytes that every run holds: the descriptors in canonical order and as the kernels take them,
lists and strips of each thread, positions and labels. searchBytes() contains them. */
double inputBytes(const MultiMatcher::Input& input);
//! Throws where bytes exceed the memory budget.
void checkBudget(const MultiMatcher::Input& input, double bytes);

}} // namespace cv::multimatch

#endif
