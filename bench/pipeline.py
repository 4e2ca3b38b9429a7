#!/usr/bin/env python3
# bench/pipeline.py - nests that take turns, against the same nests one after the other
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: pipeline.py BUILD [--programs=A,B,...] [--threads=N] [--repetitions=N] [--quick] [...]

The programs of bench/pipeline/: two sweeps of red-black relaxation, a filter in two stages, and products of
one matrix with two blocks of columns. All data exceed the caches. And a program whose rows threads can share
only under a check of its data, which holds in all calls but one in 50.

A round runs specrt's build --runs times from an empty cache on, each time beside the plain build
(bench/paired.py); all runs but the last wait for compilations. Beside that the table has, from the reports,
how many times faster the best candidate in which nests take turns ran in its trial than the best other one.
Prints as last line

    pipeline=... guarded=... identical=yes|no

of the last run, plain / specrt: the geometric mean of the nests that take turns, and the program with a
check. Exits with 1 when a program computes something else.
"""
import pathlib
import sys
import tempfile

import paired

measure = paired.measure
FOLDER = paired.BENCH / "pipeline"
# Arguments with which a run takes some milliseconds.
SMALL = {"red_black": [400, 30], "filter": [300, 20], "block_products": [400, 30], "guarded": [200, 200, 60]}
GUARDED = "guarded"


def candidates(series):
    """{name: least nanoseconds per call in a trial} of the regions of all runs."""
    times = {}
    for pairs in series.rounds:
        for _, run in pairs:
            for region in (getattr(run, "report", None) or {}).get("regions", []):
                for candidate in [*region.get("versions", []), *region.get("retired", [])]:
                    if candidate.get("ns"):
                        name = candidate["candidate"]
                        times[name] = min(times.get(name, float("inf")), candidate["ns"])
    return times


def over_others(series):
    """The best time without turns / the best with them; nan when one of both is missing."""
    times = candidates(series)
    turns = [ns for name, ns in times.items() if name.startswith("pipeline")]
    others = [ns for name, ns in times.items() if not name.startswith("pipeline")]
    return min(others) / min(turns) if turns and others else float("nan")


def main():
    options = paired.options_of_programs("pipeline", SMALL)
    rows = []
    with tempfile.TemporaryDirectory(prefix="specrt-bench-", ignore_cleanup_errors=True) as folder:
        toolchain = paired.Toolchain(options.build, pathlib.Path(folder))
        common = paired.outcome(toolchain)
        for name in options.programs:
            print(f"  {name}", file=sys.stderr, flush=True)
            program = paired.cpp_program(toolchain, common, name, [f"-I{paired.BENCH.parent / 'include'}"],
                                         SMALL[name] if options.small else (), FOLDER)
            series = paired.Series(program, options, options.threads, with_reports=True,
                                   preparing=["SPECRT_COMPILE=sync"])
            rows.append((name, series.measure(options.repetitions)))
    print(f"\nTimes faster than clang -O3 -march=native, run {options.runs}, {options.threads} threads "
          f"({paired.processor_name()})")
    measure.print_table(["nests", "clang", "specrt", "over other candidates", "identical"],
                        [[name, measure.duration(series.plain_seconds()), f"{series.ratio(paired.LAST):.2f}",
                          f"{over_others(series):.2f}", "yes" if series.identical() else "NO"]
                         for name, series in rows])
    paired.finish(options, [series for _, series in rows])
    identical = all(series.identical() for _, series in rows)
    ratios = {name: series.ratio(paired.LAST) for name, series in rows}
    guarded = ratios.pop(GUARDED, None)
    print(f"pipeline={f'{measure.geometric_mean(ratios.values()):.2f}' if ratios else '-'} "
          f"guarded={'-' if guarded is None else f'{guarded:.2f}'} "
          f"identical={'yes' if identical else 'no'}")
    return 0 if identical else 1


if __name__ == "__main__":
    sys.exit(main())
