#!/usr/bin/env python3
# bench/irregular.py - what programs gain that static analysis cannot model
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: irregular.py BUILD [--programs=A,B,...] [--threads=N,...] [--repetitions=N] [--quick] [...]

Programs of bench/irregular/, one for each class of accesses, bounds and exits that no compiler
understands and that is regular all the same when the program runs: arrays of row pointers, index arrays,
packed triangles, squares as subscripts, strides in structures, calls into other files, exits that depend
on data, rows of a sparse matrix. Times are those that the programs measure themselves around the calls of
their loops. The first run begins with an empty cache, each beside a run of the same program as built
by clang -O3 -march=native (bench/paired.py); ratios are medians over rounds.

Programs may use all processors, so that compiling does not take their own; --threads is what versions may
use of them.

Prints a table for each number of threads, and as last line, for the second run,

    NAME=... NAME=... identical=yes

the times faster than clang with one thread, a slash, and with the largest number of threads. Exits with 1
when a program computes something else.
"""
import argparse
import sys

import paired

measure = paired.measure
FOLDER = paired.BENCH / "irregular"
PROGRAMS = tuple(sorted(path.stem for path in FOLDER.glob("*.cpp")
                        if not any(path.stem.startswith(other.stem + "_")
                                   for other in FOLDER.glob("*.cpp"))))


SECOND = 1


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench.sh irregular")
    paired.add_options(parser, 60, runs=3, threads=paired.numbers)
    parser.add_argument("--programs", type=paired.names_of(PROGRAMS), default=list(PROGRAMS))
    parser.add_argument("--repetitions", type=int, default=3, help="rounds (default: 3)")
    options = parser.parse_args()
    paired.check_thread_counts(parser, options)
    return options


def print_table(threads, all_series, options):
    print(f"\nTimes faster than clang -O3 -march=native with {threads} "
          f"thread{'s' if threads > 1 else ''} ({paired.processor_name()})")
    rows = [[series.program.name, measure.duration(series.plain_seconds()),
             *(f"{series.ratio(turn):.2f}" for turn in range(options.runs)),
             "yes" if series.identical() else "NO"] for series in all_series]
    measure.print_table(["class", "clang", *(f"run {n + 1}" for n in range(options.runs)),
                         "identical"], rows)


def main():
    options = parse_arguments()
    available = len(measure.processors(1 << 20))
    tables = {threads: paired.measure_programs(options, lambda name: [], sources=FOLDER,
                                               threads=threads, processors=available)
              for threads in options.threads}
    for threads, all_series in tables.items():
        print_table(threads, all_series, options)
    everything = [series for all_series in tables.values() for series in all_series]
    paired.finish(options, everything)
    identical = all(series.identical() for series in everything)
    paired.print_ratios([[(series.program.name, series) for series in all_series]
                         for all_series in tables.values()], SECOND)
    print(f"identical={'yes' if identical else 'no'}")
    return 0 if identical else 1


if __name__ == "__main__":
    sys.exit(main())
