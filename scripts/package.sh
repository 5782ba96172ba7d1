#!/usr/bin/env bash
# Usage: scripts/package.sh [ARGUMENTS OF CMAKE]
#
# Makes Debian packages in build/package/packages: the library, its headers (-dev), the programs (-tools) and the
# Python module.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [ "${1:-}" = --help ] || [ "${1:-}" = -h ]; then
    sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit
fi
"$root/scripts/install_packages.sh" --for-packages
build=$root/build/package
# With the prefix /usr, libraries are installed to Debian's folder.
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr \
    -DMULTIMATCH_BUILD_TESTS=OFF "$@"
cmake --build "$build" --parallel "$(nproc)"
rm -rf "$build/packages"
(cd "$build" && cpack -G DEB)
rm -rf "$build/packages/_CPack_Packages"
ls -l "$build/packages"
