#!/usr/bin/env python3
# bench/warmstart.py - how soon a second run is specialised
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: warmstart.py PROGRAM [--repetitions=N]

First runs compile versions of 1 and of 100 regions into fresh caches. Then processes start from
them, in turn with the same program under SPECRT_DISABLE=1. first_ms is the median time from just
before the process with 1 region is started to the end of its first call, which is specialised;
per_region_ms is what each of 99 more adds until all have been called. compiles and llvm_mapped are
the largest of all warm runs.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

MANY = 100


def start(program, regions, calls, environment):
    """Runs the program once; its figures with times in ms since just before the start."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SPECRT_")}
    begin = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    finished = subprocess.run([program, str(regions), str(calls)], env=clean | environment,
                              stdout=subprocess.PIPE, text=True)
    if finished.returncode != 0:
        sys.exit(f"error: {program} failed with {finished.returncode}")
    figures = json.loads(finished.stdout)
    for name in ("first", "last"):
        figures[name + "_ms"] = (figures.pop(name + "_ns") - begin) * 1e-6
    return figures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--repetitions", type=int, default=31)
    options = parser.parse_args()
    runs = {name: [] for name in ("one", "many", "plain one", "plain many")}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        cases = {}
        for name, regions in (("one", 1), ("many", MANY)):
            cache = {"SPECRT_CACHE_DIR": f"{directory}/{name}"}
            cold = start(options.program, regions, 3000,
                         cache | {"SPECRT_COMPILE": "sync", "SPECRT_HOT": "0.2"})
            print(f"  cold run: {cold['compiles']} compilations, {cold['specialised']} of "
                  f"{regions} regions specialised")
            cases[name] = (regions, cache)
            cases["plain " + name] = (regions, {"SPECRT_DISABLE": "1"})
        for _ in range(options.repetitions):
            for name, (regions, environment) in cases.items():
                runs[name].append(start(options.program, regions, 2, environment))
    median = {name: {figure: statistics.median(run[figure] for run in all_runs)
                     for figure in ("first_ms", "last_ms")} for name, all_runs in runs.items()}
    for name, figures in median.items():
        print(f"  {name:10} first call after {figures['first_ms']:6.2f} ms, "
              f"all regions after {figures['last_ms']:6.2f} ms")
    warm = runs["one"] + runs["many"]
    specialised = min(run["specialised"] for run in runs["many"])
    print(f"  at least {specialised} of {MANY} regions specialised in every warm run")
    # Stored versions are loaded before main: the whole start belongs to the regions it prepares.
    per_region = (median["many"]["last_ms"] - median["one"]["last_ms"]) / (MANY - 1)
    print(f"first_ms={median['one']['first_ms']:.2f} per_region_ms={per_region:.3f} "
          f"compiles={max(run['compiles'] for run in warm)} "
          f"llvm_mapped={max(run['llvm_mapped'] for run in warm)}")


if __name__ == "__main__":
    main()
