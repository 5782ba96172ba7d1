#!/usr/bin/env bash
# Usage: scripts/check_tidy.sh [--all | FILE ...]
#
# Runs clang-tidy with the checks of .clang-tidy on the C++ files that changed since the branch left origin/HEAD, on the main branch since the
# commit before; on all with --all; or on the named ones. Needs build/compile_commands.json, which every build writes. Exit code 1: there are
# warnings; 2: clang-tidy is missing. JOBS: processes.
set -euo pipefail

version=14
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tool=
for candidate in "clang-tidy-$version" clang-tidy; do
    if command -v "$candidate" >/dev/null; then
        tool=$candidate
        break
    fi
done
if [ -z "$tool" ]; then
    echo "There is no clang-tidy." >&2
    exit 2
fi
if [ ! -f build/compile_commands.json ]; then
    echo "There is no build/compile_commands.json; scripts/build.sh writes it." >&2
    exit 2
fi

if [ "${1:-}" = --all ]; then
    mapfile -t wanted < <(git ls-files 'modules/*.cpp' 'samples/*.cpp' 'python/*.cpp' 'test/*.cpp')
elif [ $# -gt 0 ]; then
    wanted=("$@")
else
    base=$(git merge-base HEAD origin/HEAD 2>/dev/null || git rev-parse HEAD)
    [ "$base" != "$(git rev-parse HEAD)" ] || base=$(git rev-parse -q --verify HEAD~1 || echo HEAD)
    mapfile -t wanted < <(git diff --name-only --diff-filter=d "$base" -- '*.cpp')
fi
# Files that this build does not compile have no options to be checked with.
files=()
for file in "${wanted[@]}"; do
    ! grep -qF "\"$PWD/$file\"" build/compile_commands.json || files+=("$file")
done
echo "clang-tidy: ${#files[@]} files"
[ ${#files[@]} -eq 0 ] || printf '%s\0' "${files[@]}" |
    xargs -0 -n 1 -P "${JOBS:-$(nproc)}" "$tool" -p build --quiet --warnings-as-errors='*' 2>/dev/null
