// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_PERF_MULTIMATCH_PRECOMP_HPP
#define OPENCV_PERF_MULTIMATCH_PRECOMP_HPP

#include "opencv2/ts.hpp"

#include "opencv2/multimatch.hpp"
#include "opencv2/multimatch/detail/assignment.hpp"

namespace opencv_test {
using namespace perf;
}

#endif
