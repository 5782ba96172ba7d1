// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_IO_TRACK_TEXT_HPP
#define OPENCV_MULTIMATCH_SRC_IO_TRACK_TEXT_HPP

#include "../precomp.hpp"

#include "opencv2/multimatch/io.hpp"

namespace cv { namespace multimatch {

/* Tables with a row per observation, as CSV. */
void writeTracksCsv(const String& filename, const std::vector<ViewInfo>& views,
                    const Tracks& tracks);
Tracks readTracksCsv(const String& filename, std::vector<ViewInfo>& views);

}} // namespace cv::multimatch

#endif
