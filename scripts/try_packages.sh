#!/usr/bin/env bash
# Usage: scripts/try_packages.sh FOLDER_OF_PACKAGES CHROOT
#
# Installs the Debian packages of scripts/package.sh in a new Debian 12 (made by debootstrap in the folder CHROOT, which
# must not exist and is removed afterwards), uses them, removes them, and checks that no file is left. Needs root.
set -euo pipefail

if [ $# -ne 2 ]; then
    sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 1
fi
packages=$(cd "$1" && pwd)
chroot=$2
if [ -e "$chroot" ]; then
    echo "$chroot exists already." >&2
    exit 1
fi

clean_up() {
    umount "$chroot/proc" 2>/dev/null || true
    # Do not remove a folder in which file systems of the host are mounted.
    grep -q " $chroot/" /proc/mounts || rm -rf "$chroot"
}
trap clean_up EXIT
command -v debootstrap >/dev/null || apt-get install -y debootstrap >/dev/null
debootstrap --variant=minbase bookworm "$chroot" >/dev/null
mount -t proc proc "$chroot/proc"
cp /etc/resolv.conf "$chroot/etc/"
mkdir "$chroot/packages"
cp "$packages"/*.deb "$chroot/packages"

inside() {
    chroot "$chroot" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
}
inside apt-get -q update >/dev/null
inside sh -c 'apt-get -q -y install --no-install-recommends /packages/*.deb' >"$packages/install.log" 2>&1 || {
    tail -20 "$packages/install.log" >&2
    exit 1
}
mapfile -t names < <(for file in "$packages"/*.deb; do dpkg-deb -f "$file" Package; done)
echo "installed: ${names[*]}"

inside multimatch_demo --output=/tmp/demo
inside python3 -c 'import cv2_multimatch; print("cv2_multimatch", cv2_multimatch.__version__,
    cv2_multimatch.HiPPI.create().getDefaultName())'
inside sh -c 'test -e /usr/include/opencv4/opencv2/multimatch.hpp && ldconfig -p | grep -q libopencv_multimatch.so'

inside apt-get -q -y purge "${names[@]}" >/dev/null
left=$(inside find /usr /etc /var/lib/dpkg/info -iname '*multimatch*')
if [ -n "$left" ]; then
    echo "files left: $left" >&2
    exit 1
fi
echo "removed, no files left"
