#!/usr/bin/env bash
# scripts/stress.sh - programs with libspecrt under random harm, compared with plain ones
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: stress.sh [--seconds=S] [--seed=N] [--jobs=J] [--limit=S] [--only=HARM] [--program=NAME]
#                  [--no-install]
#   --seconds=S     how long (default: 600)
#   --seed=N        of the random numbers (default: 1)
#   --jobs=J        runs at a time (default: two per processor)
#   --limit=S       a run that takes longer hangs (default: 120)
#   --only=HARM     inflicts no other harm; tests/stress/harms.py lists them
#   --program=NAME  runs no other program; tests/stress/programs.py lists them
#
# The exit status is 1 when something failed, which is then described in build/stress/SEED-NUMBER;
# the last line is
#   runs=... mismatches=... crashes=... hangs=... left_behind=...
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

read_arguments "$@"
install_dependencies
build release specrt specrt-jit specrt-parallel specrt-instrument specrt-server
say "Running programs under stress"
exec python3 tests/stress/stress.py build/release "${arguments[@]}"
