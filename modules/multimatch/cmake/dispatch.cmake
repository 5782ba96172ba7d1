# What OpenCV's ocv_add_dispatched_file does in its own tree, for a build against an installed OpenCV:
#   multimatch_add_dispatched_file(SOURCES FILE MODE...)
# compiles src/FILE.simd.hpp once for each instruction set that the compiler has for this processor, appends the files to SOURCES and writes
# FILE.simd_declarations.hpp. Modes are called as in OpenCV.
include(CheckCXXSourceCompiles)

set(multimatch_gnu_flags_AVX2 -mavx2 -mfma -mpopcnt)
set(multimatch_gnu_flags_AVX512_ICL -mavx512f -mavx512cd -mavx512bw -mavx512dq -mavx512vl -mavx512vnni
    -mavx512vpopcntdq -mavx512bitalg -mfma -mpopcnt)
set(multimatch_gnu_flags_NEON_DOTPROD -march=armv8.2-a+dotprod)
set(multimatch_msvc_flags_AVX2 /arch:AVX2)
set(multimatch_msvc_flags_AVX512_ICL /arch:AVX512)
set(multimatch_probe_AVX2 "#include <immintrin.h>
int main() { return _mm256_extract_epi16(_mm256_madd_epi16(_mm256_set1_epi16(0), _mm256_set1_epi16(1)), 0); }")
set(multimatch_probe_AVX512_ICL "#include <immintrin.h>
int main() {
  const __m512i x = _mm512_popcnt_epi32(_mm512_setzero_si512());
  return _mm512_reduce_add_epi32(_mm512_dpbusd_epi32(x, x, x)); }")
set(multimatch_probe_NEON_DOTPROD "#include <arm_neon.h>
int main() { return vaddvq_u32(vdotq_u32(vdupq_n_u32(0), vdupq_n_u8(0), vdupq_n_u8(1))); }")
# More than the mode itself implies: what the compiler may use with these flags.
set(multimatch_support_AVX2
    "(cv::checkHardwareSupport(CV_CPU_AVX2) && cv::checkHardwareSupport(CV_CPU_FMA3) && cv::checkHardwareSupport(CV_CPU_POPCNT))")
set(multimatch_support_AVX512_ICL "(cv::checkHardwareSupport(CV_CPU_AVX512_ICL))")

set(multimatch_support_NEON_DOTPROD "(cv::multimatch::hasNeonDotProduct())")

function(multimatch_add_dispatched_file sources file)
  set(added ${${sources}})
  set(declarations "#define CV_CPU_OPTIMIZATION_DECLARATIONS_ONLY
#undef CV_CPU_OPTIMIZATION_NAMESPACE_BEGIN
")
  if(MSVC)
    set(compiler msvc)
  else()
    set(compiler gnu)
  endif()
  foreach(mode ${ARGN})
    set(flags ${multimatch_${compiler}_flags_${mode}})
    list(JOIN flags " " CMAKE_REQUIRED_FLAGS)
    check_cxx_source_compiles("${multimatch_probe_${mode}}" MULTIMATCH_COMPILES_${mode})
    if(NOT MULTIMATCH_COMPILES_${mode})
      continue()
    endif()
    string(TOLOWER "${file}.${mode}.cpp" name)
    set(generated "${CMAKE_CURRENT_BINARY_DIR}/${name}")
    file(CONFIGURE OUTPUT "${generated}" CONTENT "#define CV_${mode} 1
#define CV_CPU_OPTIMIZATION_NAMESPACE_BEGIN namespace opt_${mode} {
#define CV_CPU_OPTIMIZATION_NAMESPACE_END }
#include \"${CMAKE_CURRENT_SOURCE_DIR}/src/${file}.simd.hpp\"
")
    set_source_files_properties("${generated}" PROPERTIES COMPILE_OPTIONS "${flags}")
    list(APPEND added "${generated}")
    string(APPEND declarations "#define CV_TRY_${mode} 1
#define CV_CPU_HAS_SUPPORT_${mode} ${multimatch_support_${mode}}
#define CV_CPU_OPTIMIZATION_NAMESPACE_BEGIN namespace opt_${mode} {
#include \"${CMAKE_CURRENT_SOURCE_DIR}/src/${file}.simd.hpp\"
#undef CV_CPU_OPTIMIZATION_NAMESPACE_BEGIN
")
  endforeach()
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${file}.simd_declarations.hpp" CONTENT "${declarations}")
  set(${sources} ${added} PARENT_SCOPE)
endfunction()
