#!/usr/bin/env python3
# bench/folding.py - runs bench-folding and prints how many points per second are folded
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: folding.py PROGRAM [--repetitions=N]

Medians of N repetitions (default 9) in one process, interleaved at random. points_per_s is the
least of the regular two-dimensional streams.
"""
import argparse
import json
import statistics
import subprocess
import sys

REGULAR = "regular2d"


def points_per_second(program, repetitions):
    """Returns {stream: median}."""
    finished = subprocess.run(
        [program, "--benchmark_format=json", "--benchmark_min_time=0.05",
         f"--benchmark_repetitions={repetitions}", "--benchmark_enable_random_interleaving=true"],
        stdout=subprocess.PIPE, text=True)
    if finished.returncode != 0:
        sys.exit(f"error: {program} failed with {finished.returncode}")
    rates = {}
    for entry in json.loads(finished.stdout)["benchmarks"]:
        if entry.get("error_occurred"):
            sys.exit(f"error: {entry['name']}: {entry['error_message']}")
        if entry.get("run_type") == "iteration":
            rates.setdefault(entry["run_name"], []).append(entry["items_per_second"])
    return {name: statistics.median(values) for name, values in rates.items()}


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
    print(" ".join(f"{name}={value:.0f}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
