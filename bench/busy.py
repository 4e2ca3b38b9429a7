#!/usr/bin/env python3
# bench/busy.py - what programs lose whose own threads use all processors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: busy.py BUILD [--programs=A,B,...] [--threads=N] [--repetitions=N] [--quick] [...]

OpenMP programs of 0.1 to 1 s with as many threads as processors: a factorisation by blocks, in which
threads wait for each other all the time, a reduction, and the example openmp. The first runs
from an empty cache, each beside a run of the same program as built by clang -O3 (bench/paired.py).
What is timed is the whole process. Prints for each run what it lost, in percent of the plain build's
time, and of that how much by the program's own clock, and as last line

    lost_percent=...

the most that any run of any program lost, by medians over rounds; a gain counts as 0. Exits with 1 when
a program computes something else.
"""
import argparse
import math
import sys

import paired

measure = paired.measure
PROGRAMS = ("factorisation", "openmp", "reduction")


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench.sh busy")
    paired.add_options(parser, 60, runs=4)
    parser.add_argument("--programs", type=paired.names_of(PROGRAMS), default=list(PROGRAMS))
    parser.add_argument("--repetitions", type=int, default=25, help="rounds (default: 25)")
    options = parser.parse_args()
    paired.check_options(parser, options)
    options.threads = options.threads or len(measure.processors(1 << 20))
    return options


def loss(series, turn, of):
    """In percent of the plain run; a run that failed loses everything."""
    value = 100 * series.median(turn, lambda plain, specrt: of(specrt) / of(plain) - 1)
    return 100.0 if math.isnan(value) else value


def print_table(all_series, options):
    print(f"\nLost by whole processes, and by their programs' own clocks (all processors busy, "
          f"{options.threads} threads, {paired.processor_name()})")
    header = ["program", "clang", *(f"run {n + 1}" for n in range(options.runs)), "identical"]
    rows = []
    for series in all_series:
        losses = [f"{loss(series, turn, lambda run: run.wall):.1f} % "
                  f"({loss(series, turn, lambda run: run.seconds):.1f} %)"
                  for turn in range(options.runs)]
        rows.append([series.program.name, measure.duration(series.plain_seconds(lambda r: r.wall)),
                     *losses, "yes" if series.identical() else "NO"])
    measure.print_table(header, rows)


def main():
    options = parse_arguments()
    all_series = paired.measure_programs(options, lambda name: ["-fopenmp"])
    print_table(all_series, options)
    paired.finish(options, all_series)
    worst = max(loss(series, turn, lambda run: run.wall)
                for series in all_series for turn in range(options.runs))
    print(f"lost_percent={max(0.0, worst):.1f}")
    sys.exit(not all(series.identical() for series in all_series))


if __name__ == "__main__":
    main()
