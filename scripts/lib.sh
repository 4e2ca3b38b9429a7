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

# read_arguments WORD...: sees to --help and --no-install; all others are then in `arguments`. Help is
# the comment at the top of the script, from "usage:" on.
read_arguments() {
  local word
  install=1 arguments=()
  for word in "$@"; do
    case $word in
    --no-install) install=0 ;;
    --help)
      sed -n '/^# usage:/,/^[^#]/s/^# \{0,1\}//p' "$Root/scripts/$(basename "$0")"
      exit 0
      ;;
    *) arguments+=("$word") ;;
    esac
  done
}

# install_dependencies [PACKAGE...]: unless there was --no-install.
install_dependencies() { ((!install)) || scripts/install-deps.sh "$@"; }

# build PRESET [TARGET...]: configures and builds in build/PRESET; all targets when none is named.
build() {
  local preset=$1 log
  shift
  log=$(mktemp)
  say "Building $preset in build/$preset ($Jobs jobs)"
  if ! cmake --preset "$preset" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    die "cmake could not configure the preset '$preset'"
  fi
  rm -f "$log"
  cmake --build "build/$preset" -j "$Jobs" ${1:+--target "$@"}
}
