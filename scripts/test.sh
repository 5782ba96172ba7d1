#!/usr/bin/env bash
# Usage: scripts/test.sh [ARGUMENTS OF CTEST]
#
# Installs what is missing, builds with warnings as errors, checks style, includes and documentation, runs all tests, clang-tidy on the changed
# files (scripts/check_tidy.sh), and the unit tests and fuzz targets with sanitizers (scripts/check_sanitizers.sh), which need builds of their own.
# SANITIZERS=off leaves out clang-tidy and the sanitizers; so do arguments that select tests, unless SANITIZERS=on.
# For example: scripts/test.sh -R Tracks    or: scripts/test.sh -L e2e
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/scripts/install_packages.sh"

# Parts of the source of the installed OpenCV that generate cv2.multimatch.
bindings=generated
opencv=$root/build/opencv_python
if [ ! -f "$opencv/complete" ]; then
    "$root/scripts/fetch_opencv_source.sh" "$opencv" modules/python modules/{core,flann,features2d}/misc/python \
        modules/core/include/opencv2/core/utils/configuration.private.hpp && touch "$opencv/complete" ||
        { bindings="not checked, as the source of OpenCV is missing" && opencv=; }
fi

"$root/scripts/build.sh" -DMULTIMATCH_OPENCV_SOURCE="$opencv" -DMULTIMATCH_WARNINGS_AS_ERRORS=ON \
    -DMULTIMATCH_BUILD_TESTS=ON -DMULTIMATCH_BUILD_SAMPLES=ON

style=clean
"$root/scripts/check_style.sh" || { [ $? -eq 2 ] && style="not checked" || style=FAILED; }

includes="no cycle"
"$root/scripts/check_includes.py" || includes=FAILED

without_io=builds
"$root/scripts/check_no_io.sh" || without_io=FAILED

arm_kernels=passed
"$root/scripts/test_arm_kernels.sh" || { [ $? -eq 2 ] && arm_kernels="not tested" || arm_kernels=FAILED; }

documentation="without a warning"
if command -v doxygen >/dev/null && command -v bibtex >/dev/null; then
    "$root/scripts/build_docs.sh" || documentation=FAILED
else
    documentation="not checked"
fi

tests=passed
(cd "$root/build" && ctest --output-on-failure --parallel "$(nproc)" "$@") || tests=FAILED

tidy="not run"
sanitizers="not run"
if [ "${SANITIZERS:-$([ $# -eq 0 ] && echo on || echo off)}" = on ]; then
    tidy="no warning"
    "$root/scripts/check_tidy.sh" || { [ $? -eq 2 ] && tidy="not run, as it is missing" || tidy=FAILED; }
    sanitizers="nothing found"
    "$root/scripts/check_sanitizers.sh" || { [ $? -eq 2 ] && sanitizers="not run, as Clang is missing" || sanitizers=FAILED; }
fi

echo
echo "style: $style"
echo "includes: $includes"
echo "without io: $without_io"
echo "ARM kernels: $arm_kernels"
echo "bindings: $bindings"
echo "documentation: $documentation"
echo "clang-tidy: $tidy"
echo "sanitizers and fuzz targets: $sanitizers"
echo "tests: $tests"
[ "$style" != FAILED ] && [ "$tidy" != FAILED ] && [ "$sanitizers" != FAILED ] && [ "$includes" != FAILED ] && [ "$without_io" != FAILED ] &&
    [ "$arm_kernels" != FAILED ] && [ "$documentation" != FAILED ] && [ "$tests" = passed ]
