// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_BASE_STORAGE_FILE_HPP
#define OPENCV_MULTIMATCH_SRC_BASE_STORAGE_FILE_HPP

#include "../precomp.hpp"

namespace cv { namespace multimatch {

/** Opens a file of FileStorage to read. OpenCV's parsers (4.6) do not finish on some YAML files and
read invalid memory on some XML files that FileStorage itself never writes; these are refused before
they get there. Compressed files (*.gz) are not examined. Throws cv::Exception with the name of the
file. */
FileStorage openStorage(const String& filename);

}} // namespace cv::multimatch

#endif
