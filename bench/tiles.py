#!/usr/bin/env python3
# bench/tiles.py - how good the predicted tiles of time and space are
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: tiles.py PROGRAM [--repetitions=N] [--cases=N] [--json=FILE] [--quick]

For 25 pairs of points and steps, from grids that fit the first cache to some that fit none, with one
and with two threads, times a stencil with the tiles that the specializer predicts to be best
("untiled" when it expects that tiles gain nothing), and with a grid of other shapes and sizes around
them (see tiles.cpp). The last line is

    within_10_percent=NN/50 median_loss=...

the number of cases in which the predicted tiles take at most 1.1 times as long as the best, and the
median of what they take beyond the best. Exits with 1 when any tiles change a bit of the result.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "polybench"))
import measure  # noqa: E402

FLAT = [(4000, 200), (4000, 2000), (30000, 50), (30000, 1000), (60000, 300), (200000, 100),
        (200000, 400), (1000000, 20), (1000000, 80), (3000000, 10), (3000000, 30)]
SQUARE = [(100, 100), (100, 1000), (200, 50), (200, 400), (350, 100), (350, 300), (500, 40),
          (500, 160), (800, 25), (800, 80), (1000, 20), (1000, 50), (1300, 50), (2000, 12)]


def all_cases():
    threads = [n for n in (1, 2) if n <= len(measure.processors(2))]
    return [(nest, points, steps, count) for count in threads
            for nest, pairs in (("jacobi_1d", FLAT), ("jacobi_2d", SQUARE))
            for points, steps in pairs]


def run(program, case, repetitions):
    """What the program prints about a case."""
    count = case[-1]
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SPECRT_")}
    finished = subprocess.run([program, *map(str, case), str(repetitions)], env=clean,
                              stdout=subprocess.PIPE, text=True,
                              preexec_fn=lambda: os.sched_setaffinity(0, measure.processors(count)))
    if finished.returncode != 0:
        sys.exit(f"error: {program} failed with {finished.returncode}")
    return json.loads(finished.stdout)


def main():
    parser = argparse.ArgumentParser(prog="bench.sh tiles")
    parser.add_argument("program")
    parser.add_argument("--repetitions", type=int, default=5,
                        help="how often the best tiles are timed again, at least (default: 5)")
    parser.add_argument("--cases", type=int, help="only so many, spread over all")
    parser.add_argument("--json", type=pathlib.Path, help="file for everything that was measured")
    parser.add_argument("--quick", action="store_true", help="five cases")
    options = parser.parse_args()
    cases = all_cases()
    wanted = min(options.cases or (5 if options.quick else len(cases)), len(cases))
    cases = [cases[i * len(cases) // wanted] for i in range(wanted)]
    results, losses = [], []
    print(f"  {'stencil':10} {'points':>8} {'steps':>6} {'threads':>7}  "
          f"{'predicted':>16} {'ms':>8}  {'best':>16} {'ms':>8}  {'untiled':>8}   loss")
    for case in cases:
        r = run(options.program, case, options.repetitions)
        results.append(r)
        losses.append(r["predicted_s"] / r["best_s"] - 1)
        print(f"  {r['nest']:10} {r['points']:8} {r['steps']:6} {r['threads']:7}  "
              f"{r['predicted']:>16} {r['predicted_s'] * 1e3:8.3f}  "
              f"{r['best']:>16} {r['best_s'] * 1e3:8.3f}  {r['all']['untiled'] * 1e3:8.3f} "
              f"{losses[-1]:6.1%}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    within = sum(loss <= 0.1 for loss in losses)
    print(f"within_10_percent={within}/{len(cases)} median_loss={statistics.median(losses):.1%}")


if __name__ == "__main__":
    main()
