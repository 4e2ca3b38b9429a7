#!/usr/bin/env bash
# scripts/format.sh - formats our C and C++ files; with --check only says which are not formatted
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

case ${1-} in
--check) mode=(--dry-run --Werror) ;;
"") mode=(-i) ;;
*) die "usage: format.sh [--check]" ;;
esac

# C files under tests/ are inputs of the compiler: tests refer to their lines.
mapfile -t files < <(git ls-files '*.c' '*.h' '*.cpp' '*.hpp' ':!tests/*.c')
if ! clang-format-22 "${mode[@]}" "${files[@]}"; then
  die "some files are not formatted; run scripts/format.sh"
fi
echo "format.sh: ${#files[@]} files are formatted"
