// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_IMAGE_FILE_HPP
#define MULTIMATCH_SAMPLES_IMAGE_FILE_HPP

#include "opencv2/core.hpp"

#include <string>
#include <vector>

namespace samples {

/** @brief Writes an image file, which appears under its name only when it is complete.
@param name its ending decides the format
@param image as cv::imwrite takes it
@param settings as cv::imwrite takes them
Throws std::runtime_error where it cannot be written; cv::imwrite would not notice a full disk. */
void writeImage(const std::string& name, const cv::Mat& image,
                const std::vector<int>& settings = std::vector<int>());

} // namespace samples

#endif
