// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_SEARCH_NEON_DOT_PRODUCT_HPP
#define OPENCV_MULTIMATCH_SRC_SEARCH_NEON_DOT_PRODUCT_HPP

#if defined __aarch64__ && defined __linux__
#include <sys/auxv.h>
#endif

namespace cv { namespace multimatch {

//! Whether this is an ARM processor that has dot products of bytes, where the system says so.
inline bool processorHasNeonDotProduct()
{
#if defined __aarch64__ && defined __linux__
    const unsigned long ASIMDDP = 1ul << 20; // HWCAP_ASIMDDP, which older headers do not have
    return (getauxval(AT_HWCAP) & ASIMDDP) != 0;
#else
    return false;
#endif
}

}} // namespace cv::multimatch

#endif
