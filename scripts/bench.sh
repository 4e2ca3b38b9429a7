#!/usr/bin/env bash
# scripts/bench.sh - builds and runs one benchmark by name
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bench.sh dispatch|footprint|warmstart|polybench|gemm|compile|tiles|oneshot|busy|programs|
#                 irregular|folding|feedback|sparse|watch|propagation|zeros|storage|loops|fine|
#                 verify|capture|solvers|contract|balance|pipeline [--no-install] [--repetitions=N]
#                 [OPTION...]
#   dispatch   what a region costs beyond a direct call of the same function; the last line is
#              one_version_ns=... four_versions_ns=... disabled_ns=... profiling_percent=...
#   footprint  sizes, memory, compile and start-up time of instrumented code; the last line is
#              lib_kb=... extra_rss_kb=... object_ratio=... compile_ratio=... startup_10000_ms=...
#   warmstart  how soon a second run is specialised; the last line is
#              first_ms=... per_region_ms=... compiles=... llvm_mapped=...
#   polybench  the PolyBench kernels and some contractions: clang, gcc, Polly, specrt, OpenBLAS; the
#              last line is geomean_1t=... geomean_2t=... min=... identical=.../30 (hours at size
#              LARGE; --quick: some minutes; docs/benchmarks.md has the other options)
#   gemm       matrix products, large and small, against OpenBLAS; the last line is
#              min_over_openblas_1t=... min_over_openblas_2t=... small_min=...
#   compile    how long compilations of the PolyBench kernels take, and how much memory; the last
#              line is p50_ms=... p95_ms=... max_ms=... peak_extra_mb=...
#   tiles      how good the predicted tiles of time and space are; the last line is
#              within_10_percent=NN/50 median_loss=...
#   oneshot    the PolyBench kernels, each called once by a program that knows its sizes, in the
#              program's first runs; the last line is run1=... run2=... run2_long=... best=...
#              best_long=... min_run1=... min_later=... identical=N/N (a quarter of an hour; --quick:
#              a minute)
#   verify     how many of the versions that these programs use were verified on a captured call; the
#              last line is versions=... verified=... percent=... identical=N/N (a quarter of an hour)
#   capture    what capturing a call costs the program; the last line is
#              max_over_model=... min_over_model=...
#   solvers    what whole solvers gain, beside the same with OpenMP by hand; the last line is
#              geomean=... min=... over_openmp=... identical=... (five minutes)
#   contract   memory and time of values with places of their own, joined and not; the last line is
#              bytes_ratio=... min=... identical=... (three minutes; --quick: seconds)
#   balance    how threads balance nests with few rows, or rows of different lengths; the last line is
#              balance=... over_static=... identical=... (two minutes)
#   busy       what OpenMP programs lose that use all processors themselves; the last line is
#              lost_percent=...
#   programs   whether programs gain what is claimed, and none becomes slower; the last line is
#              claims_off_percent=... min_ratio=... after4_min=... solver_cpu_s=... solver_runs=...
#   irregular  what programs gain that static analysis cannot model; the last line has the times
#              faster than clang for each class: CLASS=.../... ... identical=yes
#   sparse     what programs over compressed sparse rows gain, beside what libraries take; the last
#              line has the times faster than clang for each row: ROW=.../... ... min_unstructured=...
#              identical=yes (half an hour; --quick: ten minutes)
#   folding    how many points of streams are folded per second; the last line is
#              points_per_s=... sampled_percent=... max_call_ms=...
#   feedback   what is said of the loops of programs in the manner of Rodinia; the last line is
#              kernels=... affine_percent=... pieces=...->...
#   watch      what it costs to know that memory is what it was; the last line is
#              pages_64k_us=... pages_1m_us=... pages_16m_us=... comparison_64k_us=...
#              arm_us_per_mb=... first_write_us=...
#   propagation  where dense programs leave nonzeros, for large matrices; the last line is
#              max_ms=... accuracy=...
#   zeros      what dense programs gain on arrays that are mostly zero, beside what libraries take;
#              the last line has the times faster than clang for each row: ROW=.../... ...
#              min_dense=... identical=yes (half an hour; --quick: some minutes)
#   storage    what solvers written as dense loops gain on sparse matrices; the last line has the times
#              faster than clang for each row: ROW=.../... ... min=... min_dense=... identical=yes
#              (a quarter of an hour; --quick: three minutes)
#   loops      what instrumentation costs small loops, and what versions gain; the last line is
#              loops=N disabled_geomean=... disabled_min=... warm_geomean=... warm_min=...
#              identical=... (ten minutes; --quick: two)
#   pipeline   nests that take turns, and loops that threads share under a check of data; the last line
#              is pipeline=... guarded=... identical=... (three minutes)
#   fine       what it costs programs whose loops take ten to some hundred nanoseconds; the last line
#              is disabled_min=... observe_min=... warm_min=... identical=...
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

read_arguments "$@"
name='' options=()
for word in "${arguments[@]}"; do
  case $word in
  -*) options+=("$word") ;;
  *) name=$word ;;
  esac
done
[[ -f bench/$name.py ]] ||
  die "unknown benchmark '$name'; known: dispatch, footprint, warmstart, polybench, gemm, compile," \
    "tiles, oneshot, busy, programs, irregular, folding, feedback, sparse, watch, propagation," \
    "zeros, storage, loops, fine, verify, capture, solvers, contract, balance, pipeline"

install_dependencies
build release "bench-$name"
say "Running bench-$name"
case $name in
footprint | oneshot | busy | programs | irregular | feedback | sparse | zeros | storage | loops | fine | verify | solvers | balance | pipeline)
  subject=build/release
  ;;
polybench | gemm | compile) subject=build/release/bin/polybench ;; # a directory of programs
*) subject=build/release/bin/bench-$name ;;
esac
exec python3 "bench/$name.py" "$subject" "${options[@]}"
