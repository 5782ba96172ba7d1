// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_TRACKS_MATCHING_HPP
#define MULTIMATCH_TRACKS_MATCHING_HPP

#include "options.hpp"
#include "view_reader.hpp"

//! What matching gives: tracks, or with --raw the matches of pairs as they are.
struct Matched
{
    cv::multimatch::Tracks tracks;
    std::vector<cv::multimatch::PairMatches> pairs; //!< those of the tracks, or the raw ones
};

//! Key points of a database of COLMAP as views, and its matches.
Views readDatabase(const Options& options, std::vector<cv::multimatch::PairMatches>& matches);

/** Matches as the options say. given: matches of others, not empty where they were read instead of made.
progress: as cv::multimatch::MultiMatcher takes it. Throws samples::ArgumentError where focal lengths are missing. */
Matched matchViews(const Options& options, const Views& views,
                   const std::vector<cv::multimatch::PairMatches>& given,
                   const cv::multimatch::ProgressCallback& progress);

#endif
