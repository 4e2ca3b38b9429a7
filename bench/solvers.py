#!/usr/bin/env python3
# bench/solvers.py - what whole solvers gain, and what a person gains in them with OpenMP
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: solvers.py BUILD [--programs=A,B,...] [--threads=N,...] [--repetitions=N] [--quick] [...]

The programs of bench/solvers/ in serial C++: a multigrid cycle, a Fourier method, line solves with
blocks of five variables and with scalars, SSOR sweeps, shock hydrodynamics on a mesh of hexahedra, and
molecular dynamics with cells. Bounds and arrays are static variables, and work arrays are used again
in each iteration. Each program verifies its result.

A round runs, each beside a run of the plain build (bench/paired.py): specrt's build --runs times from an
empty cache on, and with several threads once the plain build with -fopenmp, which makes use of
the pragmas in the same source. Times are those that programs measure themselves. Prints as last line

    geomean=... min=... over_openmp=... identical=yes|no

of run 2 with the largest number of threads: geometric mean and minimum of plain / specrt, and the
geometric mean of OpenMP / specrt. Exits with 1 when a program computes something else.
"""
import argparse
import dataclasses
import math
import pathlib
import sys
import tempfile

import paired

measure = paired.measure
FOLDER = paired.BENCH / "solvers"
# Arguments with which a run takes some ten milliseconds.
SMALL = {"multigrid": [6, 8], "fourier": [6, 6, 6, 5], "block_lines": [12, 20],
         "scalar_lines": [16, 20], "ssor": [16, 15], "hydro": [10, 50], "molecules": [4, 80]}
PROGRAMS = tuple(SMALL)
SECOND = 1  # the turn that the last line is about
# Without it threads may share a processor for a whole run.
BINDING = ["OMP_PROC_BIND=true", "OMP_PLACES=cores"]


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench.sh solvers")
    paired.add_options(parser, 120, runs=3, threads=paired.numbers)
    parser.add_argument("--programs", type=paired.names_of(PROGRAMS), default=list(PROGRAMS))
    parser.add_argument("--small", action="store_true", help="small problems: to see that all works")
    parser.add_argument("--repetitions", type=int, default=3, help="rounds (default: 3)")
    options = parser.parse_args()
    paired.check_thread_counts(parser, options)
    return options


def build(toolchain, common, name, arguments):
    """A program, and the same with -fopenmp."""
    flags = [f"-I{FOLDER}"]
    program = paired.cpp_program(toolchain, common, name, flags, arguments, FOLDER)
    parallel = toolchain.program(f"{name}-openmp", [FOLDER / f"{name}.cpp"],
                                 ["-std=c++20", f"-I{paired.PROGRAMS}", *paired.OPTIMIZE, *flags,
                                  "-fopenmp"], [common])
    return program, dataclasses.replace(program, specrt=parallel.plain)


class Row:
    """One program with one number of threads."""

    def __init__(self, program, parallel, options, threads):
        def series(build, **own):
            return paired.Series(build, argparse.Namespace(**vars(options) | own), threads)

        self.name = program.name
        self.series = {"specrt": series(program)}
        if threads > 1:
            self.series["openmp"] = series(parallel, runs=1, setting=BINDING)
        for number in range(options.repetitions):
            for series in self.series.values():
                series.measure(number + 1)

    def ratio(self, turn):
        return self.series["specrt"].ratio(turn)

    def openmp(self):
        return self.series["openmp"].ratio(0) if "openmp" in self.series else math.nan

    def identical(self):
        return self.series["specrt"].identical()

    def cells(self, runs):
        return [self.name, measure.duration(self.series["specrt"].plain_seconds()),
                *(f"{self.ratio(turn):.2f}" for turn in range(runs)), f"{self.openmp():.2f}",
                "yes" if self.identical() else "NO"]


def measure_all(options):
    """{threads: [Row]}"""
    with tempfile.TemporaryDirectory(prefix="specrt-bench-", ignore_cleanup_errors=True) as folder:
        toolchain = paired.Toolchain(options.build, pathlib.Path(folder))
        common = paired.outcome(toolchain)
        builds = paired.in_parallel(
            lambda name: build(toolchain, common, name, SMALL[name] if options.small else ()),
            options.programs)
        measured = {}
        for threads in options.threads:
            measured[threads] = []
            for program, parallel in builds:
                print(f"  {program.name}, {threads}", file=sys.stderr, flush=True)
                measured[threads].append(Row(program, parallel, options, threads))
        return measured


def print_rows(threads, rows, options):
    print(f"\nTimes faster than clang -O3 -march=native in runs 1 to {options.runs} from an empty cache, "
          f"and with OpenMP, {threads} thread{'s' if threads > 1 else ''}, {paired.processor_name()}")
    measure.print_table(["program", "clang", *(f"run {n + 1}" for n in range(options.runs)), "OpenMP",
                         "identical"], [row.cells(options.runs) for row in rows])
    means = [measure.geometric_mean(row.ratio(turn) for row in rows) for turn in range(options.runs)]
    print(f"geometric means of runs 1 to {options.runs}: " + " ".join(f"{m:.2f}" for m in means))


def main():
    options = parse_arguments()
    measured = measure_all(options)
    for threads, rows in measured.items():
        print_rows(threads, rows, options)
    paired.finish(options, [series for rows in measured.values() for row in rows
                            for series in row.series.values()])
    rows = measured[max(measured)]
    ratios = [row.ratio(SECOND) for row in rows]
    over = measure.geometric_mean(row.ratio(SECOND) / row.openmp() for row in rows)
    identical = all(row.identical() for some in measured.values() for row in some)
    print(f"geomean={measure.geometric_mean(ratios):.2f} min={min(ratios):.2f} "
          f"over_openmp={over:.2f} identical={'yes' if identical else 'no'}")
    return 0 if identical else 1


if __name__ == "__main__":
    sys.exit(main())
