#!/usr/bin/env bash
# scripts/scops-corpus.sh - counts Scops in programs and libraries as Debian has their sources
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: scops-corpus.sh [--no-install] [--folder=DIR] [--suite=NAME] [PACKAGE...]
# Gets the sources (apt-get source, with lists of its own below DIR: the system's stay as they are),
# builds each package so that the bitcode of every file is kept, runs `specrt scops` on all of it and
# prints the tables of docs/scops.md. What is there already is not made again, so that a run that was
# interrupted goes on. Without PACKAGE: all that the table below knows.
#   --folder=DIR  where everything goes, about 1 GB (default: build/scops-corpus)
#   --suite=NAME  of Debian (default: bookworm)
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

Mirror=${SPECRT_DEBIAN_MIRROR:-http://deb.debian.org/debian}
Keys=/usr/share/keyrings/debian-archive-keyring.gpg

# How a package is built, where it is not by what it brings (configure, CMakeLists.txt, Makefile):
# options, or the folders of which every C file is compiled by itself.
declare -A options=(
  [bullet]="-DBUILD_BULLET2_DEMOS=OFF -DBUILD_CPU_DEMOS=OFF -DBUILD_OPENGL3_DEMOS=OFF -DBUILD_UNIT_TESTS=OFF -DBUILD_EXTRAS=OFF"
  [chipmunk]="-DBUILD_DEMOS=OFF"
  [lame]="--disable-frontend --disable-gtktest"
  [libjpeg-turbo]="-DWITH_SIMD=0"
  [libsamplerate]="-DBUILD_TESTING=OFF -DLIBSAMPLERATE_EXAMPLES=OFF"
  [ode]="--disable-demos --without-x"
)
declare -A folders=(
  [lapack]="CBLAS/src LAPACKE/utils"
  [suitesparse]="AMD/Source BTF/Source CAMD/Source CCOLAMD/Source COLAMD/Source CHOLMOD/Core CHOLMOD/Check CHOLMOD/Cholesky CHOLMOD/MatrixOps CHOLMOD/Modify CHOLMOD/Supernodal CXSparse/Source KLU/Source LDL/Source RBio/Source SPQR/Source UMFPACK/Source SLIP_LU/Source SuiteSparse_config"
  [cminpack]="."
  [libsvm]="."
  [liblinear]=". blas"
  [zlib]="."
)
declare -A flags=(
  [lapack]="-ICBLAS/include -ILAPACKE/include"
  [suitesparse]="-ISuiteSparse_config -IAMD/Include -IBTF/Include -ICAMD/Include -ICCOLAMD/Include -ICOLAMD/Include -ICHOLMOD/Include -ICHOLMOD/Core -ICXSparse/Include -IKLU/Include -ILDL/Include -IRBio/Include -ISPQR/Include -IUMFPACK/Include -ISLIP_LU/Include -DNPARTITION"
)
known=(zlib bzip2 libjpeg-turbo libpng1.6 gsl fftw3 suitesparse lapack cminpack glpk lame opus speex
  libvorbis libsamplerate ode chipmunk bullet qhull libsvm liblinear)

# The compiler that the builds see: it does as it is told, and keeps the bitcode of each source once,
# before any optimisation but as if for -O2.
write_compilers() {
  mkdir -p "$folder/bin"
  cat >"$folder/bin/cc" <<'SCRIPT'
#!/usr/bin/env bash
compiler=clang-22 arguments=() source='' object='' compiles=0
[[ $(basename "$0") == c++ ]] && compiler=clang++-22
while (($#)); do
  case $1 in
  -O* | -g* | -Werror* | -march=* | -mtune=*) ;;
  -o) object=$2 arguments+=(-o "$2") && shift ;;
  -c) compiles=1 arguments+=("$1") ;;
  *.c | *.C | *.cc | *.cpp | *.cxx) source=$1 arguments+=("$1") ;;
  *) arguments+=("$1") ;;
  esac
  shift
done
"$compiler" -w -Wno-error -Wno-implicit-function-declaration -Wno-implicit-int -Wno-int-conversion \
  -Wno-incompatible-function-pointer-types -O2 -flto -fuse-ld=lld -Wl,--lto-O0 \
  -Xclang -disable-llvm-passes "${arguments[@]}" || exit
case $source in '' | *conftest* | *CMakeFiles* | *CMakeTmp*) exit 0 ;; esac
[[ $compiles == 1 && $PWD != *CMakeFiles* ]] || exit 0
source=$(realpath "$source")
[[ -n $object ]] || { object=$(basename "$source") && object=${object%.*}.o; }
kept=$SPECRT_CORPUS_BITCODE/$(basename "${source%.*}")-$(md5sum <<<"$source" | cut -c1-12).bc
[[ -e $kept ]] || { cp "$object" "$kept" && echo "$source" >"$kept.source"; }
exit 0
SCRIPT
  chmod +x "$folder/bin/cc"
  ln -sf cc "$folder/bin/c++"
}

write_lists() {
  mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial"
  echo "deb-src [signed-by=$Keys] $Mirror $suite main" >"$folder/apt/sources.list"
  cat >"$folder/apt/apt.conf" <<CONF
Dir::Etc::sourcelist "$folder/apt/sources.list";
Dir::Etc::sourceparts "-";
Dir::State::lists "$folder/apt/lists";
Dir::Cache "$folder/apt";
CONF
  export APT_CONFIG=$folder/apt/apt.conf
  ls "$folder"/apt/lists/*Sources* >/dev/null 2>&1 || apt-get update -qq
}

# get PACKAGE: its source in sources/PACKAGE/tree.
get() {
  [[ ! -d $folder/sources/$1/tree ]] || return 0
  rm -rf "$folder/sources/$1"
  mkdir -p "$folder/sources/$1"
  (cd "$folder/sources/$1" && apt-get source --download-only -qq "$1" &&
    dpkg-source --no-check -x ./*.dsc tree) >"$folder/sources/$1.log" 2>&1
}

compile_each() {
  local name
  for name in $folders_here; do
    find "$name" -maxdepth 1 \( -name '*.c' -o -name '*.cpp' -o -name '*.cc' \) | sort
  done | xargs -P "$Jobs" -I{} sh -c 'case $1 in *.c) "$CC" '"$flags_here"' -c "$1" -o "$1.o";;
    *) "$CXX" '"$flags_here"' -c "$1" -o "$1.o";; esac || true' sh {}
}

# make_package PACKAGE, in its tree. Errors in parts of it are no reason to give it up.
make_package() {
  export CC=$folder/bin/cc CXX=$folder/bin/c++ AR=llvm-ar-22 RANLIB=llvm-ranlib-22 NM=llvm-nm-22
  export SPECRT_CORPUS_BITCODE=$folder/bitcode/$1
  local folders_here=${folders[$1]:-} flags_here=${flags[$1]:-}
  mkdir -p "$SPECRT_CORPUS_BITCODE"
  if [[ -n $folders_here ]]; then
    compile_each
  elif [[ -f CMakeLists.txt && ! $1 =~ ^(fftw3|ode)$ ]]; then
    # shellcheck disable=SC2086 # options are several words
    cmake -S . -B specrt-build -DCMAKE_BUILD_TYPE=None -DBUILD_SHARED_LIBS=OFF \
      -DCMAKE_POLICY_VERSION_MINIMUM=3.5 -DCMAKE_AR="$(command -v $AR)" \
      -DCMAKE_RANLIB="$(command -v $RANLIB)" ${options[$1]:-}
    make -k -j"$Jobs" -C specrt-build || true
  elif [[ -f configure ]]; then
    # shellcheck disable=SC2086
    ./configure --disable-shared --enable-static ${options[$1]:-}
    make -k -j"$Jobs" || true
  else
    make -k -j"$Jobs" CC="$CC" CXX="$CXX" AR="$AR" RANLIB="$RANLIB" || true
  fi
}

# What a package has: version, files, lines of the sources that were compiled.
describe_package() {
  local version
  version=$(sed -n 's/^Version: //p' "$folder/sources/$1"/*.dsc | head -1)
  printf '%s\t%s\t%s\n' "$1" "$version" \
    "$(cat "$folder/bitcode/$1"/*.source | tr '\n' '\0' | xargs -0 cat | wc -l)"
}

# Files that cannot be read are told, and are no reason to give up the others.
count() {
  [[ ! -s $folder/counts/$1.json ]] || return 0
  find "$folder/bitcode/$1" -name '*.bc' | sort >"$folder/files.txt"
  "$Root/build/release/bin/specrt" scops --json --from "$folder/files.txt" >"$folder/count.json" ||
    echo "not all files were counted"
  mv "$folder/count.json" "$folder/counts/$1.json"
}

folder=$Root/build/scops-corpus suite=bookworm
read_arguments "$@"
packages=()
for word in "${arguments[@]}"; do
  case $word in
  --folder=*) folder=$(realpath -m "${word#*=}") ;;
  --suite=*) suite=${word#*=} ;;
  -*) die "unknown option $word" ;;
  *) packages+=("$word") ;;
  esac
done
((${#packages[@]})) || packages=("${known[@]}")
install_dependencies
build release specrt-tool specrt-jit

mkdir -p "$folder/sources" "$folder/counts"
write_compilers
write_lists
: >"$folder/packages.tsv"
for package in "${packages[@]}"; do
  say "$package"
  if [[ ! -e $folder/bitcode/$package.done ]]; then
    get "$package" || { echo "its source cannot be had, see $folder/sources/$package.log" && continue; }
    (cd "$folder/sources/$package/tree" && make_package "$package") \
      >"$folder/sources/$package.log" 2>&1 || echo "not all of it was built"
    touch "$folder/bitcode/$package.done"
  fi
  ls "$folder/bitcode/$package"/*.bc >/dev/null 2>&1 || { echo "nothing was built" && continue; }
  describe_package "$package" | tee -a "$folder/packages.tsv"
  count "$package"
done

say "Tables"
exec python3 scripts/scops_corpus.py "$folder"
