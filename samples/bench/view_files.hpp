// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_VIEW_FILES_HPP
#define MULTIMATCH_BENCH_VIEW_FILES_HPP

#include "problem.hpp"

namespace bench {

/** @brief Writes each view to view_NNNNN.npy in a folder, in the format that
cv2_multimatch.distributed reads.

A file is a one-dimensional NumPy array of records: x, y, size, angle (float32), label (int32, -1:
outlier), descriptor (bytes).
@param problem with key points, descriptors of type CV_8U and labels */
void writeViewFiles(const std::string& folder, const Problem& problem);

} // namespace bench

#endif
