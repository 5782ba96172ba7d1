#!/usr/bin/env bash
# Usage: scripts/test.sh [ARGUMENTS OF CTEST]
#
# Installs what is missing, builds with warnings as errors, checks the style and runs all tests.
# For example: scripts/test.sh -R Tracks    or: scripts/test.sh -L e2e
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/scripts/build.sh" -DMULTIMATCH_WARNINGS_AS_ERRORS=ON -DMULTIMATCH_BUILD_TESTS=ON \
    -DMULTIMATCH_BUILD_SAMPLES=ON

style=clean
"$root/scripts/check_style.sh" || { [ $? -eq 2 ] && style="not checked" || style=FAILED; }

tests=passed
(cd "$root/build" && ctest --output-on-failure "$@") || tests=FAILED

echo
echo "style: $style"
echo "tests: $tests"
[ "$style" != FAILED ] && [ "$tests" = passed ]
