#!/usr/bin/env bash
# scripts/package.sh - builds the Debian packages and puts them in build/packages
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: package.sh [--no-install]
# Prints the files. Install them all with: apt install ./build/packages/*.deb
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

read_arguments "$@"
((${#arguments[@]} == 0)) || die "unknown argument '${arguments[0]}'"
install_dependencies

# Times in the packages are those of the last commit.
if [[ -z ${SOURCE_DATE_EPOCH-} ]] && epoch=$(git log -1 --format=%ct 2>/dev/null); then
  export SOURCE_DATE_EPOCH=$epoch
fi
build package
say "Packing"
rm -rf build/packages
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cpack -G DEB --config build/package/CPackConfig.cmake -B "$Root/build/packages" >"$log" 2>&1 ||
  { cat "$log" >&2; die "cpack failed"; }
rm -rf build/packages/_CPack_Packages
ls -l build/packages
