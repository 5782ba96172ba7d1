// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_MATCH_SHAPES_PAGE_HPP
#define MULTIMATCH_SAMPLES_MATCH_SHAPES_PAGE_HPP

#include "colors.hpp"

/** @brief Writes an HTML page that shows the shapes side by side and turns them with the mouse
(WebGL). It needs no network. The mouse over a point shows its track on all shapes.
@param file *.html; appears under its name only when it is complete
@param names of the shapes
@param found shapes and tracks
@param colors of the shapes
@param rotation of the view at the beginning */
void writeShapesPage(const std::string& file, const std::vector<std::string>& names,
                     const cv::multimatch::shapes::ShapeTracks& found,
                     const std::vector<ShapeColors>& colors, const cv::Matx33d& rotation);

#endif
