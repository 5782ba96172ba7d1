// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_PAIR_MATCHING_HPP
#define MULTIMATCH_BENCH_PAIR_MATCHING_HPP

#include "problem.hpp"

namespace bench {

/** @brief Mutual nearest neighbours of all pairs of views.
@param descriptors CV_32F, a Mat a view
@param ratio the nearest must be closer than this times the second nearest, from both sides; 1: no such test */
PairList mutualMatches(const std::vector<cv::Mat>& descriptors, double ratio);

/** @brief Matches that agree with the fundamental matrix of their pair of views, by RANSAC.
@param maxError px
Pairs of views with fewer than 16 matches that agree are left empty. */
PairList verifiedMatches(const PairList& matches, const KeyPoints& keypoints, double maxError);

} // namespace bench

#endif
