#!/usr/bin/env bash
# scripts/fuzz.sh - random programs, compiled by clang alone and with libspecrt, compared bit by bit
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: fuzz.sh [--programs=N] [--seconds=S] [--seed=K] [--reduce-seconds=S] [--nan-bits] [--keep]
#                [--no-install]
#        fuzz.sh --readers [--seconds=S] [--no-install] [READER...]
#   --programs=N         how many (default: 100), with the seeds K, K+1, ...
#   --seconds=S          no program is started after S seconds
#   --seed=K             of the first program (default: 1)
#   --reduce-seconds=S   the time for making each failing program small (default: 180; 0: as it is)
#   --nan-bits           sign and payload of NaNs count, too
#   --keep               keeps the folders of programs that pass
#
# What fails is in build/fuzz/SEED, reduced in build/fuzz/SEED/reduced. The exit status is 1 when
# something failed; the last line is
#   programs=... mismatches=... crashes=... with_versions_percent=...
#
# --readers runs the targets in tests/fuzz/readers/ with libFuzzer instead, all or those that are
# named, one after the other for S seconds each (default: 60). What one finds is in
# build/fuzz-readers/corpora/ and begins with the name of the target; the exit status is 1 then.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# fuzz_readers [--seconds=S] [READER...]
fuzz_readers() {
  local word seconds=60 status=0 reader corpus
  local -a readers=()
  for word in "$@"; do
    case $word in
    --readers) ;;
    --seconds=*) seconds=${word#*=} ;;
    -*) die "--readers does not know $word" ;;
    *) readers+=("$word") ;;
    esac
  done
  if ((${#readers[@]} == 0)); then
    for reader in tests/fuzz/readers/*.cpp; do
      reader=$(basename "$reader" .cpp)
      [[ $reader == mutations ]] || readers+=("$reader")
    done
  fi
  build fuzz-readers "${readers[@]/#/reader_}" "${readers[@]/#/fuzz_}"
  for reader in "${readers[@]}"; do
    say "Fuzzing $reader for $seconds s"
    corpus=build/fuzz-readers/corpora/$reader
    mkdir -p "$corpus"
    "build/fuzz-readers/bin/reader_$reader" --write="$corpus"
    "build/fuzz-readers/bin/fuzz_$reader" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
      -max_len=65536 -verbosity=0 -print_final_stats=1 -artifact_prefix="$corpus-" "$corpus" || status=1
  done
  return $status
}

read_arguments "$@"
if [[ " ${arguments[*]-} " == *" --readers "* ]]; then
  install_dependencies
  fuzz_readers "${arguments[@]}"
  exit
fi
install_dependencies cvise
build release specrt specrt-jit specrt-parallel specrt-instrument
say "Running random programs ($Jobs at a time)"
exec python3 tests/fuzz/programs/fuzz.py build/release --jobs="$Jobs" "${arguments[@]}"
