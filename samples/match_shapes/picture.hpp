// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_MATCH_SHAPES_PICTURE_HPP
#define MULTIMATCH_SAMPLES_MATCH_SHAPES_PICTURE_HPP

#include "colors.hpp"

//! The direction of a view: rows of the result are right, up and toward the eye.
cv::Matx33d viewRotation(char up, double azimuth, double elevation);

/** @brief Draws all shapes side by side, each point as a dot in the color of its track.
@param found shapes and tracks
@param colors of the shapes
@param rotation of the view
@return BGR picture */
cv::Mat drawShapes(const cv::multimatch::shapes::ShapeTracks& found,
                   const std::vector<ShapeColors>& colors, const cv::Matx33d& rotation);

#endif
