// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_DRAW_CANVAS_HPP
#define OPENCV_MULTIMATCH_SRC_DRAW_CANVAS_HPP

#include "../precomp.hpp"

namespace cv { namespace multimatch {

/** One color (BGR) per track id. Hues a golden ratio apart differ as much as they can whatever ids
are drawn; three saturations in turn separate neighbors on the circle of hues. */
std::vector<Vec3b> trackColors(const std::vector<int>& ids);

//! Antialiased disc. center: in pixels, may lie outside of the canvas (CV_8UC3).
void blendDisc(Mat& canvas, const Point2d& center, double radius, const Vec3b& color,
               double opacity);

//! Antialiased line that is faint in its middle. Its ends may lie outside of the canvas (CV_8UC3).
void blendLine(Mat& canvas, Point2d from, Point2d to, double width, const Vec3b& color,
               double opacity);

}} // namespace cv::multimatch

#endif
