// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_MATCH_GRAPH_HPP
#define OPENCV_MULTIMATCH_SRC_MATCH_GRAPH_HPP

#include "input.hpp"
#include "parameters.hpp"
#include "run_control.hpp"

#include "opencv2/multimatch/peers.hpp"

namespace cv { namespace multimatch {

/* Pairwise matches of all views are one symmetric m x m matrix without entries inside a view. A
stored entry is a match; its value is a DMatch distance, of which 0 is as good as any. */

/** Mutual nearest neighbors with ratio test (1: none) from a graph of at least two neighbors per
point and view. A row of the graph holds the point's own two nearest and, perhaps, points that chose
it: the two smallest are its two nearest in any case. */
CsrMatrix mutualNearest(const NeighborGraph& graph, float ratio);

//! Linear assignment of each pair of views by distance, see Pairwise. Stops between pairs when
//! cancelled.
CsrMatrix assignedPairs(const MultiMatcher::Input& input, const PairwiseParams& params,
                        RunControl& control);

/** The matches that synchronization starts from, with all values 1: assignedPairs() where the
problem is complete, else mutual nearest neighbors with ratio test. */
CsrMatrix startingMatches(const MultiMatcher::Input& input, int universeSize, float ratio,
                          RunControl& control);

//! All views have universeSize points.
bool isComplete(const std::vector<int>& viewSizes, int universeSize);

//! The matrix without its entries of 0 and less.
CsrMatrix positiveEntries(const CsrMatrix& similarity);

//! Per point its connected component; -1 in components with two points of one view.
std::vector<int> consistentComponents(const CsrMatrix& matches, const std::vector<int>& viewSizes);

//! Joins along the matches, smallest distance first, as greedyLabels() does along similarities.
std::vector<int> nearestFirstLabels(const CsrMatrix& matches, const std::vector<int>& viewSizes);

//! The matches of the given pairs of views (N x 2, canonical) in the caller's order.
std::vector<PairMatches> toPairMatches(const CsrMatrix& matches, const MultiMatcher::Input& input,
                                       const Mat& pairs);

/** Input without features, for given matches: views and points stay in the caller's order, all
pairs. Throws unless similarity is as UnionFind::solve asks. */
MultiMatcher::Input inputOfSimilarity(const std::vector<int>& viewSizes,
                                      const CsrMatrix& similarity);

//! d as given, 0: twice the mean size of a view; never more than there are points.
int universeSizeOrDefault(int given, const MultiMatcher::Input& input);

//! Per canonical view its number in the caller's order.
std::vector<int> callerViews(const MultiMatcher::Input& input);

//! All pairs of k views.
Mat allPairs(int k);

}} // namespace cv::multimatch

#endif
