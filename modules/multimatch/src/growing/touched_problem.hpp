// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_GROWING_TOUCHED_PROBLEM_HPP
#define OPENCV_MULTIMATCH_SRC_GROWING_TOUCHED_PROBLEM_HPP

#include "../base/run_control.hpp"

namespace cv { namespace multimatch {

//! New views and the views that they are compared with.
struct TouchedProblem
{
    std::vector<std::vector<KeyPoint>> keypoints;
    std::vector<Mat> descriptors;
    Mat pairs; //!< N x 2 CV_32S, the pairs to compare
    int normType;
    std::vector<std::vector<int>> tracks; //!< per view the present track of each point, -1: none
};

struct TouchedResult
{
    std::vector<std::vector<int>> labels;       //!< per view the track of each point, -1: none
    std::vector<std::vector<float>> confidence; //!< per view and point
    //! Per view and point the sum of the log-odds with those members of its track in views that it
    //! was compared with.
    std::vector<std::vector<float>> support;
};

/** Assigns points without a track to the tracks that there are, to each other, and joins tracks:
the sweep of the power iteration at the log-odds of the compared pairs, with the present tracks held
together. All present tracks are part of one label each; labels of single points are -1. The result
is empty where the callback returns false. */
TouchedResult solveTouched(const TouchedProblem& problem, const HiPPIParams& params,
                           RunControl& control);

}} // namespace cv::multimatch

#endif
