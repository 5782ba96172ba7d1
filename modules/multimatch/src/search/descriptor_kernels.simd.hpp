// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// The kernels of one instruction set. OpenCV's dispatch compiles this file once for each of them;
// see descriptor_kernels.dispatch.cpp. Nothing of the standard library is used here: the linker
// might else take a function that was compiled for a processor that is not there.

#include "descriptor_kernels.hpp"

namespace cv { namespace multimatch {
CV_CPU_OPTIMIZATION_NAMESPACE_BEGIN

DescriptorKernels getDescriptorKernels();

CV_CPU_OPTIMIZATION_NAMESPACE_END
}} // namespace cv::multimatch

#ifndef CV_CPU_OPTIMIZATION_DECLARATIONS_ONLY

#if defined CV_AVX512_ICL && CV_AVX512_ICL
#include "kernels_avx512.hpp"
#elif defined CV_AVX2 && CV_AVX2
#include "kernels_avx2.hpp"
#elif defined __aarch64__ && defined __ARM_NEON
#include "kernels_neon.hpp"
#else
#include "kernels_plain.hpp"
#endif

#endif // CV_CPU_OPTIMIZATION_DECLARATIONS_ONLY
