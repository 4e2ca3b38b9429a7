#!/usr/bin/env python3
# bench/fine.py - what instrumentation costs programs whose loops take ten to some hundred nanoseconds
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: fine.py BUILD [--programs=A,B,...] [--threads=N] [--repetitions=N] [--quick] [...]

The programs of bench/fine/: a sparse factorisation by panels, traversals of a graph, a random generator that
refills its state, a parser of numbers, k-means point by point, and an OpenMP factorisation that copies
blocks with omp simd. Each is built by clang -O3 -march=native and by specrt's driver.

A round runs, each beside a run of the plain build (bench/paired.py): the plain build itself, which shows
the noise; the instrumented one with SPECRT_DISABLE=1; with SPECRT_COMPILE=off on an empty cache, which
observes and never compiles; and three runs with one cache, of which the last one is called warm. Times
are those that programs measure themselves; processor times meanwhile, which other programs disturb less
but which include compilations, and times of whole processes have tables of their own. Ratios are plain /
specrt, medians over rounds. Prints as last line

    disabled_min=... observe_min=... warm_min=... identical=yes|no

the least ratios of all programs. Exits with 1 when a program computes something else.
"""
import argparse
import math
import pathlib
import sys
import tempfile

import paired

measure = paired.measure
FOLDER = paired.BENCH / "fine"
FLAGS = {"supernodes": [], "graph": [], "generator": [], "parser": [], "clusters": [],
         "blocks": ["-fopenmp"]}


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench.sh fine")
    paired.add_options(parser, 60, runs=3)
    parser.add_argument("--programs", type=paired.names_of(FLAGS), default=list(FLAGS))
    parser.add_argument("--repetitions", type=int, default=10,
                        help="rounds (default: 10; even, so that each build is first equally often)")
    options = parser.parse_args()
    paired.check_options(parser, options)
    options.threads = options.threads or len(measure.processors(1 << 20))
    return options


def measure_all(options, modes):
    """{program: {mode: Series}}"""
    with tempfile.TemporaryDirectory(prefix="specrt-bench-", ignore_cleanup_errors=True) as folder:
        toolchain = paired.Toolchain(options.build, pathlib.Path(folder))
        common = paired.outcome(toolchain)
        programs = paired.in_parallel(
            lambda name: paired.cpp_program(toolchain, common, name, FLAGS[name], folder=FOLDER),
            options.programs)
        return {program.name: paired.measure_modes(program, modes, options, options.threads,
                                                   options.threads) for program in programs}


def processor_seconds(run):
    return run.outcome.get("processor_seconds", math.nan)


def print_table(title, measured, modes, of):
    print(f"\nTimes faster than clang -O3 -march=native, {title}")
    measure.print_table(
        ["program", "clang", *modes, "identical"],
        [[name, measure.duration(series["noise"].plain_seconds(of)),
          *(f"{series[mode].ratio(paired.LAST, of):.3f}" for mode in modes),
          "yes" if all(one.identical() for one in series.values()) else "NO"]
         for name, series in measured.items()])


def main():
    options = parse_arguments()
    modes = [paired.NOISE, paired.DISABLED, paired.OBSERVE, paired.warm(options)]
    measured = measure_all(options, modes)
    names = [mode.name for mode in modes]
    print_table("by programs' own clocks", measured, names, lambda run: run.seconds)
    print_table("processor time meanwhile", measured, names, processor_seconds)
    print_table("whole processes", measured, names, lambda run: run.wall)
    least = {mode: min(series[mode].ratio(paired.LAST) for series in measured.values())
             for mode in names}
    print(f"\n{options.threads} thread{'s' if options.threads > 1 else ''}, "
          f"{paired.processor_name()}\nnoise, plain against plain: noise_min={least['noise']:.3f}")
    all_series = [one for series in measured.values() for one in series.values()]
    paired.finish(options, all_series)
    identical = all(series.identical() for series in all_series)
    print(" ".join(f"{mode}_min={least[mode]:.3f}" for mode in names[1:]) +
          f" identical={'yes' if identical else 'no'}")
    return 0 if identical else 1


if __name__ == "__main__":
    sys.exit(main())
