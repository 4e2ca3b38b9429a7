#!/usr/bin/env bash
# scripts/demo.sh - every example as clang -O3 builds it and with specrt, first to third run
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: demo.sh [--no-install] [--repetitions=N] [EXAMPLE...]
#        demo.sh [--no-install] --check
# Prints one table; exits non-zero when any output differs in a single bit.
#   --check   says only whether its build is in order: configures, looks at what is to be built, and
#             builds of it what precompiled headers are most likely to break
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

read_arguments "$@"
install_dependencies --examples
if [[ ${arguments[*]} == --check ]]; then
  build demo specrt_polyhedral specrt_jit_core
  exec cmake --build build/demo --target demo -- -n >/dev/null
fi
build demo demo
say "Running the examples (plain, then three runs with specrt; several times, alternating)"
exec python3 scripts/demo.py build/demo/bin "${arguments[@]}"
