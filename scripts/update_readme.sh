#!/usr/bin/env bash
# Builds, runs the demo, and puts what it prints into README.md and what it draws into doc/tracks.jpg, so that both
# are what the present code does.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TARGETS="multimatch_demo" "$root/scripts/build.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$root/build/bin/multimatch_demo" >printed.txt
"$root/build/bin/multimatch_demo" --picture=tracks.jpg >/dev/null
awk '
    /<!-- end of demo -->/ { skip = 0 }
    !skip { print }
    /<!-- demo -->/ {
        skip = 1
        print "```"
        while ((getline line < "printed.txt") > 0)
            print line
        print "```"
    }' "$root/README.md" >readme.txt
mkdir -p "$root/doc"
cp out/tracks.jpg "$root/doc/tracks.jpg"
cp readme.txt "$root/README.md"
cat printed.txt
