// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_SEARCH_MUTUAL_NEAREST_HPP
#define OPENCV_MULTIMATCH_SRC_SEARCH_MUTUAL_NEAREST_HPP

#include "../precomp.hpp"

namespace cv { namespace multimatch {

//! The nearest stored neighbor of a point in one view, and the distance of the second nearest.
struct Closest
{
    int point;
    float distance;
    float secondDistance; //!< +inf: none
};

/** Nearest and second nearest among the entries of one view, which begin at e; e is moved behind
them.
@param view per point its view
@param end of the row */
Closest closestInView(const CsrMatrix& D, const std::vector<int>& view, size_t& e, size_t end);

/** Mutual nearest neighbors with ratio test (1: none) from a graph of at least two neighbors per
point and view. A row of the graph holds the point's own two nearest and, perhaps, points that chose
it: the two smallest are its two nearest in any case. */
CsrMatrix mutualNearest(const NeighborGraph& graph, float ratio);

}} // namespace cv::multimatch

#endif
