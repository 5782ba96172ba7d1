// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_BASE_TRANSPOSED_UNION_HPP
#define OPENCV_MULTIMATCH_SRC_BASE_TRANSPOSED_UNION_HPP

#include "../precomp.hpp"

namespace cv { namespace multimatch {

/** The entries of A and of the transpose of B, columns ascending in each row. Where both have an
entry, their values must be equal, and it is stored once. Rows of A and B may be in any order. */
CsrMatrix uniteWithTransposed(const CsrMatrix& A, const CsrMatrix& B);

}} // namespace cv::multimatch

#endif
