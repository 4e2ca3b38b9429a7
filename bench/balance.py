#!/usr/bin/env python3
# bench/balance.py - how well threads balance nests whose rows are few or differ in length
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: balance.py BUILD [--programs=A,B,...] [--threads=N] [--repetitions=N] [--quick] [...]

The programs of bench/balance/: a lower and an upper triangle, a tetrahedron, three long rows, and three
planes of five long rows, one loop nest each, which a program calls some thousand times.

A round runs, each beside a run of the plain build (bench/paired.py): specrt's build --runs times from an
empty cache on, of which all but the last wait for compilations, and once the plain build with -fopenmp,
whose outermost loops have schedule(static).
Times are those that programs measure themselves around the calls. bench-balance adds what the
inversion of a rank takes, and the imbalance of 16 simulated workers. Prints as last line

    balance=... over_static=... identical=yes|no

of the last run: geometric means of plain / specrt and of static / specrt. Exits with 1 when a program
computes something else.
"""
import dataclasses
import json
import argparse
import pathlib
import subprocess
import sys
import tempfile

import paired

measure = paired.measure
FOLDER = paired.BENCH / "balance"
# Arguments with which a run takes some milliseconds.
SMALL = {"triangle": [300, 40], "shrinking_rows": [300, 40], "tetrahedron": [60, 40],
         "few_rows": [20000, 40], "few_planes": [4000, 40]}
# Without it threads may share a processor for a whole run.
BINDING = ["OMP_PROC_BIND=true", "OMP_PLACES=cores"]


class Row:
    """One program, by specrt and with a static split of the outermost loop."""

    def __init__(self, toolchain, common, name, options):
        arguments = SMALL[name] if options.small else ()
        self.name = name
        program = paired.cpp_program(toolchain, common, name, (), arguments, FOLDER)
        static = toolchain.program(f"{name}-static", [FOLDER / f"{name}.cpp"],
                                   ["-std=c++20", f"-I{paired.PROGRAMS}", *paired.OPTIMIZE, "-fopenmp"],
                                   [common], arguments)
        own = argparse.Namespace(**vars(options) | {"runs": 1, "setting": BINDING})
        self.specrt = paired.Series(program, options, options.threads, with_reports=True,
                                    preparing=["SPECRT_COMPILE=sync"])
        self.static = paired.Series(dataclasses.replace(static, specrt=static.plain, plain=program.plain),
                                    own, options.threads)

    def measure(self, options):
        print(f"  {self.name}", file=sys.stderr, flush=True)
        for number in range(options.repetitions):
            self.specrt.measure(number + 1)
            self.static.measure(number + 1)
        return self

    def balance(self):
        return self.specrt.ratio(paired.LAST)

    def over_static(self):
        static = self.static.ratio(0)
        return self.balance() / static if static else 0.0

    def identical(self):
        return self.specrt.identical() and self.static.identical()

    def cells(self, chunks):
        return [self.name, measure.duration(self.specrt.plain_seconds()),
                f"{self.static.ratio(0):.2f}", f"{self.balance():.2f}", f"{self.over_static():.2f}",
                f"{chunks[self.name]['inversion_ns']:.0f}", imbalance_text(chunks[self.name]),
                "yes" if self.identical() else "NO"]


def imbalance_text(chunks):
    """How much more than the mean the busiest of 16 workers does."""
    return f"{100 * (chunks['imbalance'] - 1):.1f} %" if chunks["ranks"] else "rows"


def chunks_of_nests(build):
    """{nest: what bench-balance says}"""
    lines = subprocess.run([build / "bin/bench-balance"], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    return {entry["nest"]: entry for entry in map(json.loads, lines)}


def main():
    options = paired.options_of_programs("balance", SMALL)
    chunks = chunks_of_nests(options.build)
    with tempfile.TemporaryDirectory(prefix="specrt-bench-", ignore_cleanup_errors=True) as folder:
        toolchain = paired.Toolchain(options.build, pathlib.Path(folder))
        common = paired.outcome(toolchain)
        rows = [Row(toolchain, common, name, options).measure(options) for name in options.programs]
    print(f"\nTimes faster than clang -O3 -march=native with {options.threads} threads: a static split of "
          f"the outermost loop, and specrt's run {options.runs} ({paired.processor_name()})")
    measure.print_table(["nest", "clang", "static", "specrt", "over static", "ns per inversion",
                         "imbalance of 16", "identical"], [row.cells(chunks) for row in rows])
    print(f"inversion of the triangle of 100 rows: {chunks['section4']['inversion_ns']:.1f} ns")
    paired.finish(options, [series for row in rows for series in (row.specrt, row.static)])
    identical = all(row.identical() for row in rows)
    print(f"balance={measure.geometric_mean(row.balance() for row in rows):.2f} "
          f"over_static={measure.geometric_mean(row.over_static() for row in rows):.2f} "
          f"identical={'yes' if identical else 'no'}")
    return 0 if identical else 1


if __name__ == "__main__":
    sys.exit(main())
