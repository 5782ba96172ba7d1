// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_REFINEMENT_HPP
#define OPENCV_MULTIMATCH_SRC_REFINEMENT_HPP

#include "appearance.hpp"
#include "confidence.hpp"
#include "run_control.hpp"

namespace cv { namespace multimatch {

/** Weighs every point against the tracks it could belong to, several times: tracks grow, are searched for where geometry expects
them, and are cleaned. labels are replaced; returns the probability of each membership.
@param appearance NULL: nothing but the similarities is known, no guided search
@param minConfidence calibrated; the lower, the more unlikely memberships are kept that change nothing about the others */
std::vector<float> refineTracks(Confidence& confidence, const Appearance* appearance,
                                float minConfidence, std::vector<int>& labels, RunControl& control);

}} // namespace cv::multimatch

#endif
