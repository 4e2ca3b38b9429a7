#!/usr/bin/env python3
# bench/verify.py - how many versions were verified on a captured call before a program ran them
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: verify.py BUILD [--kernels=A,B,...] [--sizes=MEDIUM,LARGE] [--runs=N] [--pause=SECONDS] [...]

The programs of bench/oneshot.py, run eight times from an empty cache, with three seconds between the
runs in which the compile server replays candidates. Counts the versions that the last run used, and
those of them that had given the original's bits on a captured call (docs/replay.md). Prints a table,
and as last line

    versions=... verified=... percent=... identical=N/N

If any kernel's arrays differ from clang's in any run, the exit status is 1.
"""
import argparse
import pathlib
import sys
import tempfile

import oneshot
import paired

measure = paired.measure
PAUSE = 3.0  # seconds; kernels of size MEDIUM are compiled and replayed in that time


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench.sh verify")
    paired.add_options(parser, 120, runs=8)
    parser.add_argument("--kernels", type=paired.names_of(measure.POLYBENCH), default=measure.POLYBENCH)
    parser.add_argument("--sizes", type=paired.names_of(oneshot.CLASSES), default=["MEDIUM"])
    options = parser.parse_args()
    options.repetitions = 1
    paired.check_options(parser, options)
    options.threads = options.threads or len(measure.processors(2))
    options.pause = options.pause or PAUSE
    return options


def versions_in(report):
    """[(verified, hits)] of the versions that a run used."""
    return [(version.get("verified", False), version["hits"])
            for region in report.get("regions", []) for version in region.get("versions", [])
            if version["hits"] > 0]


def main():
    options = parse_arguments()
    rows, all_series, used, verified = [], [], 0, 0
    with tempfile.TemporaryDirectory(prefix="specrt-bench-", ignore_cleanup_errors=True) as folder:
        programs = oneshot.build(paired.Toolchain(options.build, pathlib.Path(folder)), options)
        for kernel, size, program in programs:
            series = paired.Series(program, options, options.threads, with_reports=True).measure(1)
            all_series.append(series)
            versions = versions_in(series.rounds[-1][-1][1].report)
            good = sum(is_verified for is_verified, _ in versions)
            used, verified = used + len(versions), verified + good
            rows.append([kernel, size, str(len(versions)), str(good),
                         f"{series.ratio(options.runs - 1):.2f}",
                         "yes" if series.identical() else "NO"])
            print("  " + "  ".join(rows[-1]), file=sys.stderr, flush=True)
    print(f"\nVersions in run {options.runs}, {paired.processor_name()}")
    measure.print_table(["kernel", "size", "versions", "verified", "plain/specrt", "identical"], rows)
    paired.finish(options, all_series)
    same = sum(series.identical() for series in all_series)
    print(f"versions={used} verified={verified} "
          f"percent={100 * verified / used if used else 0:.0f} identical={same}/{len(rows)}")
    sys.exit(same != len(rows))


if __name__ == "__main__":
    main()
