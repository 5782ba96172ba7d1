// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_TRACKS_PARTS_HPP
#define MULTIMATCH_TRACKS_PARTS_HPP

#include "opencv2/multimatch.hpp"

#include <string>
#include <vector>

//! Bytes of a text such as 4G, 500M or 1e9. Throws samples::ArgumentError where it is none.
double parseBytes(const std::string& option, const std::string& text);

/** @brief Matches a collection in parts that each need little memory, and merges their tracks.

Views are divided into blocks of consecutive ones. Each two blocks between which pairs of views are
compared form a part. There are as few blocks as the budget allows.
@param matcher HiPPI or another one; its pairs and budget are replaced
@param pairs N x 2 CV_32S; empty: all
@param bytes that matching one part may need beside the features
Throws samples::ArgumentError where two images need more. */
cv::multimatch::Tracks matchInParts(cv::multimatch::MultiMatcher& matcher,
                                    const std::vector<std::vector<cv::KeyPoint>>& keypoints,
                                    const std::vector<cv::Mat>& descriptors, const cv::Mat& pairs,
                                    double bytes);

#endif
