// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_SEARCH_PAIR_EDGES_HPP
#define OPENCV_MULTIMATCH_SRC_SEARCH_PAIR_EDGES_HPP

#include "view_comparison.hpp"

namespace cv { namespace multimatch {

/** Neighbors of two views, the k nearest in both directions: distances by points of the first view
(rows) and of the second (columns). */
CsrMatrix edgesOf(const ViewComparison& comparison, const DescriptorScores& scores, int k);

/** Symmetric matrix over all points from the edges of each pair (N x 2, ascending, first < second).
Edges are released as soon as both of their views are complete, so that lists and matrix are not in
memory together. */
CsrMatrix symmetricFromPairs(const std::vector<int>& viewSizes, const Mat& pairs,
                             std::vector<CsrMatrix>& edges, RunControl& control);

//! Largest number of neighbors that k nearest ones in both directions can give all pairs.
double maxPairEdges(const std::vector<int>& viewSizes, const Mat& pairs, int k);

/** Upper bound of the bytes of edges and matrix, where every point has k neighbors of its own in
every view.
@param viewSizes, pairs, k the search
@param searching bytes of the search itself, which are in memory together with the edges but not
with the matrix */
double pairEdgesBytes(const std::vector<int>& viewSizes, const Mat& pairs, int k, double searching);

}} // namespace cv::multimatch

#endif
