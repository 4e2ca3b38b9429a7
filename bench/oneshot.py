#!/usr/bin/env python3
# bench/oneshot.py - kernels that a program calls once, in the first runs of that program
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: oneshot.py BUILD [--kernels=A,B,...] [--sizes=MEDIUM,LARGE] [--threads=N] [--quick] [...]

The kernels of PolyBench as programs of their own (bench/polybench/oneshot.c): sizes are constants,
the kernel is inlined into main and called once. Runs 1 to 6 from an empty cache, each beside a run of
the same program as built by clang -O3 (bench/paired.py). What is timed is the kernel by the program's
own clock, everything included that its call waits for; what specrt adds to the rest of the process,
its start and its end, is shown beside it. Prints a table of the ratios plain / specrt, and as last line

    run1=... run2=... run2_long=... best=... best_long=... min_run1=... min_later=... identical=N/N

run1, run2_long and best_long are geometric means over the kernels that take clang's build 1 s or more,
run2 and best over all, both at the largest size; best is the best of all runs. min_run1 and min_later
are the least ratio in the first and in any later run of those that take 0.1 s or more at any size.
identical counts kernels all of whose arrays have clang's bits in all runs; if any has not, the exit
status is 1.
"""
import argparse
import math
import pathlib
import statistics
import sys
import tempfile

import paired

measure = paired.measure
CLASSES = ("MINI", "SMALL", "MEDIUM", "LARGE")
LONG, SHORT = 1.0, 0.1  # seconds of the plain build


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench.sh oneshot")
    paired.add_options(parser, 120)
    parser.add_argument("--kernels", type=paired.names_of(measure.POLYBENCH), default=measure.POLYBENCH)
    parser.add_argument("--sizes", type=paired.names_of(CLASSES), help="default: MEDIUM,LARGE")
    parser.add_argument("--repetitions", type=int,
                        help="rounds (default: 5, 3 from 0.1 s on, 1 from 0.5 s on)")
    options = parser.parse_args()
    paired.check_options(parser, options)
    options.threads = options.threads or len(measure.processors(2))
    options.sizes = options.sizes or (["MEDIUM"] if options.quick else ["MEDIUM", "LARGE"])
    options.sizes.sort(key=CLASSES.index)
    return options


def build(toolchain, options):
    """[(kernel, size, program)]"""
    folder = paired.BENCH / "polybench"
    language = ["-std=gnu23", "-DPOLYBENCH_VLA"]
    data = [toolchain.object(folder / name, ["-O2"] + language)
            for name in ("oneshot_data.c", "arrays.c")]

    def one(case):
        kernel, size = case
        flags = paired.OPTIMIZE + language + [f'-DKERNEL_FILE="kernels/{kernel}.c"',
                                              f"-DSIZE_CLASS={CLASSES.index(size)}"]
        return kernel, size, toolchain.program(f"{kernel}-{size}", [folder / "oneshot.c"], flags,
                                               [*data, "-lm"])
    return paired.in_parallel(one, [(k, s) for s in options.sizes for k in options.kernels])


class Row:
    """One kernel at one size."""

    def __init__(self, kernel, size, program, options):
        self.kernel, self.size = kernel, size
        self.series = paired.Series(program, options, options.threads).measure(1)
        self.plain = self.series.plain_seconds()
        rounds = 1 if self.plain >= 5 * SHORT else 3 if self.plain >= SHORT else 5
        self.series.measure(options.repetitions or rounds)
        self.plain = self.series.plain_seconds()
        self.ratios = [self.series.ratio(turn) for turn in range(options.runs)]
        self.identical = self.series.identical()

    def lost_ms(self):
        """In the first run."""
        return 1e3 * self.series.median(0, lambda plain, specrt: specrt.seconds - plain.seconds)

    def outside_ms(self):
        """The most that a run adds outside of the kernel, by medians."""
        def outside(run):
            return run.wall - run.seconds
        return 1e3 * max(self.series.median(turn, lambda plain, specrt: outside(specrt) -
                                            outside(plain)) for turn in range(len(self.ratios)))

    def cells(self):
        return [self.kernel, self.size, measure.duration(self.plain),
                *(f"{ratio:.2f}" for ratio in self.ratios), f"{max(self.ratios):.2f}",
                f"{self.lost_ms():.1f}", f"{self.outside_ms():.1f}",
                "yes" if self.identical else "NO"]


def print_rows(rows, options):
    print(f"\nTimes faster than clang -O3 in runs 1 to {options.runs} from an empty cache, "
          f"{options.threads} thread(s), {paired.processor_name()}")
    header = ["kernel", "size", "clang", *(f"run {n + 1}" for n in range(options.runs)), "best",
              "run 1 loses ms", "outside ms", "identical"]
    measure.print_table(header, [row.cells() for row in rows])
    for size in options.sizes:
        means = [measure.geometric_mean(row.ratios[turn] for row in rows if row.size == size)
                 for turn in range(options.runs)]
        print(f"{size}: geometric means of runs 1 to {options.runs}: "
              + " ".join(f"{mean:.2f}" for mean in means))
    short = [row for row in rows if row.plain < SHORT]
    if short:
        worst = max(short, key=Row.lost_ms)
        print(f"shorter than {SHORT:g} s: run 1 loses {worst.lost_ms():.1f} ms at most "
              f"({worst.kernel}, {worst.size})")
    print(f"outside of the kernel: {statistics.median(map(Row.outside_ms, rows)):.1f} ms more in "
          f"the middle, {max(map(Row.outside_ms, rows)):.1f} ms at most")


def summary(rows, options):
    largest = [row for row in rows if row.size == options.sizes[-1]]
    long = [row for row in largest if row.plain >= LONG]
    timed = [row for row in rows if row.plain >= SHORT]
    mean = measure.geometric_mean
    figures = {
        "run1": mean(row.ratios[0] for row in long),
        "run2": mean(row.ratios[1] for row in largest),
        "run2_long": mean(row.ratios[1] for row in long),
        "best": mean(max(row.ratios) for row in largest),
        "best_long": mean(max(row.ratios) for row in long),
        "min_run1": min((row.ratios[0] for row in timed), default=math.nan),
        "min_later": min((min(row.ratios[1:]) for row in timed), default=math.nan)}
    same = sum(row.identical for row in rows)
    return " ".join(f"{name}={value:.2f}" for name, value in figures.items()) + \
        f" identical={same}/{len(rows)}"


def main():
    options = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="specrt-bench-", ignore_cleanup_errors=True) as folder:
        programs = build(paired.Toolchain(options.build, pathlib.Path(folder)), options)
        rows = []
        for kernel, size, program in programs:
            rows.append(Row(kernel, size, program, options))
            print("  " + "  ".join(rows[-1].cells()), file=sys.stderr, flush=True)
    print_rows(rows, options)
    paired.finish(options, [row.series for row in rows])
    print(summary(rows, options))
    sys.exit(not all(row.identical for row in rows))


if __name__ == "__main__":
    main()
