#!/usr/bin/env bash
# scripts/fuzz.sh - random programs, compiled by clang alone and with libspecrt, compared bit by bit
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: fuzz.sh [--programs=N] [--seconds=S] [--seed=K] [--reduce-seconds=S] [--nan-bits] [--keep]
#                [--no-install]
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
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

read_arguments "$@"
install_dependencies cvise
build release specrt specrt-jit specrt-parallel specrt-instrument
say "Running random programs ($Jobs at a time)"
exec python3 tests/fuzz/programs/fuzz.py build/release --jobs="$Jobs" "${arguments[@]}"
