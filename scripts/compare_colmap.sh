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
# and prints the results compared with the given cameras. "auc" is the area under the curve of the errors of relative poses over all pairs of
# images, in percent, up to 0.5, 1, 5 and 10 degrees: the larger of the angles between the rotations and between the directions of translation; pairs
# with an image that is not registered have the largest error. All methods use the given intrinsics, of each image its own where they differ. COLMAP's extractor returns several key points for a place with
# several orientations, more than MAX_FEATURES; the other methods use its mean number of key points per image. "match" is the
# time in seconds from features to verified matches or tracks, "map" that of the mapper. Exit code 2 if colmap is missing.
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 3 ] || [ "$1" = --help ] || [ "$1" = -h ]; then
    sed -n '2,16s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
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

set_intrinsics() { # DATABASE CAMERAS: writes the given intrinsics of each image to its camera
    python3 - "$1" "$2" <<'PYTHON'
import os, re, sqlite3, struct, sys

text = open(sys.argv[2]).read()
names = dict(re.findall(r'name_(\d+): *"?([^"\n]+)', text))
matrices = {number: [float(x) for x in data.replace(",", " ").split()]
            for number, data in re.findall(r'K_(\d+):.*?data: *\[(.*?)\]', text, re.S)}
given = {name: matrices[number] for number, name in names.items()}
database = sqlite3.connect(sys.argv[1])
for camera, name in database.execute("SELECT camera_id, name FROM images").fetchall():
    K = given[os.path.basename(name)]
    database.execute("UPDATE cameras SET params = ?, prior_focal_length = 1 WHERE camera_id = ?",
                     (struct.pack("<4d", K[0], K[2], K[5], 0), camera))
database.commit()
PYTHON
}

mapfile -t sets < <(find "$data" -name cameras.yml | sort)
if [ ${#sets[@]} -eq 0 ]; then
    echo "$data has no folder with cameras.yml." >&2
    exit 1
fi
for cameras in "${sets[@]}"; do
    set_folder=$(dirname "$cameras")
    name=$(basename "$set_folder")
    # Focal length and principal point of the first camera.
    read -r focal cx cy < <(awk '/K_000/ {on = 1} on {text = text $0} on && /\]/ {
        gsub(/.*\[|\].*|,/, " ", text); split(text, v, " "); print v[1], v[3], v[6]; exit}' "$cameras")
    # One camera for all images, or one for each: the matrices K of all images in a line each.
    kinds=$(awk '/^ *K_/ {on = 1; text = ""; next} on {text = text $0} on && /\]/ {
        gsub(/.*\[|\].*|[ \n]/, "", text); print text; on = 0}' "$cameras" | sort -u | wc -l)
    shared=()
    single=0
    if [ "$kinds" -eq 1 ]; then
        shared=(--focal="$focal" --shared-camera)
        single=1
    fi
    printf '\n%s\n' "$name"
    limit=$features
    printf '%-10s %6s %9s %7s %7s %8s %6s %9s %6s %6s %6s %6s %7s %7s\n' method images keypoints points length \
        error_px twice center_m auc.5 auc1 auc5 auc10 match_s map_s
    for method in $methods; do
        here=$work/$name-$method
        mkdir -p "$here/model"
        common=(--images="$set_folder/images" --max-features="$limit" "${shared[@]}" --colmap="$here/db")
        case $method in
        colmap)
            quietly colmap feature_extractor --database_path "$here/db" --image_path "$set_folder/images" \
                --SiftExtraction.use_gpu 0 --SiftExtraction.max_num_features "$features" \
                --ImageReader.single_camera "$single" --ImageReader.camera_model SIMPLE_RADIAL \
                --ImageReader.camera_params "$focal,$cx,$cy,0"
            set_intrinsics "$here/db" "$cameras"
            match=$(seconds_of colmap exhaustive_matcher --database_path "$here/db" --SiftMatching.use_gpu 0)
            ;;
        raw)
            "$bin/multimatch_tracks" "${common[@]}" --raw --colmap-text="$here/text" >"$here/printed"
            # The importer does not replace existing entries.
            sqlite3 "$here/db" 'DELETE FROM matches'
            set_intrinsics "$here/db" "$cameras"
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
        set_intrinsics "$here/db" "$cameras"
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
        read -r registered given points length error twice center half one five ten < <("$bin/multimatch_bench" model \
            --model="$here/model/0" --cameras="$cameras")
        printf '%-10s %6s %9s %7s %7s %8s %6s %9s %6s %6s %6s %6s %7s %7s\n' "$method" "$registered/$given" \
            "$keypoints" "$points" "$length" "$error" "$twice" "$center" "$half" "$one" "$five" "$ten" "$match" "$map"
    done
done
