// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_SUMMARY_HPP
#define MULTIMATCH_SAMPLES_SUMMARY_HPP

#include "opencv2/multimatch/tracks.hpp"

#include <string>
#include <utility>
#include <vector>

namespace samples {

//! Tables on the standard output.

//! Stages of a program and their seconds, in the order of execution.
typedef std::vector<std::pair<std::string, double>> StageTimes;

//! Adds the stages of a matcher's report.
void appendStages(StageTimes& times, const cv::multimatch::MatchReport& report);

//! Views, key points, tracks, mean length and confidence.
void printCounts(const cv::multimatch::TrackStatistics& statistics);

//! Histogram of track lengths; large lengths share a bin. One column of numbers and bars per set of
//! tracks.
void printLengths(const std::vector<std::string>& names,
                  const std::vector<cv::multimatch::TrackStatistics>& statistics);

void printTimes(const StageTimes& times);

} // namespace samples

#endif
