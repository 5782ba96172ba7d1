// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_FILES_HPP
#define MULTIMATCH_SAMPLES_FILES_HPP

#include "opencv2/multimatch/detail/new_file.hpp"

#include <string>
#include <vector>

namespace samples {

using cv::multimatch::detail::NewFile;

//! True if the name has this ending, case-insensitive.
bool hasEnding(const std::string& name, const std::string& ending);

//! Part after the last slash.
std::string baseName(const std::string& path);

//! Part before the last slash; "." without a slash.
std::string folderOf(const std::string& path);

//! Natural order: "img2" before "img10", digits compare as numbers.
bool naturalLess(const std::string& a, const std::string& b);

/** @brief Lists image files.
@param what a folder, a pattern with * and ?, an image file, or a text file with one path per line
(relative to that file; # begins a comment)
@return names in natural order, or in the order of the text file
Throws std::invalid_argument with a message for the user if nothing is found. */
std::vector<std::string> listImages(const std::string& what);

/** @brief Lists meshes: *.off, *.ply and *.obj.
@param what a folder, a pattern with * and ?, or a mesh
@return names in natural order. Throws std::invalid_argument as listImages() does. */
std::vector<std::string> listMeshes(const std::string& what);

} // namespace samples

#endif
