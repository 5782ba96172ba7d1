#!/usr/bin/env bash
# Usage: scripts/compare_with_python.sh OPENCV_BUILD FOLDER PYTHONPATH
#
# Matches three photographs with the OpenCV of OPENCV_BUILD, which must have the module, from Python and from C++, and
# compares the tracks. Writes to FOLDER.
set -euo pipefail

if [ $# -ne 3 ]; then
    sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 1
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$2
data=/usr/share/doc/opencv-doc/examples/data
mkdir -p "$work"
photos=("$data"/left01.jpg "$data"/left02.jpg "$data"/left03.jpg)

cmake -S "$root/test/consumer" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DOpenCV_DIR="$1" >"$work/configure.log"
cmake --build "$work/build" >>"$work/configure.log"
"$work/build/consumer" "${photos[@]}" >"$work/cpp.txt"
PYTHONPATH=$3 /usr/bin/python3 "$root/test/consumer/tracks.py" "${photos[@]}" >"$work/python.txt"
cmp "$work/cpp.txt" "$work/python.txt"
echo "$(wc -l <"$work/cpp.txt") key points of three photographs are in tracks, the same in Python and in C++"
