#!/usr/bin/env bash
# Usage: scripts/build_docs.sh [FOLDER]
#
# Writes the documentation of the classes and the tutorials to FOLDER/html (default: build/docs). Warnings of Doxygen
# are errors. The environment variable MATHJAX can set the address of another copy of MathJax.
set -euo pipefail

if [ $# -gt 1 ] || [ "${1:-}" = --help ] || [ "${1:-}" = -h ]; then
    sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    [ $# -le 1 ]
    exit
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
OUTPUT=${1:-$root/build/docs}
mkdir -p "$OUTPUT"
OUTPUT=$(cd "$OUTPUT" && pwd)
MATHJAX=${MATHJAX:-https://cdn.jsdelivr.net/npm/mathjax@2}
MULTIMATCH_VERSION=$(sed -n 's/.*VERSION_\(MAJOR\|MINOR\|PATCH\) \([0-9]*\).*/\2/p' \
    "$root/modules/multimatch/include/opencv2/multimatch/version.hpp" | paste -sd.)
# Without a complete TeX installation BibTeX needs its search paths.
export BIBINPUTS=. BSTINPUTS=.
export OUTPUT MATHJAX MULTIMATCH_VERSION
cd "$root"
doxygen doc/Doxyfile
