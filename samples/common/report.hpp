// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_REPORT_HPP
#define MULTIMATCH_SAMPLES_REPORT_HPP

#include "summary.hpp"

#include "opencv2/multimatch/io.hpp"

namespace samples {

/** Writes a page that shows tracks in a browser, without any network: the pictures with the points of the longest tracks, each with its
track in all other views when the mouse is over it, histograms of lengths and confidences, the graph of views, and how long each
stage took.
@param file *.html; appears when it is complete
@param views names, sizes and key points
@param thumbnails a small picture per view, put into the page; empty Mats are shown gray
@param tracks to be shown
@param times stages of the program */
void writeReport(const std::string& file, const std::vector<cv::multimatch::ViewInfo>& views,
                 const std::vector<cv::Mat>& thumbnails, const cv::multimatch::Tracks& tracks,
                 const StageTimes& times);

} // namespace samples

#endif
