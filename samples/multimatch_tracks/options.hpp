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

//! Options of the command line.
struct Options
{
    std::vector<std::string> images; //!< files in the order of the views; empty with a video
    std::string video;
    std::string database; //!< COLMAP database with key points and matches, used instead of images
    std::string hlocFeatures;  //!< features.h5 of hloc where database is its matches.h5; else empty
    bool verifiedInput = true; //!< use the verified matches of the database, not the raw ones
    double focalLength = 0;    //!< in pixels, of all images; 0: from EXIF data
    int step = 1;
    int maxFrames = 0;
    samples::FeatureParams features;
    PairChoice pairs;
    cv::Ptr<cv::multimatch::MultiMatcher> matcher;
    cv::multimatch::VerificationParams verification;
    bool verify = false; //!< geometric verification before and after the matcher
    bool raw = false;    //!< no tracks, only raw pairwise matches
    double ratio = 0.8;  //!< ratio test of the matches for verify and raw
    int minLength = 2;
    float minConfidence = 0.f;
    int threads = -1;  //!< -1: all
    std::string addTo; //!< tracks of a collection that grows; empty: none
    double memory = 0; //!< bytes that matching may need beside the features, 0: no limit
    std::vector<std::string> outputs;
    std::string draw;                                              //!< empty: no picture
    std::string colmap, colmapText, openmvg, opensfm, bal, report; //!< empty: not written
    std::string pairReport;                                        //!< likewise
    bool colmapFill = false, sharedCamera = false;
    bool force = false; //!< an existing database may be replaced
    bool quiet = false;

    bool help = false;    //!< print helpText and stop
    bool version = false; //!< print the version and stop
    std::string helpText;
};

/** Parses and checks the command line. Throws samples::ArgumentError or std::invalid_argument with
a message for the user. All errors that can be detected before the matching are reported here. */
Options parseOptions(int argc, const char* const* argv);

#endif
