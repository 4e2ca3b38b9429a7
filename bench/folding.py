#!/usr/bin/env python3
# bench/folding.py - runs bench-folding and prints how many points per second are folded
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: folding.py PROGRAM [--repetitions=N]

Medians of N repetitions (default 9) in one process, interleaved at random. points_per_s is the
least of the regular two-dimensional streams. Then recorded_calls.c, whose region is called a
hundred times, is built with the driver beside PROGRAM and run: max_call_ms is what its one
instrumented call took beyond an ordinary one, sampled_percent what that is of all calls.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import microbenchmark

REGULAR = "regular2d"


def points_per_second(program, repetitions):
    """Returns {stream: median}."""
    rates = {}
    for entry in microbenchmark.measured(
            microbenchmark.interleaved(program, repetitions, 0.05)):
        rates.setdefault(entry["run_name"], []).append(entry["items_per_second"])
    return {name: statistics.median(values) for name, values in rates.items()}


def recorded_call(driver, folder):
    """Returns (sampled_percent, max_call_ms)."""
    program, report = folder / "recorded_calls", folder / "report.json"
    source = pathlib.Path(__file__).resolve().parent / "recorded_calls.c"
    subprocess.run([driver, "-O3", "-march=native", source, "-o", program], check=True)

    def times(**settings):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("SPECRT_")}
        done = subprocess.run([program], env=environment | settings, check=True, text=True,
                              stdout=subprocess.PIPE)
        return [float(line) for line in done.stdout.split()]

    ordinary = statistics.median(times(SPECRT_DISABLE="1"))
    calls = times(SPECRT_COMPILE="sync", SPECRT_HOT="0", SPECRT_CACHE_DIR=str(folder / "cache"),
                  SPECRT_REPORT=str(report))
    regions = json.loads(report.read_text())["regions"]
    if not any("instrumented_call" in region for region in regions):
        sys.exit("error: no call was instrumented")
    beyond = max(0, max(calls) - ordinary)
    return 100 * beyond / (len(calls) * ordinary), beyond


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[0][len("usage: "):])
    parser.add_argument("program")
    parser.add_argument("--repetitions", type=int, default=9)
    options = parser.parse_args()
    rates = points_per_second(options.program, options.repetitions)
    for name, rate in sorted(rates.items()):
        print(f"  {name:18} {rate / 1e6:8.1f} M points/s")
    figures = {"points_per_s": min(rate for name, rate in rates.items()
                                   if name.startswith(REGULAR))}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        driver = pathlib.Path(options.program).resolve().parent / "specrt-clang"
        percent, beyond = recorded_call(driver, pathlib.Path(folder))
    print(" ".join(f"{name}={value:.0f}" for name, value in figures.items()),
          f"sampled_percent={percent:.2f} max_call_ms={beyond:.1f}")


if __name__ == "__main__":
    main()
