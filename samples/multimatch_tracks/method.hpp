// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_TRACKS_METHOD_HPP
#define MULTIMATCH_TRACKS_METHOD_HPP

#include "arguments.hpp"

#include "opencv2/multimatch.hpp"

//! Adds --method and the parameters of all methods to a command line.
void declareMethodOptions(samples::Arguments& arguments);

//! Parameters of the geometric verification. Throws samples::ArgumentError.
cv::multimatch::VerificationParams verificationParams(const samples::Arguments& arguments);

/** Creates the matcher of the command line. Parameters that are not given keep the defaults of the
library.
Throws samples::ArgumentError if the method is unknown or does not use a given parameter. */
cv::Ptr<cv::multimatch::MultiMatcher> createMatcher(const samples::Arguments& arguments);

#endif
