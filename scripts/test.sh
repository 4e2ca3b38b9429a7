#!/usr/bin/env bash
# scripts/test.sh - installs, builds and runs all tests; ends with ctest's summary
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: test.sh [--sanitizers] [--no-install] [ctest arguments...]
#   --sanitizers   also builds with ASan+UBSan and with TSan and runs the tests of the code that
#                  lives in the host program (runtime, profiler, parallel)
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

read_arguments "$@"
sanitizers=0 of_ctest=()
for word in "${arguments[@]}"; do
  case $word in
  --sanitizers) sanitizers=1 ;;
  *) of_ctest+=("$word") ;;
  esac
done
install_dependencies

# Tests must not read or change the user's profiles.
SPECRT_CACHE_DIR=$(mktemp -d)
export SPECRT_CACHE_DIR
# A compile server may still be writing there, and ends when the folder is gone.
trap 'rm -rf "$SPECRT_CACHE_DIR" || rm -rf "$SPECRT_CACHE_DIR" || true' EXIT

# Stories about times may fail when the machine is busy with something else: what failed beside
# other tests has a second chance alone. Not with sanitizers, whose findings may come only once.
run_tests() {
  local preset=$1 status=0 failures=build/$1/Testing/Temporary/LastTestsFailed.log
  rm -f "$failures"
  say "Testing $preset"
  ctest --preset "$preset" --no-tests=error -j "$Jobs" "${of_ctest[@]}" || status=$?
  [[ $status != 0 && $preset == release && -s $failures ]] || return "$status"
  say "Once more, one at a time, what failed beside other tests"
  cat "$failures"
  ctest --preset "$preset" --no-tests=error --rerun-failed -j 1
}

failed=0
build release
if ((sanitizers)); then
  for preset in asan tsan; do
    build "$preset"
    run_tests "$preset" || failed=1
  done
fi

run_tests release || failed=1
exit $failed
