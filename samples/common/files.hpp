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

//! Does the name end with this, in any case of letters?
bool hasEnding(const std::string& name, const std::string& ending);

//! Part behind the last slash.
std::string baseName(const std::string& path);

//! Part before the last slash; "." where there is none.
std::string folderOf(const std::string& path);

//! "img2" before "img10": digits compare as numbers.
bool naturalLess(const std::string& a, const std::string& b);

/** Image files by folder, pattern with * and ?, image file, or text file with one path a line (relative to that file; # begins a
comment). In natural order, except for a text file, whose order is kept.
Throws std::invalid_argument with a sentence for the user where there is nothing of that kind. */
std::vector<std::string> listImages(const std::string& what);

} // namespace samples

#endif
