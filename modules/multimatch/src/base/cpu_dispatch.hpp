// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_BASE_CPU_DISPATCH_HPP
#define OPENCV_MULTIMATCH_SRC_BASE_CPU_DISPATCH_HPP

#include "../precomp.hpp"

// Inside of OpenCV's build cv_cpu_dispatch.h defines these macros. This is what they are in a build against an installed OpenCV;
// cmake/dispatch.cmake writes the rest.

#ifndef CV_CPU_OPTIMIZATION_NAMESPACE_BEGIN
#define CV_CPU_OPTIMIZATION_NAMESPACE_BEGIN namespace cpu_baseline {
#define CV_CPU_OPTIMIZATION_NAMESPACE_END }
#endif

#if defined __aarch64__ && defined __linux__
#include <sys/auxv.h>
#endif

namespace cv { namespace multimatch {

//! Whether an ARM processor has dot products of bytes. OpenCV knows from version 4.8 on.
inline bool hasNeonDotProduct()
{
#if defined CV_CPU_NEON_DOTPROD
    return checkHardwareSupport(CV_CPU_NEON_DOTPROD);
#elif defined __aarch64__ && defined __linux__
    const unsigned long ASIMDDP = 1ul << 20; // HWCAP_ASIMDDP, which older headers do not have
    return useOptimized() && (getauxval(AT_HWCAP) & ASIMDDP) != 0;
#else
    return false;
#endif
}

}} // namespace cv::multimatch

#endif
