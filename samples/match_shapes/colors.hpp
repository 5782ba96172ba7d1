// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_MATCH_SHAPES_COLORS_HPP
#define MULTIMATCH_SAMPLES_MATCH_SHAPES_COLORS_HPP

#include "opencv2/multimatch_shapes.hpp"

//! Colors of one shape, red first.
struct ShapeColors
{
    std::vector<cv::Vec3b> vertices; //!< of the track of the nearest point that has one
    std::vector<cv::Vec3b> points;   //!< of each point's track; those without one are gray
};

/** Colors of all shapes. A track has one color on all of them: the place of its point on the first
shape that has it, as red, green and blue. */
std::vector<ShapeColors> colorShapes(const cv::multimatch::shapes::ShapeTracks& found);

#endif
