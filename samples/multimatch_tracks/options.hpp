// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_TRACKS_OPTIONS_HPP
#define MULTIMATCH_TRACKS_OPTIONS_HPP

#include "features.hpp"
#include "pairs.hpp"

#include "opencv2/multimatch.hpp"

#include <string>
#include <vector>

//! Everything the command line says.
struct Options
{
    std::vector<std::string> images; //!< files in the order of the views; empty with a video
    std::string video;
    int step = 1;
    int maxFrames = 0;
    samples::FeatureParams features;
    PairChoice pairs;
    cv::Ptr<cv::multimatch::MultiMatcher> matcher;
    int minLength = 2;
    float minConfidence = 0.f;
    int threads = -1; //!< -1: all
    std::vector<std::string> outputs;
    std::string draw; //!< empty: no picture
    bool quiet = false;

    bool help = false;    //!< print helpText and stop
    bool version = false; //!< print the version and stop
    std::string helpText;
};

/** Throws samples::ArgumentError or std::invalid_argument with a sentence for the user, before any work, on
everything that can be known to be wrong. */
Options parseOptions(int argc, const char* const* argv);

#endif
