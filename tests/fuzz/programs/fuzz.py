#!/usr/bin/env python3
# tests/fuzz/programs/fuzz.py - random programs give the same bits with libspecrt
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: fuzz.py BUILD [--programs=N] [--seconds=S] [--seed=K] [...]

Programs with the seeds K, K+1, ... are built by clang and by the drivers in BUILD with the same
flags, and run; docs/hacking.md says how. Prints how many programs ran each candidate, every seed that
fails, and last

    programs=... mismatches=... crashes=... with_versions_percent=...

The exit status is 1 when a program failed. A program whose flags promise finite values, but which
computes others, is undefined: such programs are counted on a line of their own and not compared. Defects of the generator (clang refuses the program, or
its -O0 gives other results) are counted on a line of their own and fail as well.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import shutil
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from folders import remove
import builds
import programs
import reduction

PROGRESS_EVERY = 100


def parse_arguments():
    parser = argparse.ArgumentParser(prog="fuzz.sh")
    parser.add_argument("build", type=pathlib.Path, help="of libspecrt, with bin and lib")
    parser.add_argument("--programs", type=int, default=100, help="how many (default: 100)")
    parser.add_argument("--seconds", type=float, help="start no program after this time")
    parser.add_argument("--seed", type=int, default=1, help="of the first program (default: 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="programs at a time")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build/fuzz"),
                        help="for what fails (default: build/fuzz)")
    parser.add_argument("--nan-bits", action="store_true",
                        help="sign and payload of NaNs count, which LLVM does not promise")
    parser.add_argument("--keep", action="store_true", help="also keep what passes")
    parser.add_argument("--reduce-seconds", type=float, default=180,
                        help="for making each failing program small; 0: not at all (default: 180)")
    return parser.parse_args()


def main():
    options = parse_arguments()
    root = options.folder.resolve()
    tools = builds.Toolchain(options.build.resolve(), root)
    until = time.monotonic() + options.seconds if options.seconds else None

    def run(seed):
        if until and time.monotonic() > until:
            return None
        folder = root / str(seed)
        shutil.rmtree(folder, ignore_errors=True)
        result = builds.compare(programs.generate(seed), folder, tools, options.nan_bits)
        if result.kind in ("same", "undefined") and not options.keep:
            remove(folder)
        elif result.kind not in ("same", "undefined"):
            print(f"seed {seed}: {result.kind}: {result.what}", flush=True)
        return result

    seeds = range(options.seed, options.seed + options.programs)
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in filter(None, pool.map(run, seeds)):
            results.append(result)
            if len(results) % PROGRESS_EVERY == 0:
                print(f"{len(results)} programs", flush=True)
        failed = [result for result in results if result.kind in ("mismatch", "crash")]
        if options.reduce_seconds and failed:
            print(f"\nreducing {len(failed)} programs", flush=True)
            for result, text in zip(failed, pool.map(
                    lambda result: reduction.reduce(result, root / str(result.seed),
                                                    options.build.resolve(),
                                                    options.reduce_seconds), failed)):
                print(f"seed {result.seed}: {text}", flush=True)
    return report(results)


def report(results):
    ran = collections.Counter(name for result in results for name in result.candidates)
    print(f"\n{'candidate':<24} programs that ran it")
    for name, count in ran.most_common():
        print(f"{name:<24} {count}")
    failed = collections.defaultdict(list)
    for result in results:
        failed[result.kind].append(result.seed)
    for kind in ("mismatch", "crash", "defect"):
        if failed[kind]:
            print(f"seeds with a {kind}: {' '.join(map(str, failed[kind]))}")
    compared = len(results) - len(failed["undefined"])
    print(f"undefined_programs={len(failed['undefined'])}")
    print(f"generator_defects={len(failed['defect'])}")
    with_versions = sum(bool(result.candidates) for result in results)
    print(f"programs={compared} mismatches={len(failed['mismatch'])} "
          f"crashes={len(failed['crash'])} "
          f"with_versions_percent={100 * with_versions // max(1, compared)}")
    return 1 if failed["mismatch"] or failed["crash"] or failed["defect"] else 0


if __name__ == "__main__":
    sys.exit(main())
