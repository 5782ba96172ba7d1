#!/usr/bin/env bash
# Usage: scripts/compare_colmap.sh DATA [BUILD_FOLDER] [MAX_FEATURES]
#
# Reconstructs every set below DATA (a folder with images/ and cameras.yml) with COLMAP, from
#   colmap     COLMAP's own features and exhaustive matching
#   raw        OpenCV's SIFT, ratio-tested matches, verified by COLMAP
#   unionfind  the same, verified by multimatch_tracks, tracks by union-find without conflicting components
#   kruskal    the same, tracks by Kruskal with view exclusion
#   hippi      the same, tracks by HiPPI
#   guided     the same features, multimatch_tracks --preset=sfm
# and prints the results compared with the given cameras. COLMAP's extractor returns several key points for a place with
# several orientations, more than MAX_FEATURES; the other methods use its mean number of key points per image. "match" is the
# time in seconds from features to verified matches or tracks, "map" that of the mapper. Exit code 2 if colmap is missing.
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 3 ] || [ "$1" = --help ] || [ "$1" = -h ]; then
    sed -n '2,13s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    [ "${1:-}" = --help ] || [ "${1:-}" = -h ]
    exit
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
data=$1
bin=${2:-$root/build}/bin
features=${3:-8000}
methods=${METHODS:-colmap raw unionfind kruskal hippi guided}
if ! command -v colmap >/dev/null; then
    echo "There is no colmap; scripts/install_packages.sh installs it." >&2
    exit 2
fi
export QT_QPA_PLATFORM=offscreen
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

quietly() { # runs a program and shows its output only if it fails
    "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; return 1; }
}

seconds_of() { # runs a program and prints its seconds
    local start end
    start=$(date +%s.%N)
    quietly "$@"
    end=$(date +%s.%N)
    echo "$start $end" | awk '{printf "%.1f", $2 - $1}'
}

tool_seconds() { # seconds of all stages except reading and writing, from the output of multimatch_tracks
    awk '/^ *stage +seconds/ {on = 1; next}
         on && NF == 2 && $1 != "features" && $1 != "write" && $1 != "total" {sum += $2}
         END {printf "%.1f", sum}' "$1"
}

for cameras in "$data"/*/cameras.yml "$data"/cameras.yml; do
    [ -f "$cameras" ] || continue
    set_folder=$(dirname "$cameras")
    name=$(basename "$set_folder")
    # Focal length and principal point of the first camera.
    read -r focal cx cy < <(awk '/K_000/ {on = 1} on {text = text $0} on && /\]/ {
        gsub(/.*\[|\].*|,/, " ", text); split(text, v, " "); print v[1], v[3], v[6]; exit}' "$cameras")
    printf '\n%s\n' "$name"
    limit=$features
    printf '%-10s %6s %9s %7s %7s %8s %6s %9s %7s %7s\n' method images keypoints points length \
        error_px twice center_m match_s map_s
    for method in $methods; do
        here=$work/$name-$method
        mkdir -p "$here/model"
        common=(--images="$set_folder/images" --max-features="$limit" --focal="$focal" --shared-camera
                --colmap="$here/db")
        case $method in
        colmap)
            quietly colmap feature_extractor --database_path "$here/db" --image_path "$set_folder/images" \
                --SiftExtraction.use_gpu 0 --SiftExtraction.max_num_features "$features" \
                --ImageReader.single_camera 1 --ImageReader.camera_model SIMPLE_RADIAL \
                --ImageReader.camera_params "$focal,$cx,$cy,0"
            match=$(seconds_of colmap exhaustive_matcher --database_path "$here/db" --SiftMatching.use_gpu 0)
            ;;
        raw)
            "$bin/multimatch_tracks" "${common[@]}" --raw --colmap-text="$here/text" >"$here/printed"
            # The importer does not replace existing entries.
            sqlite3 "$here/db" 'DELETE FROM matches'
            verify=$(seconds_of colmap matches_importer --database_path "$here/db" \
                --match_list_path "$here/text/matches.txt" --match_type raw --SiftMatching.use_gpu 0)
            match=$(tool_seconds "$here/printed" | awk -v more="$verify" '{printf "%.1f", $1 + more}')
            ;;
        unionfind | kruskal | hippi)
            "$bin/multimatch_tracks" "${common[@]}" --method="$method" --verify >"$here/printed"
            match=$(tool_seconds "$here/printed")
            ;;
        guided)
            "$bin/multimatch_tracks" "${common[@]}" --preset=sfm >"$here/printed"
            match=$(tool_seconds "$here/printed")
            ;;
        *)
            echo "There is no method $method." >&2
            exit 1
            ;;
        esac
        # All methods use the given intrinsics.
        params=$(python3 -c 'import struct, sys
print(struct.pack("<4d", *map(float, sys.argv[1:]), 0).hex())' "$focal" "$cx" "$cy")
        sqlite3 "$here/db" "UPDATE cameras SET params = X'$params'"
        keypoints=$(sqlite3 "$here/db" 'SELECT sum(rows) FROM keypoints')
        if [ "$method" = colmap ]; then
            limit=$(sqlite3 "$here/db" 'SELECT round(avg(rows)) FROM keypoints')
            limit=${limit%.*}
        fi
        map=$(seconds_of colmap mapper --database_path "$here/db" --image_path "$set_folder/images" \
            --output_path "$here/model")
        if [ ! -d "$here/model/0" ]; then
            printf '%-10s no model\n' "$method"
            continue
        fi
        quietly colmap model_converter --input_path "$here/model/0" --output_path "$here/model/0" \
            --output_type TXT
        read -r registered given points length error twice center < <("$bin/multimatch_bench" model \
            --model="$here/model/0" --cameras="$cameras")
        printf '%-10s %6s %9s %7s %7s %8s %6s %9s %7s %7s\n' "$method" "$registered/$given" "$keypoints" \
            "$points" "$length" "$error" "$twice" "$center" "$match" "$map"
    done
done
