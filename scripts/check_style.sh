#!/usr/bin/env bash
# Lists the C++ files that are not formatted according to .clang-format; with --fix it formats them. Exit code 2 without
# clang-format of the required version: other versions format differently.
set -euo pipefail

version=14
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tool=
for candidate in "clang-format-$version" clang-format; do
    if command -v "$candidate" >/dev/null &&
        "$candidate" --version | grep -q "version $version\."; then
        tool=$candidate
        break
    fi
done
if [ -z "$tool" ]; then
    echo "There is no clang-format $version." >&2
    exit 2
fi

mapfile -t files < <(find modules python samples test \( -name '*.cpp' -o -name '*.hpp' \) -type f | sort)
if [ "${1:-}" = --fix ]; then
    "$tool" -i "${files[@]}"
    exit
fi
status=0
for file in "${files[@]}"; do
    if ! "$tool" "$file" | cmp -s - "$file"; then
        echo "$file: not formatted; scripts/check_style.sh --fix formats it" >&2
        status=1
    fi
done
exit $status
