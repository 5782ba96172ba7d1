// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../precomp.hpp"

#include "opencv2/multimatch/detail/kernels.hpp"

// Inside of OpenCV's build cv_cpu_dispatch.h defines these macros. In a build against an installed
// OpenCV they are defined here and by cmake/dispatch.cmake.
#ifndef CV_CPU_OPTIMIZATION_NAMESPACE_BEGIN
#define CV_CPU_OPTIMIZATION_NAMESPACE_BEGIN namespace cpu_baseline {
#define CV_CPU_OPTIMIZATION_NAMESPACE_END }
#endif

// The kernels of the instruction sets that this file may use anyway, then the declarations of those
// that are chosen at run time.
#include "descriptor_kernels.simd.hpp"
#include "neon_dot_product.hpp"
#include "search/descriptor_kernels.simd_declarations.hpp"

#include <cstdlib>

namespace cv { namespace multimatch {

//! Whether an ARM processor has dot products of bytes. OpenCV detects this from version 4.8 on.
inline bool hasNeonDotProduct()
{
#if defined CV_CPU_NEON_DOTPROD
    return checkHardwareSupport(CV_CPU_NEON_DOTPROD);
#else
    return useOptimized() && processorHasNeonDotProduct();
#endif
}

namespace {

//! Fastest first.
std::vector<DescriptorKernels> availableKernels()
{
    std::vector<DescriptorKernels> kernels;
#if CV_TRY_AVX512_ICL && !CV_CPU_FORCE_AVX512_ICL
    if (CV_CPU_HAS_SUPPORT_AVX512_ICL)
        kernels.push_back(opt_AVX512_ICL::getDescriptorKernels());
#endif
#if CV_TRY_AVX2 && !CV_CPU_FORCE_AVX2
    if (CV_CPU_HAS_SUPPORT_AVX2)
        kernels.push_back(opt_AVX2::getDescriptorKernels());
#endif
#if defined CV_TRY_NEON_DOTPROD && CV_TRY_NEON_DOTPROD && !CV_CPU_FORCE_NEON_DOTPROD
    if (CV_CPU_HAS_SUPPORT_NEON_DOTPROD)
        kernels.push_back(opt_NEON_DOTPROD::getDescriptorKernels());
#endif
    kernels.push_back(cpu_baseline::getDescriptorKernels());
    return kernels;
}

} // namespace

DescriptorKernels descriptorKernels()
{
    const std::vector<DescriptorKernels> available = availableKernels();
    const char* wanted = std::getenv("OPENCV_MULTIMATCH_KERNELS");
    if (!wanted || !*wanted)
        return available[0];
    String names;
    for (size_t n = 0; n < available.size(); ++n)
    {
        if (wanted == String(available[n].name))
            return available[n];
        names += String(n > 0 ? ", " : "") + available[n].name;
    }
    CV_Error_(Error::StsBadArg,
              ("OPENCV_MULTIMATCH_KERNELS is %s, expected one of %s", wanted, names.c_str()));
}

std::vector<String> detail::kernelNames()
{
    std::vector<String> names;
    for (const DescriptorKernels& kernels : availableKernels())
        names.push_back(kernels.name);
    return names;
}

}} // namespace cv::multimatch
