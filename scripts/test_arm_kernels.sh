#!/usr/bin/env bash
# Usage: scripts/test_arm_kernels.sh
#
# Compiles the kernels of the descriptor search for 64-bit ARM and runs their test in an emulated processor: NEON alone, and
# with dot products, which it has to detect. Compiles also the file that chooses the kernels, where OpenCV is installed.
# Exit code 2 without g++-aarch64-linux-gnu or qemu-user.
set -euo pipefail

if [ $# -gt 0 ]; then
    sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    [ "$1" = --help ] || [ "$1" = -h ]
    exit
fi
compiler=aarch64-linux-gnu-g++
emulator=
for candidate in qemu-aarch64 qemu-aarch64-static; do
    if command -v "$candidate" >/dev/null; then
        emulator=$candidate
        break
    fi
done
if ! command -v "$compiler" >/dev/null || [ -z "$emulator" ]; then
    echo "There is no $compiler or no qemu-aarch64: the ARM kernels are not tested." >&2
    exit 2
fi
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/../test/kernels" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compile=("$compiler" -std=c++11 -O2 -Wall -Wextra -Wshadow -Werror)
"${compile[@]}" -c "$folder/kernels_of_mode.cpp" -DKERNELS_NAMESPACE=kernels_first -march=armv8-a \
    -o "$work/first.o"
"${compile[@]}" -c "$folder/kernels_of_mode.cpp" -DKERNELS_NAMESPACE=kernels_second -march=armv8.2-a+dotprod \
    -o "$work/second.o"
"${compile[@]}" -static "$folder/test_kernels.cpp" "$work/first.o" "$work/second.o" -o "$work/test"
"$emulator" -cpu cortex-a53 "$work/test" NEON # which has no dot products
"$emulator" -cpu max "$work/test" NEON NEON_DOTPROD

# With the declarations that cmake/dispatch.cmake would write for ARM.
pkg-config --exists opencv4 2>/dev/null || exit 0
source=$(cd "$folder/../../modules/multimatch" && pwd)
mkdir "$work/search"
cat >"$work/search/descriptor_kernels.simd_declarations.hpp" <<END
#define CV_CPU_OPTIMIZATION_DECLARATIONS_ONLY
#undef CV_CPU_OPTIMIZATION_NAMESPACE_BEGIN
#define CV_TRY_NEON_DOTPROD 1
#define CV_CPU_HAS_SUPPORT_NEON_DOTPROD (cv::multimatch::hasNeonDotProduct())
#define CV_CPU_OPTIMIZATION_NAMESPACE_BEGIN namespace opt_NEON_DOTPROD {
#include "$source/src/search/descriptor_kernels.simd.hpp"
#undef CV_CPU_OPTIMIZATION_NAMESPACE_BEGIN
END
read -ra headers < <(pkg-config --cflags opencv4 eigen3 | sed 's/-I/-isystem /g')
"${compile[@]}" -c "$source/src/search/descriptor_kernels.dispatch.cpp" -I"$work" -I"$source/include" "${headers[@]}" \
    -isystem "/usr/include/$(uname -m)-linux-gnu/opencv4" -o "$work/dispatch.o"
echo "the file that chooses the kernels compiles"
