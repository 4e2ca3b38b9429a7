#!/usr/bin/env python3
# bench/watch.py - runs bench-watch and prints what watching memory costs
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: watch.py PROGRAM [--repetitions=N]

Medians of N repetitions (default 9) in one process, interleaved at random: checks of unchanged
arrays of 64 KB, 1 MB and 16 MB by each kind of watch, arming per MB, and the program's first write
of a page. What the machine's kernel cannot do is "none".
"""
import argparse
import statistics

import microbenchmark

SIZES = {"64": "64k", "1024": "1m", "16384": "16m"}


def times(program, repetitions):
    """Returns {name of the benchmark: median in ns}."""
    found = {}
    for entry in microbenchmark.interleaved(program, repetitions, 0.02):
        if not entry.get("error_occurred"):
            parts = [part for part in entry["run_name"].split("/")
                     if not part.startswith(("iterations:", "repeats:", "manual_time"))]
            found.setdefault("/".join(parts), []).append(entry["real_time"])
    return {name: statistics.median(values) for name, values in found.items()}


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[0][len("usage: "):])
    parser.add_argument("program")
    parser.add_argument("--repetitions", type=int, default=9)
    options = parser.parse_args()
    found = times(options.program, options.repetitions)

    def microseconds(name):
        return f"{found[name] / 1000:.2f}" if name in found else "none"

    print(f"  {'check in us':12} " + " ".join(f"{size:>9}" for size in SIZES.values()))
    for kind in ("stamps", "pages", "comparison"):
        row = [microseconds(f"check/{kind}/{kb}") for kb in SIZES]
        print(f"  {kind:12} " + " ".join(f"{figure:>9}" for figure in row))
    print(f"  arming 64 KB: {microseconds('arm/pages/64')} us with pages, "
          f"{microseconds('arm/comparison/64')} with a copy alone")
    per_mb = {kind: found.get(f"arm/{kind}/16384", float("nan")) / 16e3
              for kind in ("pages", "comparison")}
    print(f"  arming 16 MB: {per_mb['pages']:.1f} us per MB with pages, "
          f"{per_mb['comparison']:.1f} with a copy alone")
    figures = {f"pages_{SIZES[kb]}_us": microseconds(f"check/pages/{kb}") for kb in SIZES}
    figures["comparison_64k_us"] = microseconds("check/comparison/64")
    figures["arm_us_per_mb"] = f"{per_mb['pages']:.1f}"
    figures["first_write_us"] = microseconds("firstWrite")
    print(" ".join(f"{name}={value}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
