#!/usr/bin/env bash
# scripts/tidy.sh - runs clang-tidy on our files, recently changed ones first, within a time limit
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: tidy.sh [--limit=SECONDS] [FILE...]    (default: 900, all files of the release build)
# Fails on any finding. Files not reached within the limit are counted, not failed.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

limit=900 files=()
for word in "$@"; do
  case $word in
  --limit=*) limit=${word#*=} ;;
  *) files+=("$word") ;;
  esac
done

[[ -e build/release/compile_commands.json ]] || die "build first: scripts/test.sh"
if ((${#files[@]} == 0)); then
  # A file of the build may be compiled into several targets; it is checked once.
  mapfile -t files < <(python3 - "$Root" <<'PYTHON'
import json, pathlib, subprocess, sys
root = pathlib.Path(sys.argv[1])
built = {str(pathlib.Path(c["directory"], c["file"]).resolve().relative_to(root))
         for c in json.load(open(root / "build/release/compile_commands.json"))
         if pathlib.Path(c["directory"], c["file"]).resolve().is_relative_to(root)}
log = subprocess.run(["git", "log", "--format=", "--name-only", "-n", "30"], cwd=root,
                     capture_output=True, text=True).stdout.split()
recent = [f for f in dict.fromkeys(log) if f in built]
tracked = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True).stdout
print("\n".join(recent + [f for f in tracked.split() if f in built and f not in recent]))
PYTHON
  )
fi

results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
export results
check() {
  name=$results/${1//\//_}
  if clang-tidy-22 --quiet -p build/release "$1" >"$name.out" 2>/dev/null; then
    mv "$name.out" "$name.clean"
  else
    mv "$name.out" "$name.found"
  fi
}
export -f check
say "clang-tidy on ${#files[@]} files, at most $limit s"
status=0
printf '%s\0' "${files[@]}" |
  timeout "$limit" xargs -0 -n 1 -P "$Jobs" bash -c 'check "$1"' check || status=$?

shopt -s nullglob
clean=("$results"/*.clean) found=("$results"/*.found)
((${#found[@]})) && cat "${found[@]}"
echo "tidy.sh: ${#clean[@]} clean, ${#found[@]} with findings," \
  "$((${#files[@]} - ${#clean[@]} - ${#found[@]})) not reached in time"
((${#found[@]} == 0 && (status == 0 || status == 124)))
