#!/usr/bin/env bash
# Says which C++ files .clang-format would change; with --fix it changes them. Exit code 2 where there is
# no clang-format of the version that the files were written with: others differ in details.
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
        echo "$file: not as .clang-format has it; scripts/check_style.sh --fix helps" >&2
        status=1
    fi
done
exit $status
