# scripts/lib.sh - what the other scripts share; sourced, not run
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sets Root (the repository) and Jobs, and changes to the repository.

Root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
Jobs=${JOBS:-$(nproc)}
cd "$Root"

# Prints a step so that a long run can be followed.
say() { printf '\n== %s\n' "$*"; }

die() {
  printf '%s: error: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# build PRESET [TARGET...]: configures and builds build/PRESET, or $BUILD_DIR for the release preset.
build() {
  local preset=$1
  shift
  say "Building $preset in build/$preset ($Jobs jobs)"
  cmake --preset "$preset" >"build-$preset.log" 2>&1 || {
    cat "build-$preset.log"
    rm -f "build-$preset.log"
    die "cmake could not configure the preset '$preset'"
  }
  rm -f "build-$preset.log"
  cmake --build "build/$preset" -j "$Jobs" ${1:+--target "$@"}
}
