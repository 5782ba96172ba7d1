#!/usr/bin/env bash
# Builds, runs the programs of the tutorials, and puts what they print and draw into modules/multimatch/tutorials, so that
# the pages show what the present code does.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TARGETS="multimatch_demo tutorial_ten_lines tutorial_matrices tutorial_confidence tutorial_own_start tutorial_video" \
    "$root/scripts/build.sh"

bin=$root/build/bin
pages=$root/modules/multimatch/tutorials
photo=/usr/share/doc/opencv-doc/examples/data/home.jpg
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$pages/images" "$pages/output"
"$bin/multimatch_demo" --views=5 --points=120 --output="$work" --write-views="$work/views" >/dev/null
"$bin/tutorial_ten_lines" "$pages/images/ten_lines.jpg" "$work"/views/*.png >"$pages/output/ten_lines.txt"
"$bin/tutorial_matrices" "$pages/images/matrices.png" >"$pages/output/matrices.txt"
"$bin/tutorial_confidence" "$photo" >"$pages/output/confidence.txt"
"$bin/tutorial_own_start" "$photo" >"$pages/output/own_start.txt"
/usr/bin/python3 "$root/samples/python/camera_flight.py" "$photo" "$work/flight"
"$bin/tutorial_video" "$pages/images/video.jpg" "$work/flight/frame_%02d.png" 1 >"$pages/output/video.txt"
