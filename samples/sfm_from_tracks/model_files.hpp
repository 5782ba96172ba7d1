// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SFM_MODEL_FILES_HPP
#define MULTIMATCH_SFM_MODEL_FILES_HPP

#include "reconstruction.hpp"

#include <string>

//! Color of the point of each track, BGR: the mean over the readable images of the views; gray if
//! there is none.
std::vector<cv::Vec3b> pointColors(const Reconstruction& scene);

//! Writes points, and cameras as red pyramids, to a .ply file.
void writePly(const std::string& file, const Reconstruction& scene,
              const std::vector<cv::Vec3b>& colors);

//! Picture of the scene from the front and from above.
cv::Mat drawScene(const Reconstruction& scene, const std::vector<cv::Vec3b>& colors);

#endif
