#!/usr/bin/env python3
# bench/dispatch.py - runs bench-dispatch in the processes it needs and combines the figures
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: dispatch.py PROGRAM [--repetitions=N]

Dispatch costs come from one process with SPECRT_DISABLE=1 that interleaves its benchmarks at
random. The share of profiling compares processes that alternate: one that profiles a region of
about 1 us, from its first call until the profile is complete (30,000 calls), one that is disabled.
"""
import argparse
import os
import statistics
import tempfile

import microbenchmark


def benchmark(program, mode, options, environment):
    """Returns {benchmark: [ns per call, one per repetition]}."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SPECRT_")}
    times = {}
    for entry in microbenchmark.measured(
            microbenchmark.iterations([program, mode, *options], clean | environment)):
        times.setdefault(entry["run_name"].split("/")[0], []).append(entry["cpu_time"])
    return times


def measure_dispatch(program, repetitions):
    options = [f"--benchmark_repetitions={repetitions}", "--benchmark_min_time=0.1",
               "--benchmark_enable_random_interleaving=true"]
    times = benchmark(program, "dispatch", options, {"SPECRT_DISABLE": "1"})
    median = {name: statistics.median(values) for name, values in times.items()}
    for name, value in median.items():
        print(f"  {name:14} {value:7.2f} ns per call")
    return (median["one_version"] - median["direct_first"],
            median["four_versions"] - median["direct"], median["disabled"] - median["direct"])


def measure_profiling(program, repetitions):
    times = {"profiled": [], "disabled": []}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        for _ in range(repetitions):
            for name, environment in (
                    ("profiled", {"SPECRT_COMPILE": "off",
                                  "SPECRT_PROFILE": "write", "SPECRT_CACHE_DIR": directory}),
                    ("disabled", {"SPECRT_DISABLE": "1"})):
                times[name] += benchmark(program, "profiling", [], environment)["micro"]
    median = {name: statistics.median(values) for name, values in times.items()}
    for name, value in median.items():
        print(f"  {name:14} {value:7.1f} ns per call of the 1 us region")
    return 100 * (median["profiled"] / median["disabled"] - 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--repetitions", type=int, default=15)
    options = parser.parse_args()
    one, four, disabled = measure_dispatch(options.program, options.repetitions)
    percent = measure_profiling(options.program, 3 * options.repetitions)
    print("over a direct call of the same function, medians of "
          f"{options.repetitions} repetitions:")
    print(f"one_version_ns={one:.2f} four_versions_ns={four:.2f} disabled_ns={disabled:.2f} "
          f"profiling_percent={percent:.2f}")


if __name__ == "__main__":
    main()
