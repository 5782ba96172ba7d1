// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_GEOMETRY_VIEW_FRAMES_HPP
#define OPENCV_MULTIMATCH_SRC_GEOMETRY_VIEW_FRAMES_HPP

#include "../base/run_control.hpp"
#include "../input/input.hpp"

namespace cv { namespace multimatch {

/** Rotation and scale of each view against the others, from tentative tracks.

Two views that share tracks differ by a rotation: the difference of the key points' angles where
they have one, else of the directions from one shared point to the next. Scales likewise by sizes or
lengths. The views are put together along the pairs that agree best. Upright (no rotation) is kept
where it explains the tracks about as well; a view without agreement stays upright at scale 1.
@return empty where all views are taken as upright and of one scale
*/
std::vector<ViewFrame> estimateFrames(const MultiMatcher::Input& input,
                                      const std::vector<int>& labels,
                                      const std::vector<float>& confidence, RunControl& control);

}} // namespace cv::multimatch

#endif
