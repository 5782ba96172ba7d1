#!/usr/bin/env bash
# Usage: scripts/reproduce_paper.sh images|willow|shapes|scaling [DATA]
#
# Repeats an experiment of the HiPPI paper (Bernard et al., ICCV 2019) with all methods: builds, runs, prints the table beside the
# paper's printed figures, and writes it to doc/paper.md. DATA is the folder with willow/*.yml.gz and tosca/*.off (default: the
# environment variable MULTIMATCH_TEST_DATA); images and scaling need none. doc/paper.md says what differs from the paper.
#
# The environment variables FEATURES (default: SURF, or SIFT where OpenCV lacks it), SEQUENCES, VIEWS and POINTS set the size of
# images, CLASSES the classes of shapes.
set -euo pipefail

usage() { sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
experiment=${1:-}
data=${2:-${MULTIMATCH_TEST_DATA:-}}
case $experiment in
images | scaling) ;;
willow | shapes)
    if [ ! -d "$data" ]; then
        echo "The experiment $experiment needs a folder of data: scripts/reproduce_paper.sh $experiment DATA" >&2
        exit 1
    fi
    ;;
--help | -h)
    usage
    exit
    ;;
*)
    usage >&2
    exit 1
    ;;
esac

TARGETS="multimatch_bench multimatch_paper_images" "$root/scripts/build.sh" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bench=$root/build/bin/multimatch_bench
case $experiment in
images)
    images() {
        "$root/build/bin/multimatch_paper_images" --features="$1" --sequences="${SEQUENCES:-8}" --views="${VIEWS:-8}" \
            --points="${POINTS:-80}" --csv="$work/images.csv" >"$work/output.txt"
    }
    if [ -n "${FEATURES:-}" ]; then
        images "$FEATURES"
    elif ! images SURF; then
        echo "This OpenCV has no SURF: SIFT in its place." >&2
        images SIFT
    fi
    ;;
willow)
    "$bench" accuracy --data "$data" --no-generated --sets=willow --csv="$work/willow.csv" >"$work/output.txt"
    ;;
shapes)
    "$bench" shapes --data "$data" ${CLASSES:+--classes="$CLASSES"} --csv="$work/shapes.csv" | tee "$work/output.txt" >&2
    ;;
scaling)
    "$bench" objects --csv="$work/scaling.csv" | tee "$work/output.txt" >&2
    python=/usr/bin/python3
    [ -x $python ] || python=python3
    "$python" "$root/scripts/plot_benchmark.py" "$work/scaling.csv" "$work/plots" >&2
    cp "$work/plots/objects.png" "$root/doc/paper_scaling.png"
    ;;
esac
"$root/scripts/paper_table.py" "$experiment" "$work/$experiment.csv" "$work/output.txt" "$root/doc/paper.md"
