// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_MATCHERS_MATCH_GRAPH_HPP
#define OPENCV_MULTIMATCH_SRC_MATCHERS_MATCH_GRAPH_HPP

#include "../base/parameters.hpp"
#include "../base/run_control.hpp"
#include "../input/input.hpp"

#include "opencv2/multimatch/peers.hpp"

namespace cv { namespace multimatch {

/* Pairwise matches of all views are one symmetric m x m matrix without entries inside a view. A
stored entry is a match; its value is a DMatch distance, which may be 0. */

//! A match between points numbered inside their two views.
struct LocalMatch
{
    int first, second;
    float distance;

    LocalMatch(int first_, int second_, float distance_)
        : first(first_), second(second_), distance(distance_)
    {
    }
};

//! The matrix of the matches of each pair of views. pairs: N x 2, canonical; each pair of points at
//! most once.
CsrMatrix matchMatrix(const MultiMatcher::Input& input, const Mat& pairs,
                      const std::vector<std::vector<LocalMatch>>& matches);

//! Linear assignment of each pair of views by distance, see Pairwise. Stops between pairs when
//! canceled.
CsrMatrix assignedPairs(const MultiMatcher::Input& input, const PairwiseParams& params,
                        RunControl& control);

/** The matches that synchronization starts from, with all values 1: assignedPairs() where the
problem is complete, else mutual nearest neighbors with ratio test. */
CsrMatrix startingMatches(const MultiMatcher::Input& input, int universeSize, float ratio,
                          RunControl& control);

//! The matrix without its entries of 0 and less.
CsrMatrix positiveEntries(const CsrMatrix& similarity);

//! Per point its connected component; -1 in components with two points of one view.
std::vector<int> consistentComponents(const CsrMatrix& matches, const std::vector<int>& viewSizes);

//! The matches of the given pairs of views (N x 2, canonical) in the caller's order.
std::vector<PairMatches> toPairMatches(const CsrMatrix& matches, const MultiMatcher::Input& input,
                                       const Mat& pairs);

/** d as given, or as the UniverseSize says; never more than there are points.
similarity: the matches that UNIVERSE_FROM_SPECTRUM is estimated from. */
int universeSizeOrDefault(int given, const MultiMatcher::Input& input, const CsrMatrix& similarity);

//! Throws, naming the parameter, where it is neither a number of points nor a UniverseSize.
void checkUniverseSize(const char* name, int universeSize);

}} // namespace cv::multimatch

#endif
