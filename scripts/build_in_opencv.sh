#!/usr/bin/env bash
# Usage: scripts/build_in_opencv.sh [FOLDER]
#
# Builds the module where it belongs, inside OpenCV: fetches the source of Debian's OpenCV into FOLDER (default:
# build/opencv), builds the modules that multimatch needs with it, runs its C++ tests under opencv_ts, its
# performance tests once and its Python tests, and matches three photographs from Python and from C++ to see
# that the tracks are the same. The environment variable MODULES names another folder of modules than this repository's,
# for example what scripts/make_contrib_patch.sh wrote. About a quarter of an hour on two cores; what is there is not built again.
set -euo pipefail

if [ $# -gt 1 ] || [ "${1:-}" = --help ] || [ "${1:-}" = -h ]; then
    sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    [ $# -le 1 ]
    exit
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=${1:-$root/build/opencv}
"$root/scripts/install_packages.sh" --in-opencv
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
source=$folder/source
build=$folder/build
modules=$(cd "${MODULES:-$root/modules}" && pwd)

[ -f "$source/CMakeLists.txt" ] || "$root/scripts/fetch_opencv_source.sh" "$source"

# With another python3 earlier in PATH OpenCV would not build its Python module.
python=/usr/bin/python3
options=(
    # Only the module is tested here, so OpenCV is built without optional parts.
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DCPU_DISPATCH=AVX2,AVX512_ICL
    -DOPENCV_EXTRA_MODULES_PATH="$modules"
    # OpenCV 5 has features for features2d and geometry for a part of calib3d.
    -DBUILD_LIST=core,imgproc,features2d,features,flann,calib3d,geometry,imgcodecs,multimatch,python3,ts
    -DBUILD_TESTS=ON -DBUILD_PERF_TESTS=ON -DOPENCV_BUILD_TEST_MODULES_LIST=multimatch
    -DOPENCV_BUILD_PERF_TEST_MODULES_LIST=multimatch
    -DBUILD_opencv_apps=OFF -DBUILD_JAVA=OFF -DBUILD_DOCS=OFF -DBUILD_EXAMPLES=OFF
    -DENABLE_PRECOMPILED_HEADERS=OFF
    -DPYTHON3_EXECUTABLE=$python -DPYTHON_DEFAULT_EXECUTABLE=$python
)
for part in 1394 ADE FFMPEG GSTREAMER GTK IPP ITT JASPER LAPACK OPENCL OPENEXR OPENJPEG PROTOBUF QUIRC \
    TIFF V4L VTK WEBP; do
    options+=("-DWITH_$part=OFF")
done
if command -v ccache >/dev/null; then
    options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache)
fi
cmake -G Ninja -S "$source" -B "$build" "${options[@]}" >"$folder/configure.log"
to_be_built=$(grep 'To be built:' "$folder/configure.log")
for module in multimatch python3; do
    if ! grep -qw "$module" <<<"$to_be_built"; then
        echo "OpenCV does not build $module; see $folder/configure.log." >&2
        exit 1
    fi
done
cmake --build "$build" --parallel "$(nproc)"

echo "== C++ tests under opencv_ts"
"$build/bin/opencv_test_multimatch"
echo "== performance tests, one sample each"
"$build/bin/opencv_perf_multimatch" --perf_min_samples=1 --perf_force_samples=1 --perf_verify_sanity=0
echo "== Python tests"
PYTHONPATH=$build/python_loader $python -m pytest -q "$modules/multimatch/misc/python/test"

echo "== three photographs from Python and from C++"
"$root/scripts/compare_with_python.sh" "$build" "$folder/compare" "$build/python_loader"
