// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_TEST_MULTIMATCH_PRECOMP_HPP
#define OPENCV_TEST_MULTIMATCH_PRECOMP_HPP

#include "opencv2/core.hpp"
#include "opencv2/core/utility.hpp"
#include "opencv2/multimatch.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

// Inside an OpenCV tree the tests run under opencv_ts; elsewhere under plain GoogleTest. This file
// is the only one in which they differ.
#if defined(__OPENCV_BUILD)
#include "opencv2/ts.hpp"
#define SKIP_TEST(reason) throw SkipTestException(reason)
#else
#include <gtest/gtest.h>
#define SKIP_TEST(reason) GTEST_SKIP() << (reason)
namespace opencv_test {
using namespace cv;
}
#ifndef INSTANTIATE_TEST_CASE_P
#define INSTANTIATE_TEST_CASE_P INSTANTIATE_TEST_SUITE_P
#endif
#endif

#endif
