#!/usr/bin/env bash
# scripts/check-packages.sh - builds Debian packages with libspecrt and runs their own tests
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: check-packages.sh [--packages=gsl,fftw3,eigen3] [--flags="-O2 -march=native"] [--quick]
#                          [--no-install]
#   --packages=NAMES   which (default: all three)
#   --flags=FLAGS      for both compilers (default: -O2)
#   --quick            some of the tests of each
#
# Fetches the packages' sources, builds them by clang alone and by the drivers with the same flags in
# build/packages, and runs their tests: those of the second build with everything hot (SPECRT_HOT=0)
# and a cache of its own. Prints
#   package tests plain_failures specrt_failures
# and ends with 1 when a package has more failures with libspecrt. What tests said is in
# build/packages/PACKAGE-{plain,specrt}/check.log.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

read_arguments "$@"
packages=gsl,fftw3,eigen3 flags=-O2 quick=0
for word in "${arguments[@]}"; do
  case $word in
  --packages=*) packages=${word#*=} ;;
  --flags=*) flags=${word#*=} ;;
  --quick) quick=1 ;;
  *) die "unknown option '$word'" ;;
  esac
done

install_dependencies
build release specrt specrt-jit specrt-parallel specrt-instrument
Work=$Root/build/packages
mkdir -p "$Work"

# fetch PACKAGE: its source in $Work/PACKAGE, by an apt of our own that needs no root.
fetch() {
  [[ -d $Work/$1 ]] && return
  local apt=$Work/apt keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/source"
  echo "deb-src [signed-by=$keyring] ${DEBIAN_MIRROR:-http://deb.debian.org/debian}" \
    "$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release) main" >"$apt/sources.list"
  local options=(-qq -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=)
  apt-get "${options[@]}" update
  (cd "$apt/source" && rm -rf "$1"-*/ && apt-get "${options[@]}" source "$1" >/dev/null)
  mv "$apt/source/$1"-*/ "$Work/$1"
}

# The ways to build: each in a folder of its own, left as it is when that build is complete.
# prepare_PACKAGE SOURCE CC CXX, in the folder; check_PACKAGE runs the tests and prints
# "number failures".

# Debian's source has no documentation.
prepare_gsl() {
  "$1/configure" --disable-shared --disable-maintainer-mode CC="$2" CFLAGS="$flags" LDFLAGS="$flags"
  make -j "$Jobs" SUBDIRS="$(sed -n 's/^SUBDIRS = \(.*\) doc$/\1/p' "$1/Makefile.am")"
}

check_gsl() {
  local folders
  read -ra folders < <(sed -n 's/^SUBDIRS = \(.*\) doc$/\1/p' "$Work/gsl/Makefile.am")
  ((quick)) && folders=(blas linalg eigen fft matrix statistics interpolation spmatrix)
  find . -name '*.trs' -delete
  local folder
  for folder in "${folders[@]}"; do
    make -C "$folder" -k check || true
  done >check.log 2>&1
  echo "$(find . -name '*.trs' | wc -l) $(cat $(find . -name '*.trs') |
    grep -c '^:test-result: *\(FAIL\|ERROR\)' || true)"
}

prepare_fftw3() {
  "$1/configure" --disable-fortran --disable-doc --disable-maintainer-mode CC="$2" CFLAGS="$flags" \
    LDFLAGS="$flags"
  make -j "$Jobs"
}

# Its random problems are other ones each time; a problem fails aloud and ends the script.
check_fftw3() {
  local count=10
  ((quick)) && count=2
  local status=0
  (cd tests && perl -w "$Work/fftw3/tests/check.pl" -r -c="$count" -v "$PWD/bench") >check.log 2>&1 ||
    status=1
  echo "$(grep -o -- --verify check.log | wc -l) $status"
}

EigenTests=(basicstuff linearstructure product_small redux array_cwise triangular lu qr cholesky
  householder eigensolver_selfadjoint sparse_basic stable_norm integer_types)

prepare_eigen3() {
  ((quick)) && EigenTests=(redux)
  cmake -G "Unix Makefiles" -S "$1" -B . -DCMAKE_C_COMPILER="$2" -DCMAKE_CXX_COMPILER="$3" \
    -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="$flags" -DEIGEN_TEST_NOQT=ON -DEIGEN_TEST_NO_OPENGL=ON \
    -DCMAKE_Fortran_COMPILER=NOTFOUND -DCMAKE_DISABLE_FIND_PACKAGE_CUDA=ON
  make -j "$Jobs" "${EigenTests[@]}"
}

check_eigen3() {
  ((quick)) && EigenTests=(redux)
  local names
  names=$(IFS='|' && echo "${EigenTests[*]}")
  EIGEN_SEED=1 EIGEN_REPEAT=3 ctest -j "$Jobs" -R "^($names)(_[0-9]+)?\$" >check.log 2>&1 || true
  sed -n 's/.* \([0-9]*\) tests failed out of \([0-9]*\)$/\2 \1/p' check.log
}

# half PACKAGE plain|specrt CC CXX: builds unless that was done, tests, prints "number failures".
half() {
  local folder=$Work/$1-$2
  mkdir -p "$folder"
  cd "$folder"
  say "Building $1, $2: $folder/build.log" >&2
  if [[ "$(cat built 2>/dev/null)" != "$flags $quick" ]]; then
    "prepare_$1" "$Work/$1" "$3" "$4" >build.log 2>&1 || {
      tail -20 build.log >&2
      die "$1 could not be built ($2)"
    }
    echo "$flags $quick" >built
  fi
  say "Testing $1, $2" >&2
  SPECRT_HOT=0 SPECRT_CACHE_DIR=$folder/cache "check_$1"
}

worse=0
table="package tests plain_failures specrt_failures"
for package in ${packages//,/ }; do
  fetch "$package"
  plain=$(half "$package" plain clang-22 clang++-22)
  rm -rf "$Work/$package-specrt/cache" || true # a compile server may still be writing there
  specrt=$(half "$package" specrt "$Root/build/release/bin/specrt-clang" \
    "$Root/build/release/bin/specrt-clang++")
  [[ ${plain% *} == "${specrt% *}" || $package == fftw3 ]] ||
    die "$package: ${plain% *} tests of the plain build, but ${specrt% *} with libspecrt"
  ((${specrt#* } > ${plain#* })) && worse=1
  table+=$'\n'"$package ${specrt% *} ${plain#* } ${specrt#* }"
done
say "Failures"
echo "$table"
exit $worse
