// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_SIMILARITY_WEIGHTS_HPP
#define OPENCV_MULTIMATCH_SRC_SIMILARITY_WEIGHTS_HPP

#include "../base/run_control.hpp"

namespace cv { namespace multimatch {

//! W = I + beta D^-1/2 S D^-1/2 (D the row sums of S) or W = I + S.
CsrMatrix withSelfWeight(const CsrMatrix& S, int normalization, float beta);

//! The limit largest entries of each row, those of equal value, and what keeps the matrix
//! symmetric.
CsrMatrix strongestEntries(const CsrMatrix& S, int limit, RunControl& control);

CsrMatrix identityMatrix(int rows);

/** S_pq (S_pq + sum over r of S_pr S_rq): entries that are confirmed by third points get larger.
Same pattern as S. Cost: for every entry the lengths of its two rows. */
CsrMatrix confirmedSimilarity(const CsrMatrix& S);

/** Per point the similarity to its own track over that plus the similarity to the most similar
other track: the confidence where every point must have a track. 0 where it has none. */
std::vector<float> similarityShares(const CsrMatrix& S, const std::vector<int>& labels);

//! Pairs of views with at least one entry of S, N x 2 CV_32S, ascending: the compared ones where
//! matches are given.
Mat matchedPairs(const CsrMatrix& S, const std::vector<int>& viewSizes);

/** Views of d points each, compared in full: S is 1 where the linear assignment of the two views on
squared descriptor distance puts two points together. */
CsrMatrix pairwiseAssignments(const NeighborGraph& graph, const Mat& pairs);

}} // namespace cv::multimatch

#endif
