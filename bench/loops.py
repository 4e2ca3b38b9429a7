#!/usr/bin/env python3
# bench/loops.py - what instrumentation costs small loops, and what versions gain
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: loops.py BUILD [--loops=A,B,...] [--classes=A,B,...] [--forms=one,many] [--repetitions=N] [--quick] [...]

The loops of bench/loops/classes/, of all classes that test suites for compilers which vectorise have, on
global arrays and on arrays behind pointers. They are compiled both as one file and as many, by clang -O3
-march=native and by specrt's driver; the driver that calls them by clang alone. Each is called so often
that clang's build takes --milliseconds. Times are the processor time of the thread that calls, so that
other programs disturb them less; wall-clock times are summed up beside them.

A round of each form runs, each beside a run of the plain build (bench/paired.py): the plain build itself,
which shows the noise; the instrumented one with SPECRT_DISABLE=1; and three runs with one cache, of
which the last one is called warm. Loops of some milliseconds end before they are compiled, so the runs
before the warm one wait for every compilation and compile what takes 2 ms; --setting=SPECRT_COMPILE=background makes them go on
beside it. Ratios are plain / specrt, medians over rounds. Prints a table of all loops, one of all
classes, and as last line

    loops=N disabled_geomean=... disabled_min=... warm_geomean=... warm_min=... identical=yes|no

with geometric means and minima over all loops in both forms. Exits with 1 when a loop computes
something else.
"""
import argparse
import dataclasses
import math
import pathlib
import re
import statistics
import sys
import tempfile

import paired

measure = paired.measure
FOLDER = paired.BENCH / "loops"
CLASSES = {path.stem: path for path in sorted((FOLDER / "classes").glob("*.cpp"))}
LOOPS = {name: stem for stem, path in CLASSES.items()
         for name in re.findall(r"^LOOP\((\w+)\);$", path.read_text(), re.MULTILINE)}
FORMS = ("one", "many")
FLAGS = ["-std=c++20", *paired.OPTIMIZE, f"-I{FOLDER}", f"-I{paired.PROGRAMS}"]


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench.sh loops")
    paired.add_options(parser, 300, runs=3)
    parser.add_argument("--loops", type=paired.names_of(LOOPS))
    parser.add_argument("--classes", type=paired.names_of(CLASSES), default=list(CLASSES))
    parser.add_argument("--forms", type=paired.names_of(FORMS), default=list(FORMS),
                        help="all loops in one file, in many files (default: both)")
    parser.add_argument("--milliseconds", type=float, default=10,
                        help="that each loop takes clang's build (default: 10)")
    parser.add_argument("--repetitions", type=int, default=6,
                        help="rounds (default: 6; even, so that each build is first equally often)")
    options = parser.parse_args()
    paired.check_options(parser, options)
    if not options.milliseconds > 0:
        parser.error("--milliseconds must be positive")
    options.threads = options.threads or 1
    options.loops = options.loops or [name for name, stem in LOOPS.items() if stem in options.classes]
    return options


# --- Builds

def build(toolchain, options):
    """The programs of all forms, without arguments."""
    driver = [toolchain.object(FOLDER / "driver.cpp", FLAGS), paired.outcome(toolchain)]
    classes = {LOOPS[name]: CLASSES[LOOPS[name]] for name in options.loops}
    sources = [FOLDER / "arrays.cpp", FOLDER / "elsewhere.cpp", *classes.values()]
    all_in_one = toolchain.folder / "one.cpp"
    all_in_one.write_text("".join(f'#include "{path}"\n' for path in sources))
    of_form = {"one": [all_in_one], "many": sources}
    return paired.in_parallel(lambda form: toolchain.program(form, of_form[form], FLAGS, driver),
                              options.forms)


def with_calls(program, options):
    """As many calls of each loop as take the plain build --milliseconds."""
    command = [program.plain, f"--seconds={1e-3 * options.milliseconds}"]
    run = paired.run_once(command, {}, 1, options.limit)
    if run.problem:
        sys.exit(f"error: {' '.join(map(str, command))}: {run.problem}")
    calls = run.outcome["calls"]
    return dataclasses.replace(program, arguments=tuple(f"{name}={calls[name]}"
                                                        for name in options.loops))


# --- Measurements

class Row:
    """One loop in one form."""

    def __init__(self, name, form, modes, calls):
        self.name, self.form, self.modes, self.calls = name, form, modes, calls

    def ratio(self, mode, clock="processor_seconds"):
        return self.modes[mode].ratio(paired.LAST, lambda run: self.result(run).get(clock, math.nan))

    def result(self, run):
        return run.outcome.get("loops", {}).get(self.name, {})

    def seconds_per_call(self):
        def processor(run):
            return self.result(run).get("processor_seconds", math.nan)
        return self.modes["noise"].plain_seconds(processor) / self.calls

    def is_identical(self):
        return len({self.result(run).get("checksum") for series in self.modes.values()
                    for run in series.runs()}) == 1

    def cells(self):
        return [self.name, LOOPS[self.name], self.form, measure.duration(self.seconds_per_call()),
                *(f"{self.ratio(mode):.3f}" for mode in self.modes),
                "yes" if self.is_identical() else "NO"]


def print_loops(rows, modes):
    print("\nTimes faster than clang -O3 -march=native, each loop")
    measure.print_table(["loop", "class", "files", "clang", *modes, "identical"],
                        [row.cells() for row in rows])


def print_classes(rows, modes):
    def cells(title, of_class):
        ratios = [[row.ratio(mode) for row in of_class] for mode in modes]
        return [title, str(len(of_class)),
                *(f"{function(numbers):.3f}" for numbers in ratios
                  for function in (measure.geometric_mean, min))]

    print("\nTimes faster, geometric mean and minimum of each class in all forms")
    stems = list(dict.fromkeys(LOOPS[row.name] for row in rows))
    measure.print_table(["class", "rows", *(f"{mode}{end}" for mode in modes for end in ("", " min"))],
                        [cells(stem, [row for row in rows if LOOPS[row.name] == stem])
                         for stem in stems])


def print_versions(forms):
    """What reports of the last round say; \p forms: {form: {mode: Series}}."""
    print()
    for form, series in forms.items():
        _, run = series["warm"].rounds[-1][paired.LAST]
        regions = run.report.get("regions", [])
        with_hits = sum(region["hits"] > 0 for region in regions)
        print(f"warm, {form}: versions ran in {with_hits} of {len(regions)} regions")


def print_noise(rows, modes):
    ratios = [row.ratio("noise") for row in rows]
    walls = " ".join(f"{mode}={measure.geometric_mean(row.ratio(mode, 'seconds') for row in rows):.3f}"
                     for mode in modes)
    print(f"by wall-clock time, geometric means: {walls}\n"
          f"noise, plain against plain: noise_geomean={measure.geometric_mean(ratios):.3f} "
          f"noise_min={min(ratios):.3f} noise_median={statistics.median(ratios):.3f} "
          f"noise_max={max(ratios):.3f}\n{paired.processor_name()}")


def main():
    options = parse_arguments()
    modes = [paired.NOISE, paired.DISABLED,
             paired.warm(options, preparing=("SPECRT_COMPILE=sync", "SPECRT_HOT=2"), reports=True)]
    rows, forms = [], {}
    with tempfile.TemporaryDirectory(prefix="specrt-bench-", ignore_cleanup_errors=True) as folder:
        for program in build(paired.Toolchain(options.build, pathlib.Path(folder)), options):
            program = with_calls(program, options)
            series = paired.measure_modes(program, modes, options, options.threads,
                                          len(measure.processors(1 << 20)))
            calls = dict(word.split("=") for word in program.arguments)
            rows += [Row(name, program.name, series, int(calls[name])) for name in options.loops]
            forms[program.name] = series
    names = [mode.name for mode in modes]
    print_loops(rows, names)
    print_classes(rows, names)
    print_versions(forms)
    print_noise(rows, names)
    all_series = [one for series in forms.values() for one in series.values()]
    paired.finish(options, all_series)
    identical = all(series.identical() for series in all_series)
    figures = " ".join(f"{mode}_geomean={measure.geometric_mean(ratios):.3f} "
                       f"{mode}_min={min(ratios):.3f}"
                       for mode in ("disabled", "warm")
                       for ratios in [[row.ratio(mode) for row in rows]])
    print(f"loops={len(options.loops)} {figures} identical={'yes' if identical else 'no'}")
    return 0 if identical else 1


if __name__ == "__main__":
    sys.exit(main())
