// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_REPORT_HPP
#define MULTIMATCH_SAMPLES_REPORT_HPP

#include "summary.hpp"

#include "opencv2/multimatch/io.hpp"
#include "opencv2/multimatch/pair_report.hpp"

namespace samples {

/** @brief Writes an HTML page that shows tracks in a browser. The page needs no network.

It shows the images with the points of the longest tracks, histograms of track lengths and
confidences, the graph of the views and the time of each stage. The mouse over a point highlights
its track in all views.
@param file *.html; written under another name and renamed when complete
@param views names, sizes and key points
@param thumbnails small images of the views, embedded in the page; an empty Mat is shown as gray
@param tracks tracks of the views
@param times seconds of the stages
@param reports pairs of views; their edges in the graph are colored by score, and the most suspect
are listed */
void writeReport(const std::string& file, const std::vector<cv::multimatch::ViewInfo>& views,
                 const std::vector<cv::Mat>& thumbnails, const cv::multimatch::Tracks& tracks,
                 const StageTimes& times,
                 const std::vector<cv::multimatch::PairReport>& reports =
                     std::vector<cv::multimatch::PairReport>());

} // namespace samples

#endif
