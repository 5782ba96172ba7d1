#!/usr/bin/env bash
# Usage: scripts/demo.sh [FOLDER_OF_PHOTOS] [OUTPUT_FOLDER]
#
# Installs missing packages, builds, and matches your photographs or, without a folder, fifteen views of one
# photograph with ground truth. Writes tracks.yml.gz and tracks.png to OUTPUT_FOLDER (default: out).
set -euo pipefail

if [ $# -gt 2 ] || [ "${1:-}" = --help ] || [ "${1:-}" = -h ]; then
    sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    [ $# -le 2 ]
    exit
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
photos=${1:-}
output=${2:-$root/out}
if [ -n "$photos" ] && [ ! -d "$photos" ]; then
    echo "There is no folder $photos." >&2
    exit 1
fi

TARGETS="multimatch_demo multimatch_tracks" "$root/scripts/build.sh"
echo
if [ -z "$photos" ]; then
    exec "$root/build/bin/multimatch_demo" --output="$output"
fi
exec "$root/build/bin/multimatch_tracks" --images="$photos" \
    --output="$output/tracks.yml.gz" --draw="$output/tracks.png"
