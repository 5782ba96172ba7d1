#!/usr/bin/env bash
# Usage: scripts/install_packages.sh [--in-opencv] [--for-packages]
#
# Installs the packages that building, testing and the demo need on Debian 12 and derived systems; with --in-opencv also
# those for building OpenCV, with --for-packages those for making Debian packages. If all are installed, it does nothing
# and needs no network. This is the only file that names packages.
set -euo pipefail

required=(
    g++ cmake ninja-build
    libopencv-dev  # the OpenCV to build against, 4.5 or newer
    libeigen3-dev
    libcli11-dev  # the command line of the programs
    libgtest-dev
    python3-dev pybind11-dev python3-numpy python3-opencv  # the Python module
    locales python3-pytest pkg-config xz-utils  # tests
    libopenblas0-pthread  # makes cv::gemm fast; selects its kernels at run time
)
optional=(
    libsqlite3-dev  # COLMAP databases
    libexif-dev     # focal lengths of photographs; without it the programs need the option --focal
    libhdf5-dev     # multimatch_tracks reads files of hloc
    libspectra-dev  # eigenpairs of meshes: the library, the program and the benchmark of shapes
    libceres-dev    # bundle adjustment in the sample sfm_from_tracks
    colmap sqlite3  # a test and scripts/compare_colmap.sh
    python3-h5py    # files of hloc; without it cv2_multimatch.hloc cannot be imported and its tests are skipped
    python3-pip python3-venv python3-build python3-setuptools python3-wheel  # pip install .; without them its test is skipped
    python3-matplotlib  # plots of the benchmark; without it scripts/plot_benchmark.py ends with an error and its tests are skipped
    python3-distributed python3-dask  # collections past one machine; without them cv2_multimatch.distributed ends with an error
    chromium        # opens the report in a test
    opencv-doc    # photographs for the demo and the benchmark; without it they use rendered pictures
    clang-format  # checks the style
    clang-14 libclang-rt-14-dev  # scripts/fuzz.sh and scripts/check_sanitizers.sh
    clang-tidy-14  # scripts/check_tidy.sh
    g++-aarch64-linux-gnu qemu-user  # scripts/test_arm_kernels.sh
    doxygen texlive-binaries  # the documentation and its bibliography
)
for group in "$@"; do
    case $group in
        --in-opencv) required+=(libjpeg-dev libpng-dev zlib1g-dev opencv-doc) ;;
        --for-packages) required+=(dpkg-dev file) ;;
        *) echo "unknown argument $group" >&2; exit 1 ;;
    esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "This system is not Debian. Please install OpenCV (4.5 or newer), Eigen 3.3, CLI11 2, GoogleTest, CMake" \
         "3.18, Ninja, a C++11 compiler and, for the Python module, pybind11 and pytest." >&2
    exit 0
fi

missing() {
    local package
    for package in "$@"; do
        dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
            echo "$package"
    done
}

mapfile -t missing_required < <(missing "${required[@]}")
mapfile -t missing_optional < <(missing "${optional[@]}")
if [ $((${#missing_required[@]} + ${#missing_optional[@]})) -eq 0 ]; then
    exit 0
fi

run=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Missing: ${missing_required[*]} ${missing_optional[*]}. Please run $0 as root." >&2
        [ ${#missing_required[@]} -eq 0 ]
        exit
    fi
    run=(sudo)
fi
apt=("${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y)

# The present lists may suffice, so a failed update is not an error.
"${apt[@]}" update || echo "apt-get update failed; using the present lists." >&2
if [ ${#missing_required[@]} -gt 0 ]; then
    "${apt[@]}" install --no-install-recommends "${missing_required[@]}"
fi
for package in "${missing_optional[@]}"; do
    "${apt[@]}" install --no-install-recommends "$package" ||
        echo "Continuing without the optional package $package." >&2
done
