#!/usr/bin/env bash
# Usage: scripts/check_sanitizers.sh [SECONDS]
#
# Builds the library, its unit tests and the fuzz targets with AddressSanitizer and UndefinedBehaviorSanitizer (in build/fuzz, with
# Clang) and runs each fuzz target for SECONDS (15) and all unit tests; builds the library and the files of unit tests that use threads
# with ThreadSanitizer (in build/tsan) and runs those. Exit code 1: something was found; 2: Clang is missing. JOBS: parallel compilers.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=${JOBS:-$(nproc)}
status=0

# Runs the unit tests of a build folder in parallel parts and prints what fails.
run_tests() { # FOLDER [FILTER]
    local part parts=() code=0
    for ((part = 0; part < jobs; ++part)); do
        GTEST_TOTAL_SHARDS=$jobs GTEST_SHARD_INDEX=$part "$1/bin/opencv_test_multimatch" --gtest_brief=1 \
            --gtest_filter="${2:-*}" >"$1/tests_$part.log" 2>&1 &
        parts+=($!)
    done
    for ((part = 0; part < jobs; ++part)); do
        wait "${parts[part]}" || code=1
        cat "$1/tests_$part.log"
    done
    return $code
}

echo "== fuzz targets"
"$root/scripts/fuzz.sh" "${1:-15}" || status=$?
[ $status -ne 2 ] || exit 2

echo "== unit tests with AddressSanitizer and UndefinedBehaviorSanitizer"
cmake --build "$root/build/fuzz" --parallel "$jobs" --target opencv_test_multimatch >"$root/build/fuzz/tests.log" ||
    { tail -30 "$root/build/fuzz/tests.log" >&2; exit 1; }
# OpenCV is not instrumented, so the checks of containers that it changes would be wrong; what it keeps until the end is no leak of ours.
export ASAN_OPTIONS=detect_container_overflow=0:allocator_may_return_null=1 LSAN_OPTIONS=suppressions=$root/test/lsan.txt
run_tests "$root/build/fuzz" || status=1

echo "== unit tests that use threads with ThreadSanitizer"
threaded=(Multimatch_Load thread Invariance any_order) # parts of the names of such tests
mapfile -t files < <(cd "$root/modules/multimatch/test" && grep -lE "^TEST.*($(IFS='|' && echo "${threaded[*]}"))" ./*.cpp)
launcher=()
! command -v ccache >/dev/null || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
cmake -G Ninja -S "$root" -B "$root/build/tsan" "${launcher[@]}" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -DMULTIMATCH_SANITIZE_THREAD=ON -DMULTIMATCH_BUILD_TESTS=ON \
    -DMULTIMATCH_UNIT_TESTS="$(IFS=';' && echo "test_main.cpp;${files[*]#./}")" -DMULTIMATCH_BUILD_SAMPLES=OFF \
    -DMULTIMATCH_BUILD_BENCHMARKS=OFF -DMULTIMATCH_BUILD_PYTHON=OFF >/dev/null
cmake --build "$root/build/tsan" --parallel "$jobs" --target opencv_test_multimatch >"$root/build/tsan/build.log" ||
    { tail -30 "$root/build/tsan/build.log" >&2; exit 1; }
# ThreadSanitizer cannot see how the threads of OpenBLAS are synchronized, so there are none.
export OPENBLAS_NUM_THREADS=1 TSAN_OPTIONS=halt_on_error=1:suppressions=$root/test/tsan.txt
run_tests "$root/build/tsan" "$(printf '*%s*:' "${threaded[@]}")" || status=1
exit $status
