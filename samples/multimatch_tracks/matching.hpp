// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_TRACKS_MATCHING_HPP
#define MULTIMATCH_TRACKS_MATCHING_HPP

#include "options.hpp"
#include "view_reader.hpp"

//! Result of matching: tracks, or the raw pairwise matches with --raw.
struct Matched
{
    cv::multimatch::Tracks tracks;
    std::vector<cv::multimatch::PairMatches> pairs; //!< matches of the tracks, or raw matches
    std::vector<cv::multimatch::PairReport>
        reports; //!< of the pairs of views with matches; with --report and --pair-report
};

//! Reads key points and the chosen pairs' matches of a COLMAP database or of hloc's files.
Views readDatabase(const Options& options, std::vector<cv::multimatch::PairMatches>& matches);

/** @brief Matches the views.
@param given matches read from a file; empty: matches are computed
@param progress as for cv::multimatch::MultiMatcher
Throws samples::ArgumentError if focal lengths are required and missing. */
Matched matchViews(const Options& options, const Views& views,
                   const std::vector<cv::multimatch::PairMatches>& given,
                   const cv::multimatch::ProgressCallback& progress);

#endif
