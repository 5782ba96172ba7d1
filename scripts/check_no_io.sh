#!/usr/bin/env bash
# Usage: scripts/check_no_io.sh [FOLDER]
#
# Builds and installs the library with MULTIMATCH_IO=OFF into FOLDER (default: build/no_io), without optimization, and
# uses it: nothing of the matching may need the files of other programs, their header or SQLite. Then adds these files, but not SQLite: the
# tests of COLMAP's database are skipped, and none of them passes.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${1:-$root/build/no_io}
options=(-DMULTIMATCH_IO=OFF -DMULTIMATCH_BUILD_TESTS=OFF -DMULTIMATCH_BUILD_SAMPLES=OFF
    -DMULTIMATCH_BUILD_BENCHMARKS=OFF -DMULTIMATCH_BUILD_PYTHON=OFF -DMULTIMATCH_WARNINGS_AS_ERRORS=ON
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DCMAKE_INSTALL_LIBDIR=lib)
if [ ! -f "$folder/CMakeCache.txt" ] && command -v ninja >/dev/null; then
    options+=(-G Ninja)
fi
if command -v ccache >/dev/null; then
    options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi
cmake -S "$root" -B "$folder" "${options[@]}" >/dev/null
cmake --build "$folder" --parallel "$(nproc)" >"$folder/build.log" || { cat "$folder/build.log" && exit 1; }
rm -rf "$folder/prefix"
cmake --install "$folder" --prefix "$folder/prefix" >/dev/null

if [ -n "$(find "$folder/prefix" -name io.hpp)" ]; then
    echo "io.hpp is installed although its functions are not there." >&2
    exit 1
fi
if ldd "$folder/prefix/lib/libopencv_multimatch.so" | grep -i sqlite; then
    echo "The library needs SQLite although nothing uses it." >&2
    exit 1
fi
export PKG_CONFIG_PATH=$folder/prefix/lib/pkgconfig
read -ra flags < <(pkg-config --cflags --libs opencv_multimatch)
c++ -std=c++11 "$root/test/no_io.cpp" -o "$folder/no_io" "${flags[@]}" -Wl,-rpath,"$folder/prefix/lib"
"$folder/no_io" "$folder/tracks.yml"

cmake -S "$root" -B "$folder" -DMULTIMATCH_IO=ON -DCMAKE_DISABLE_FIND_PACKAGE_SQLite3=ON -DMULTIMATCH_BUILD_TESTS=ON \
    -DMULTIMATCH_UNIT_TESTS="test_main.cpp;test_colmap_database.cpp" >/dev/null
cmake --build "$folder" --parallel "$(nproc)" --target opencv_test_multimatch >"$folder/build.log" || { cat "$folder/build.log" && exit 1; }
tests="$folder/bin/opencv_test_multimatch --gtest_filter=Multimatch_ColmapDatabase.*"
count=$($tests --gtest_list_tests | grep -c '^  ')
report=$($tests)
if [ "$count" -eq 0 ] || [ "$(grep -c '^\[  SKIPPED \].*)$' <<<"$report")" -ne "$count" ] || grep -q '^\[       OK' <<<"$report"; then
    echo "Without SQLite not all of the $count tests of COLMAP's database were skipped:" >&2
    echo "$report" >&2
    exit 1
fi
