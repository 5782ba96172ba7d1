// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_TRACKS_METHOD_HPP
#define MULTIMATCH_TRACKS_METHOD_HPP

#include "arguments.hpp"

#include "opencv2/multimatch.hpp"

//! Adds --method and the parameters of all methods to a command line.
void declareMethodOptions(samples::Arguments& arguments);

//! How pairs of images are verified. Throws samples::ArgumentError.
cv::multimatch::VerificationParams verificationParams(const samples::Arguments& arguments);

/** The matcher that the command line asks for. Parameters not given keep the library's defaults.
Throws samples::ArgumentError where the method is unknown or a parameter belongs to another one. */
cv::Ptr<cv::multimatch::MultiMatcher> createMatcher(const samples::Arguments& arguments);

#endif
