#!/usr/bin/env python3
# bench/storage.py - what solvers written as dense loops gain on sparse matrices
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: storage.py BUILD [--rows=A,B,...] [--side=N] [--threads=N,...] [--repetitions=N] [--quick] [...]

Kernels of bench/storage/, dense loops over the five-point matrix of a square grid of --side times --side
points (default 40, so 1600 rows), stored densely, its unknowns in the order of nested dissection: LU and
Cholesky factorisations in place, each call of another matrix; triangular solves with the factors and
sweeps of Gauss-Seidel with the matrix, each call with another right-hand side; the product of two such
matrices and a chain of three; products with the matrix and its transpose, the one by rows and the other
by columns. *forward-band* is the solve with a band that fills 2 % of the matrix. Rows that end with *half* and
*full* have matrices with 50 and 100 % nonzero elements, from which nothing can be gained but by other means.
Times are those that the program measures around its calls, lists and checks included. The
first run begins with an empty cache, each run beside one of the same program as built by clang -O3
-march=native (bench/paired.py). *Later half* is the median call of the second half of the second run. *Break even* is the number of calls
after which the first run has taken less time than clang's build.

The last line has the ratio of the later half for each row, with one thread, a slash, and with the largest
number of threads:

    ROW=.../... ROW=.../... min=... min_dense=... identical=yes

where min is of the rows with sparse matrices, and min_dense of the others. Exits with 1 when a program computes something else.
"""
import argparse
import dataclasses
import math
import pathlib
import sys
import tempfile

import paired

measure = paired.measure
FOLDER = paired.BENCH / "storage"
SECOND = 1
CALLS = {"lu": 6, "lu-rows": 6, "cholesky": 6, "cholesky-products": 6, "forward": 300, "forward-memory": 300,
         "forward-columns": 300, "backward": 300, "seidel-if": 300, "seidel-subtract": 300,
         "seidel-two": 300, "product": 4, "chain": 4, "both-directions": 300, "forward-band": 300}
DENSE_CALLS = {"lu-full": 6, "forward-half": 300, "forward-full": 300, "seidel-half": 300, "seidel-full": 300}
CALLS |= DENSE_CALLS


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench.sh storage")
    paired.add_options(parser, 300, runs=3, threads=paired.numbers)
    parser.add_argument("--rows", type=paired.names_of(list(CALLS)), default=list(CALLS))
    parser.add_argument("--side", type=int, default=40, help="points of the grid's side (default: 40)")
    parser.add_argument("--repetitions", type=int, default=3, help="rounds (default: 3)")
    options = parser.parse_args()
    paired.check_thread_counts(parser, options)
    return options


def build(options, folder):
    toolchain = paired.Toolchain(options.build, folder)
    flags = ["-std=c++20", f"-I{FOLDER}", f"-I{paired.BENCH / 'sparse'}", f"-I{paired.PROGRAMS}",
             f"-I{paired.BENCH.parent / 'examples'}", *paired.OPTIMIZE]
    common = [toolchain.object(FOLDER / "grid.cpp", flags),
              toolchain.object(paired.BENCH / "sparse/sparse.cpp", flags), paired.outcome(toolchain)]
    return toolchain.program("storage", [FOLDER / "storage.cpp"], flags, common)


def measure_row(program, row, options, threads):
    print(f"  {row}, {threads} thread{'s' if threads > 1 else ''}", file=sys.stderr, flush=True)
    calls = max(CALLS[row] // 10, 4) if options.quick else CALLS[row]
    series = paired.Series(dataclasses.replace(program, name=row,
                                               arguments=(row, str(options.side), str(calls))),
                           options, threads, with_reports=True,
                           processors=len(measure.processors(1 << 20)))
    series.measure(options.repetitions)
    return series


def candidates(series):
    regions = series.rounds[-1][SECOND][1].report.get("regions", [])
    return sorted({version["candidate"] for region in regions
                   for version in region["versions"] if version["hits"]})


def times(number):
    return "-" if math.isnan(number) else f"{number:.2f}"


def print_table(threads, measured, options):
    print(f"\nWith {threads} thread{'s' if threads > 1 else ''} ({paired.processor_name()}), "
          f"{options.side ** 2} rows: seconds per call, times faster than clang -O3 -march=native")
    measure.print_table(
        ["row", "clang", "later half", *(f"run {turn + 1}" for turn in range(options.runs)), "break even",
         "candidates", "identical"],
        [[row, measure.duration(series.plain_seconds(paired.steady)), times(series.ratio(SECOND, paired.steady)),
          *(times(series.ratio(turn)) for turn in range(options.runs)), series.break_even(),
          ", ".join(candidates(series)) or "original", "yes" if series.identical() else "NO"]
         for row, series in measured])


def main():
    options = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="specrt-bench-", ignore_cleanup_errors=True) as folder:
        program = build(options, pathlib.Path(folder))
        tables = {threads: [(row, measure_row(program, row, options, threads)) for row in options.rows]
                  for threads in options.threads}
        for threads, measured in tables.items():
            print_table(threads, measured, options)
    everything = [series for measured in tables.values() for _, series in measured]
    paired.finish(options, everything)
    ratios = {row: [series.ratio(SECOND, paired.steady) for measured in tables.values()
                    for name, series in measured if name == row] for row in options.rows}
    identical = all(series.identical() for series in everything)
    print(" ".join(f"{row}={'/'.join(map(times, found))}" for row, found in ratios.items()),
          *(f"{name}={times(min(map(min, found), default=math.nan))}" for name, found in
            (("min", [ratios[row] for row in ratios if row not in DENSE_CALLS]),
             ("min_dense", [ratios[row] for row in ratios if row in DENSE_CALLS]))),
          f"identical={'yes' if identical else 'no'}")
    return 0 if identical else 1


if __name__ == "__main__":
    sys.exit(main())
