#!/usr/bin/env bash
# scripts/bench.sh - builds and runs one benchmark by name
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench.sh dispatch|warmstart [--no-install] [--repetitions=N]
#   dispatch   what a region costs beyond a direct call of the same function; the last line is
#              one_version_ns=... four_versions_ns=... disabled_ns=... profiling_percent=...
#   warmstart  how soon a second run is specialised; the last line is
#              first_ms=... per_region_ms=... compiles=... llvm_mapped=...
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

install=1 name='' arguments=()
for word in "$@"; do
  case $word in
  --no-install) install=0 ;;
  --help) sed -n '5,9p' "$0" && exit 0 ;;
  -*) arguments+=("$word") ;;
  *) name=$word ;;
  esac
done
[[ -f bench/$name.py ]] || die "unknown benchmark '$name'; known: dispatch, warmstart"

((install)) && scripts/install-deps.sh
build release "bench-$name"
say "Running bench-$name"
exec python3 "bench/$name.py" "build/release/bin/bench-$name" "${arguments[@]}"
