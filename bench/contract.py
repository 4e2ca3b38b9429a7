#!/usr/bin/env python3
# bench/contract.py - memory and time of values with places of their own, joined and not
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: contract.py PROGRAM [--threads=N,...] [--repetitions=N] [--nests=A,B,...] [--json=FILE] [--quick]

PROGRAM is bench-contract (contract.cpp). Kernels of PolyBench whose scalars or arrays get a place for
each value, and nests that are typical of line solvers, dynamic programmes and filters in front of
recurrences, are compiled with one element per place and with places that share memory where no two
of their values exist at a time. All run in turn, beside the code that clang makes. Bytes before are
those of expanded scalars and of the program's arrays that hold values for a short time. The last line
is

    bytes_ratio=... min=... identical=yes|no

Bytes before / after in sum, and the least ratio of times before / after where the bytes differ:
otherwise it is the same code. Exits with 1 when a version computes something else.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys

import paired

measure = paired.measure

# Strategy and sizes, and small ones.
NESTS = {
    "adi": ("vector", (1000, 1000, 20), (100, 100, 5)),
    "deriche": ("vector", (4096, 2160, 1), (200, 100, 1)),
    "gramschmidt": ("contraction", (1000, 1200, 1), (130, 130, 1)),
    "ludcmp": ("contraction", (1000, 1, 1), (150, 1, 1)),
    "nussinov": ("contraction", (2000, 1, 1), (150, 1, 1)),
    "durbin": ("vector", (4000, 1, 1), (200, 1, 1)),
    "lines": ("vector", (1000, 1000, 20), (100, 100, 5)),
    "tables": ("vector", (700, 700, 64), (110, 110, 16)),
    "filter": ("vector", (2000, 2000, 8), (100, 100, 4)),
    "wide filter": ("vector", (4000, 3000, 8), (110, 110, 4)),
}


def run(program, name, threads, options):
    """What the program prints about a nest."""
    strategy, sizes, small = NESTS[name]
    command = [program, name.split()[-1], strategy, *map(str, small if options.quick else sizes), str(threads),
               str(options.repetitions)]
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SPECRT_")}
    finished = subprocess.run(command, env=clean, stdout=subprocess.PIPE, text=True,
                              preexec_fn=lambda: os.sched_setaffinity(0, measure.processors(threads)))
    if finished.returncode not in (0, 1):
        sys.exit(f"error: {program} failed with {finished.returncode}")
    return json.loads(finished.stdout) | {"name": name}


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench.sh contract")
    parser.add_argument("program")
    parser.add_argument("--threads", type=paired.numbers, help="numbers of threads (default: 1, and all)")
    parser.add_argument("--repetitions", type=int, default=7, help="rounds (default: 7)")
    parser.add_argument("--nests", type=paired.names_of(tuple(NESTS)), default=list(NESTS))
    parser.add_argument("--json", type=pathlib.Path, help="file for everything that was measured")
    parser.add_argument("--quick", action="store_true", help="small nests: to see that all works")
    options = parser.parse_args()
    options.threads = options.threads or sorted({1, len(measure.processors(1 << 20))})
    if options.repetitions < 1:
        parser.error("--repetitions must be positive")
    return options


def main():
    options = parse_arguments()
    results = []
    print(f"  {'nest':12} {'threads':>7} {'KB before':>10} {'after':>8}  {'clang ms':>9} {'before':>9} "
          f"{'after':>9}  faster")
    for threads in options.threads:
        for name in options.nests:
            r = run(options.program, name, threads, options)
            results.append(r)
            print(f"  {name:12} {threads:7} {r['before'] / 1e3:10.1f} {r['after'] / 1e3:8.1f}  "
                  f"{r['plain_s'] * 1e3:9.2f} {r['expanded_s'] * 1e3:9.2f} "
                  f"{r['compact_s'] * 1e3:9.2f} {r['expanded_s'] / r['compact_s']:7.2f}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    ratio = sum(r["before"] for r in results) / max(1, sum(r["after"] for r in results))
    least = min((r["expanded_s"] / r["compact_s"] for r in results if r["before"] > r["after"]),
                default=math.nan)
    identical = all(r["identical"] for r in results)
    print(f"bytes_ratio={ratio:.1f} min={least:.2f} identical={'yes' if identical else 'no'}")
    return 0 if identical else 1


if __name__ == "__main__":
    sys.exit(main())
