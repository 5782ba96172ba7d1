#!/usr/bin/env bash
# Usage: scripts/check_32_bit.sh CHROOT
#
# Builds the library and its unit tests for 32-bit x86 in a Debian 12 of that kind (made by debootstrap in the folder CHROOT, 1.5 GB,
# which is used again if it exists) and runs them. Needs root. With SSE2 for floating point, as OpenCV's own build has it.
set -euo pipefail

if [ $# -ne 1 ] || [ "$1" = --help ] || [ "$1" = -h ]; then
    sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    [ $# -eq 1 ]
    exit
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
chroot=$1
inside() {
    chroot "$chroot" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root CCACHE_DIR=/build/ccache DEBIAN_FRONTEND=noninteractive "$@"
}
if [ ! -f "$chroot/complete" ]; then
    command -v debootstrap >/dev/null || apt-get install -y debootstrap >/dev/null
    debootstrap --arch=i386 --variant=minbase bookworm "$chroot" >/dev/null
    cp /etc/resolv.conf "$chroot/etc/"
    inside apt-get -q update >/dev/null
    inside apt-get -q -y install --no-install-recommends g++ cmake ninja-build ccache libopencv-dev libeigen3-dev \
        libgtest-dev libsqlite3-dev >/dev/null
    touch "$chroot/complete"
fi
mkdir -p "$chroot/src" "$chroot/build"
clean_up() {
    umount "$chroot/src" "$chroot/proc" 2>/dev/null || true
}
trap clean_up EXIT
mount --bind "$root" "$chroot/src"
mount -o remount,bind,ro "$chroot/src"
mount -t proc proc "$chroot/proc"

inside cmake -S /src -B /build/multimatch -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS="-msse2 -mfpmath=sse" \
    -DMULTIMATCH_WARNINGS_AS_ERRORS=ON -DMULTIMATCH_BUILD_TESTS=ON -DMULTIMATCH_BUILD_SAMPLES=OFF \
    -DMULTIMATCH_BUILD_BENCHMARKS=OFF -DMULTIMATCH_BUILD_PYTHON=OFF -DCMAKE_CXX_COMPILER_LAUNCHER=ccache >/dev/null
inside ninja -C /build/multimatch
inside /build/multimatch/bin/opencv_test_multimatch --gtest_brief=1
