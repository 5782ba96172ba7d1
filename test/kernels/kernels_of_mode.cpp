// The kernels as the compiler's options allow them, in the namespace KERNELS_NAMESPACE.

#define CV_CPU_OPTIMIZATION_NAMESPACE_BEGIN namespace KERNELS_NAMESPACE {
#define CV_CPU_OPTIMIZATION_NAMESPACE_END }

#include "../../modules/multimatch/src/search/descriptor_kernels.simd.hpp"
