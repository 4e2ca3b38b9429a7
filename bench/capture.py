#!/usr/bin/env python3
# bench/capture.py - runs bench-capture and prints what capturing a call costs a program
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: capture.py PROGRAM

Medians of nine captures, on all processors and on one, where no clone takes part. The last line is

    max_over_model=... min_over_model=...

with the measured costs over those that the model of runtime/capture predicts.
"""
import argparse
import os
import subprocess
import sys

import paired


def lines_of(program, processors):
    """Returns the numbers of each line that the program prints on these processors."""
    finished = subprocess.run([program], stdout=subprocess.PIPE, text=True,
                              preexec_fn=lambda: os.sched_setaffinity(0, processors))
    if finished.returncode != 0:
        sys.exit(f"error: {program} failed with {finished.returncode}")
    return [[float(word) for word in line.split()] for line in finished.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[0][len("usage: "):])
    parser.add_argument("program")
    options = parser.parse_args()
    usable = sorted(os.sched_getaffinity(0))
    rows, ratios = [], []
    for processors in dict.fromkeys((tuple(usable[:1]), tuple(usable))):
        for read, written, *costs, predicted in lines_of(options.program, processors):
            ratios.append(sum(costs) / predicted)
            rows.append([str(len(processors)), f"{read:.0f}", f"{written:.0f}",
                         *(f"{cost:.2f}" for cost in costs), f"{predicted:.2f}",
                         f"{ratios[-1]:.2f}"])
    print(f"Costs of a capture in ms, {paired.processor_name()}")
    paired.measure.print_table(["processors", "MB read", "MB written", "before the call", "after it",
                                "rewriting", "model", "measured/model"], rows)
    print(f"max_over_model={max(ratios):.2f} min_over_model={min(ratios):.2f}")


if __name__ == "__main__":
    main()
