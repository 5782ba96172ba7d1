#!/usr/bin/env bash
# Usage: scripts/demo_shapes.sh [FOLDER_OF_MESHES] [OUTPUT_FOLDER]
#
# Installs missing packages, builds, and matches points of your meshes or, without a folder, of five bent and twisted creatures
# with known truth. Writes tracks.csv, shapes.png and shapes.html to OUTPUT_FOLDER (default: out).
set -euo pipefail

if [ $# -gt 2 ] || [ "${1:-}" = --help ] || [ "${1:-}" = -h ]; then
    sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    [ $# -le 2 ]
    exit
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
meshes=${1:-}
output=${2:-$root/out}
if [ -n "$meshes" ] && [ ! -d "$meshes" ]; then
    echo "There is no folder $meshes." >&2
    exit 1
fi

"$root/scripts/install_packages.sh"
if [ ! -f /usr/include/Spectra/SymEigsShiftSolver.h ] && [ ! -f /usr/local/include/Spectra/SymEigsShiftSolver.h ]; then
    echo "Spectra is missing, which the matching of shapes needs (Debian: libspectra-dev)." >&2
    exit 1
fi
TARGETS=match_shapes "$root/scripts/build.sh"
echo
exec "$root/build/bin/match_shapes" "${meshes:---example=5}" --output="$output/tracks.csv" --draw="$output/shapes.png" \
    --report="$output/shapes.html"
