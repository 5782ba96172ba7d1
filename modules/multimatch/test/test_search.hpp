// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_TEST_MULTIMATCH_SEARCH_HPP
#define OPENCV_TEST_MULTIMATCH_SEARCH_HPP

#include "test_problems.hpp"

#include "opencv2/multimatch/detail/kernels.hpp"

#include <cstdlib>

namespace opencv_test {

using namespace cv::multimatch;

inline int defaultNorm(const std::vector<Mat>& descriptors)
{
    return descriptors[0].type() == CV_8U ? NORM_HAMMING : NORM_L2;
}

//! Searches with the named kernels while it exists.
struct WithKernels
{
    explicit WithKernels(const String& name) { set(name.c_str()); }
    ~WithKernels() { set(""); }

    static void set(const char* name)
    {
#ifdef _WIN32
        _putenv_s("OPENCV_MULTIMATCH_KERNELS", name);
#else
        setenv("OPENCV_MULTIMATCH_KERNELS", name, 1);
#endif
    }
};

inline void expectEqual(const NeighborGraph& a, const NeighborGraph& b)
{
    EXPECT_EQ(a.ownDistance, b.ownDistance);
    EXPECT_EQ(a.distances.offsets, b.distances.offsets);
    EXPECT_EQ(a.distances.columns, b.distances.columns);
    EXPECT_EQ(a.distances.values, b.distances.values);
}

} // namespace opencv_test

#endif
