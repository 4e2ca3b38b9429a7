#!/usr/bin/env bash
# scripts/install-deps.sh - installs what libspecrt needs, from Debian's own packages
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: install-deps.sh [PACKAGE...]    these, too
#        install-deps.sh --library       only what libspecrt and programs that use it are built with
#        install-deps.sh --examples      and what the examples and scripts/demo.sh use
#
# Does nothing when everything is there. Needs root or sudo otherwise.
set -euo pipefail

Packages=(
  cmake ninja-build make g++ pkg-config
  clang-22 llvm-22-dev liblld-22-dev libpolly-22-dev
  libtbb-dev nlohmann-json3-dev libcli11-dev libxxhash-dev libfmt-dev libarchive-dev libffi-dev zlib1g-dev libzstd-dev
)
Examples=(python3 libomp-22-dev libeigen3-dev)
if [[ ${1-} == --library ]]; then
  shift
elif [[ ${1-} == --examples ]]; then
  shift
  Packages+=("${Examples[@]}")
else # tests, benchmarks, checks
  Packages+=(
    "${Examples[@]}"
    ccache git
    lld-22 libclang-rt-22-dev clang-format-22 clang-tidy-22
    libgtest-dev libgmock-dev libbenchmark-dev libopenblas-dev
    libsuitesparse-dev librsb-dev
    dpkg-dev file gzip
    gdb linux-perf mandoc
  )
fi
Packages+=("$@")

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  cat >&2 <<MESSAGE
install-deps.sh: this system has no apt-get. libspecrt is developed on Debian 12; elsewhere, install
the equivalents of these Debian packages (LLVM must be version 22) and build with cmake:
  ${Packages[*]}
MESSAGE
  exit 1
fi

missing=()
for package in "${Packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  echo "install-deps.sh: all ${#Packages[@]} packages are installed"
  exit 0
fi

sudo=()
if ((EUID != 0)); then
  command -v sudo >/dev/null || {
    echo "install-deps.sh: error: run as root, or install sudo. Missing: ${missing[*]}" >&2
    exit 1
  }
  sudo=(sudo)
fi

echo "install-deps.sh: installing ${missing[*]}"
"${sudo[@]}" apt-get update
unknown=()
for package in "${missing[@]}"; do
  apt-cache show --no-all-versions "$package" >/dev/null 2>&1 || unknown+=("$package")
done
if ((${#unknown[@]})); then
  echo "install-deps.sh: error: this system's package sources do not have: ${unknown[*]}" >&2
  echo "Debian 12 has them in bookworm and bookworm-security (LLVM 22)." >&2
  exit 1
fi
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
