// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SFM_MODEL_FILES_HPP
#define MULTIMATCH_SFM_MODEL_FILES_HPP

#include "reconstruction.hpp"

#include <string>

//! Color of each track's point, BGR: the mean over the pictures that can be read by the views' names; gray without any.
std::vector<cv::Vec3b> pointColors(const Reconstruction& scene);

//! Points, and cameras as red pyramids, as a .ply file.
void writePly(const std::string& file, const Reconstruction& scene,
              const std::vector<cv::Vec3b>& colors);

//! The scene from the front and from above, as one picture.
cv::Mat drawScene(const Reconstruction& scene, const std::vector<cv::Vec3b>& colors);

#endif
