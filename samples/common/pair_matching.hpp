// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_PAIR_MATCHING_HPP
#define MULTIMATCH_SAMPLES_PAIR_MATCHING_HPP

#include "opencv2/multimatch/pair_matches.hpp"

namespace samples {

/** @brief Mutual nearest neighbors of pairs of views.
@param descriptors as cv::multimatch::findNeighbors takes them, a Mat a view
@param ratio the nearest must be closer than this times the second nearest, from both sides; 1: no such test
@param pairs of views, N x 2 CV_32S; empty: all */
std::vector<cv::multimatch::PairMatches> mutualMatches(const std::vector<cv::Mat>& descriptors,
                                                       double ratio,
                                                       const cv::Mat& pairs = cv::Mat());

/** @brief Matches that agree with the fundamental matrix of their pair of views, by RANSAC.
@param maxError px
Pairs of views with fewer than 16 matches that agree are left empty. */
std::vector<cv::multimatch::PairMatches>
verifiedMatches(const std::vector<cv::multimatch::PairMatches>& matches,
                const std::vector<std::vector<cv::KeyPoint>>& keypoints, double maxError);

} // namespace samples

#endif
