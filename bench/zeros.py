#!/usr/bin/env python3
# bench/zeros.py - what dense programs gain on arrays that are mostly zero
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: zeros.py BUILD [--rows=A,B,...] [--threads=N,...] [--repetitions=N] [--all] [--quick] [...]

Programs of bench/zeros/: a matrix times a vector (2048 rows), times one of 256 columns (1024), times
its own transpose (600), and sweeps of Jacobi, from a start of which one unknown in 97 is not zero, as
dense loops over doubles. Matrices are dense arrays of which 100, 50, 10, 2 or 0.5 % are not zero: at
random, in a band, in blocks of 8 x 8, on the diagonal and at random, in an arrow. Times are those that
the programs measure around their calls, lists and guards included. The first run begins with an empty
cache, each run beside one of the same program as built by clang -O3 -march=native (bench/paired.py).

Beside them OpenBLAS on the same dense arrays, and Eigen on matrices converted to compressed rows, where
they are installed; what the conversion takes stands in a column of its own.

Patterns other than random are measured at 2 %, with --all at every density. The last line has the ratio
of the second run for each row, with one thread, a slash, and with the largest number of threads:

    ROW=.../... ROW=.../... min_dense=... identical=yes

where min_dense is the smallest of the rows with 50 and 100 %. Exits with 1 when a program computes
something else.
"""
import argparse
import dataclasses
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

import paired

measure = paired.measure
FOLDER = paired.BENCH / "zeros"
SECOND = 1
PATTERNS = ("random", "banded", "block", "diagonal", "arrow")
PERCENTS = ("100", "50", "10", "2", "0.5")
CALLS = {"gemv": 200, "gemm": 15, "syrk": 20, "jacobi": 200}
LIBRARIES = {"openblas": ("cblas.h", "-lopenblas"), "eigen": ("eigen3/Eigen/Sparse", None)}


@dataclasses.dataclass(frozen=True)
class Row:
    kernel: str
    pattern: str
    percent: str

    @property
    def name(self):
        return f"{self.kernel}-{self.pattern}-{self.percent}"

    @property
    def is_dense(self):
        return float(self.percent) >= 50

    def arguments(self, quick):
        calls = CALLS[self.kernel]
        return self.pattern, self.percent, str(max(calls // 3, 12) if quick else calls)


def rows(everything):
    return [Row(kernel, pattern, percent) for kernel in CALLS for pattern in PATTERNS
            for percent in PERCENTS
            if pattern == "random" or (percent != "100" if everything else percent == "2")]


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench.sh zeros")
    paired.add_options(parser, 120, runs=3, threads=paired.numbers)
    parser.add_argument("--rows", type=paired.names_of([row.name for row in rows(True)]))
    parser.add_argument("--all", action="store_true", help="every pattern at every density")
    parser.add_argument("--repetitions", type=int, default=3, help="rounds (default: 3)")
    options = parser.parse_args()
    paired.check_thread_counts(parser, options)
    options.rows = [row for row in rows(True) if row.name in options.rows] if options.rows \
        else rows(options.all)
    return options


class Builds:
    def __init__(self, options, folder):
        self.toolchain, self.folder = paired.Toolchain(options.build, folder), folder
        self.flags = ["-std=c++20", f"-I{FOLDER}", f"-I{paired.BENCH / 'sparse'}",
                      f"-I{paired.PROGRAMS}", f"-I{paired.BENCH.parent / 'examples'}",
                      *paired.OPTIMIZE]
        self.common = [self.toolchain.object(FOLDER / "zeros.cpp", self.flags),
                       self.toolchain.object(paired.BENCH / "sparse/sparse.cpp", self.flags),
                       paired.outcome(self.toolchain)]
        names = sorted({row.kernel for row in options.rows})
        self.programs = dict(zip(names, paired.in_parallel(self.program, names)))
        self.libraries = dict(filter(None, paired.in_parallel(self.library, LIBRARIES)))

    def program(self, name):
        return self.toolchain.program(name, [FOLDER / f"{name}.cpp"], self.flags, self.common)

    def library(self, name):
        header, link = LIBRARIES[name]
        found = [folder for folder in ("/usr/include", "/usr/include/x86_64-linux-gnu")
                 if pathlib.Path(folder, header).exists()]
        if not found:
            print(f"{name} is not installed: its column is left out", file=sys.stderr)
            return None
        path = self.folder / f"{name}-library"
        self.toolchain.run(["clang++-22", *self.flags, "-isystem", "/usr/include/eigen3",
                            FOLDER / f"libraries/{name}.cpp", *self.common,
                            *([link] if link else []), "-o", path])
        return name, path


class Measured:
    def __init__(self, row, series, libraries, conversion):
        self.row, self.series, self.libraries = row, series, libraries
        self.conversion = conversion

    def call(self, turn):
        return self.series.median(turn, lambda _, specrt: per_call(specrt))

    def candidates(self):
        regions = self.series.rounds[-1][SECOND][1].report.get("regions", [])
        return sorted({version["candidate"] for region in regions
                       for version in region["versions"] if version["hits"]})


def per_call(run):
    return run.seconds / run.outcome.get("calls", math.nan)


def conversion_seconds(command):
    """What Eigen's program says it took to convert the matrix."""
    finished = subprocess.run(command, capture_output=True, text=True)
    words = finished.stdout.split()
    if finished.returncode != 0 or len(words) < 2:
        sys.exit(f"error: {' '.join(map(str, command))} says no time of Eigen's conversion\n"
                 f"{finished.stderr}")
    return float(words[1])


def measure_row(builds, row, options, threads):
    print(f"  {row.name}, {threads} thread{'s' if threads > 1 else ''}", file=sys.stderr, flush=True)
    program = dataclasses.replace(builds.programs[row.kernel], name=row.name,
                                  arguments=row.arguments(options.quick))
    series = paired.Series(program, options, threads, with_reports=True,
                           processors=len(measure.processors(1 << 20)))
    series.measure(options.repetitions)
    times, conversion = {}, math.nan
    settings = {"OPENBLAS_NUM_THREADS": str(threads), "OMP_NUM_THREADS": str(threads)}
    for name, path in builds.libraries.items():
        command = [path, row.kernel, *row.arguments(True)]
        runs = [paired.run_once(command, settings, threads, options.limit)
                for _ in range(options.repetitions)]
        times[name] = statistics.median(map(per_call, runs))
        if name == "eigen":
            conversion = conversion_seconds(command)
    return Measured(row, series, times, conversion)


def times(number):
    return "-" if math.isnan(number) else f"{number:.2f}"


def print_table(threads, measured, builds, options):
    print(f"\nWith {threads} thread{'s' if threads > 1 else ''} ({paired.processor_name()}): seconds "
          "per call, times faster than clang -O3 -march=native")
    runs = range(options.runs)
    names = list(builds.libraries)
    measure.print_table(
        ["row", "clang", "specrt", *(f"run {turn + 1}" for turn in runs), "steady", *names,
         "Eigen's conversion", "candidates", "identical"],
        [[one.row.name, measure.duration(one.series.plain_seconds(per_call)),
          measure.duration(one.call(SECOND)), *(times(one.series.ratio(turn)) for turn in runs),
          times(one.series.ratio(SECOND, paired.steady)),
          *(measure.duration(one.libraries[name]) for name in names),
          "" if math.isnan(one.conversion) else measure.duration(one.conversion),
          ", ".join(one.candidates()) or "original",
          "yes" if one.series.identical() else "NO"] for one in measured])


def main():
    options = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="specrt-bench-", ignore_cleanup_errors=True) as folder:
        builds = Builds(options, pathlib.Path(folder))
        tables = {threads: [measure_row(builds, row, options, threads) for row in options.rows]
                  for threads in options.threads}
        for threads, measured in tables.items():
            print_table(threads, measured, builds, options)
    everything = [one for measured in tables.values() for one in measured]
    paired.finish(options, [one.series for one in everything])
    paired.print_ratios([[(one.row.name, one.series) for one in measured]
                         for measured in tables.values()], SECOND)
    dense = [one.series.ratio(SECOND) for one in everything if one.row.is_dense]
    identical = all(one.series.identical() for one in everything)
    print(f"min_dense={times(min(dense, default=math.nan))} identical={'yes' if identical else 'no'}")
    return 0 if identical else 1


if __name__ == "__main__":
    sys.exit(main())
