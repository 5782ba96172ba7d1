#!/usr/bin/env bash
# Usage: scripts/build.sh [ARGUMENTS OF CMAKE]
#
# Installs missing packages and builds Release in build/: all targets, or those of the environment variable
# TARGETS.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/scripts/install_packages.sh"

generator=()
# The generator of an existing build folder cannot change.
if [ ! -f "$root/build/CMakeCache.txt" ] && command -v ninja >/dev/null; then
    generator=(-G Ninja)
fi
targets=()
if [ -n "${TARGETS:-}" ]; then
    read -ra names <<<"$TARGETS"
    targets=(--target "${names[@]}")
fi
cmake -S "$root" -B "$root/build" "${generator[@]}" -DCMAKE_BUILD_TYPE=Release "$@"
cmake --build "$root/build" --parallel "$(nproc)" "${targets[@]}"
