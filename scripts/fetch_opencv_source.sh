#!/usr/bin/env bash
# Usage: scripts/fetch_opencv_source.sh FOLDER [PATH...]
#
# Unpacks the source of Debian's OpenCV to FOLDER: all of it, or the given paths. The archive (74 MB) is kept next to
# FOLDER and not downloaded again. Does not need root: apt uses separate lists, verified with Debian's keys.
set -euo pipefail

if [ $# -lt 1 ] || [ "$1" = --help ]; then
    sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    [ "${1:-}" = --help ]
    exit
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
archive=$folder/../opencv.orig.tar.xz

if [ ! -f "$archive" ]; then
    # shellcheck disable=SC1091
    codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkdir -p "$work/lists/partial" "$work/cache"
    echo "deb-src http://deb.debian.org/debian $codename main" >"$work/sources.list"
    apt=(apt-get -q -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null
         -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache"
         -o APT::Sandbox::User=)
    "${apt[@]}" update >&2
    # 'address' file size hash
    read -r address _ _ hash < <("${apt[@]}" source --print-uris --download-only opencv |
        grep 'orig\.tar\.xz ')
    address=${address#\'}
    /usr/lib/apt/apt-helper -o APT::Sandbox::User= download-file "${address%\'}" "$archive.part" "$hash" >&2
    mv "$archive.part" "$archive"
fi

names=()
for path in "$@"; do
    names+=("*/$path")
done
tar -xJf "$archive" -C "$folder" --strip-components=1 --wildcards "${names[@]}"
