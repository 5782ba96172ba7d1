// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_PAIR_MATCHING_HPP
#define MULTIMATCH_SAMPLES_PAIR_MATCHING_HPP

#include "opencv2/multimatch/pair_matches.hpp"

namespace samples {

/** @brief Mutual nearest neighbors of pairs of views.
@param descriptors one Mat per view, as for cv::multimatch::findNeighbors
@param ratio of the ratio test, applied in both directions; 1: no ratio test
@param pairs pairs of views, N x 2 CV_32S; empty: all */
std::vector<cv::multimatch::PairMatches> mutualMatches(const std::vector<cv::Mat>& descriptors,
                                                       double ratio,
                                                       const cv::Mat& pairs = cv::Mat());

/** @brief Inliers of the fundamental matrix of each pair of views, estimated with RANSAC.
@param maxError inlier threshold in pixels
Pairs of views with fewer than 16 inliers get no matches. */
std::vector<cv::multimatch::PairMatches>
verifiedMatches(const std::vector<cv::multimatch::PairMatches>& matches,
                const std::vector<std::vector<cv::KeyPoint>>& keypoints, double maxError);

} // namespace samples

#endif
