#!/usr/bin/env bash
# Usage: scripts/check_sanitizers.sh [SECONDS]
#
# Builds the library and its unit tests with AddressSanitizer and UndefinedBehaviorSanitizer (in build/fuzz, with Clang, together with
# the fuzz targets) and runs all unit tests, then each fuzz target for SECONDS (15); builds them with ThreadSanitizer (in build/tsan)
# and runs the unit tests that use threads. Exit code 1: something was found; 2: Clang is missing. JOBS: parallel compilers.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=${JOBS:-$(nproc)}
status=0

echo "== fuzz targets"
"$root/scripts/fuzz.sh" "${1:-15}" || status=$?
[ $status -ne 2 ] || exit 2

echo "== unit tests with AddressSanitizer and UndefinedBehaviorSanitizer"
cmake --build "$root/build/fuzz" --parallel "$jobs" --target opencv_test_multimatch >"$root/build/fuzz/tests.log" ||
    { tail -30 "$root/build/fuzz/tests.log" >&2; exit 1; }
# OpenCV is not instrumented, so the checks of containers that it changes would be wrong; what it keeps until the end is no leak of ours.
ASAN_OPTIONS=detect_container_overflow=0:allocator_may_return_null=1 LSAN_OPTIONS=suppressions=$root/test/lsan.txt \
    "$root/build/fuzz/bin/opencv_test_multimatch" --gtest_brief=1 || status=1

echo "== unit tests that use threads with ThreadSanitizer"
launcher=()
! command -v ccache >/dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
cmake -G Ninja -S "$root" -B "$root/build/tsan" "${launcher[@]}" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -DMULTIMATCH_SANITIZE_THREAD=ON -DMULTIMATCH_BUILD_TESTS=ON \
    -DMULTIMATCH_BUILD_SAMPLES=OFF -DMULTIMATCH_BUILD_BENCHMARKS=OFF -DMULTIMATCH_BUILD_PYTHON=OFF >/dev/null
cmake --build "$root/build/tsan" --parallel "$jobs" --target opencv_test_multimatch >"$root/build/tsan/build.log" ||
    { tail -30 "$root/build/tsan/build.log" >&2; exit 1; }
TSAN_OPTIONS=halt_on_error=1:suppressions=$root/test/tsan.txt "$root/build/tsan/bin/opencv_test_multimatch" --gtest_brief=1 \
    --gtest_filter='Multimatch_Load.*:*thread*:*Invariance*:*any_order*' || status=1
exit $status
