#!/usr/bin/env python3
# scripts/demo.py - runs the examples plain and with specrt, compares all output, prints a table
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: demo.py BIN_DIRECTORY [--repetitions=N] [EXAMPLE...]

One repetition of an example is a plain run, a first run with specrt on an empty cache directory,
and a second and a third on what those before left there. Repetitions alternate all of them, so that a
change of the machine's speed hits each; the table shows medians of the time of the whole process,
reading, writing and compiling included. The output of a run is everything it prints except the line
with the time, and the file it writes; all must be equal byte for byte.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

# Name in the table -> program and arguments. Long enough for a first run to learn and gain: about a
# second.
CASES = {
    "gemm": ["gemm", "1000", "1100", "1200", "--repeat=5"],
    "gemm-ikj": ["gemm", "1000", "1100", "1200", "--repeat=8", "--order=ikj"],
    "heat2d": ["heat2d", "600", "800", "10000"],
    "backprop": ["backprop", "2048", "256", "800"],
    "cg": ["cg", "--repeat=200"],
    "blur": ["blur", "4", "--repeat=1000"],
    "plate": ["plate", "600", "600", "80"],
    "rows": ["rows", "500", "--repeat=20"],
    "circuit": ["circuit", "8", "400"],
    "kmeans": ["kmeans", "200000", "16", "100"],
    "eigen": ["eigen", "1700", "--repeat=6"],
    "pipeline": ["pipeline", "3000", "3000", "--repeat=40"],
    "openmp": ["openmp", "900", "900", "6000"],
}
RUNS = ("plain", "first", "second", "third")
TIME_LIMIT = 300  # seconds of one run


class Result:
    """One finished run: its output, its time in seconds, and specrt's report (or None)."""

    def __init__(self, finished, seconds, path, report):
        lines = finished.stdout.splitlines()
        self.seconds = seconds
        self.output = ([line for line in lines if not line.startswith("seconds=")],
                       path.read_bytes() if path.exists() else None, finished.returncode)
        self.messages = finished.stderr
        self.report = json.loads(report.read_text()) if report.exists() else None


def run(kind, command, binaries, scratch):
    path, report = scratch / "output", scratch / "report.json"
    for stale in (path, report):
        stale.unlink(missing_ok=True)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SPECRT_")}
    program = str(binaries / command[0])
    if kind != "plain":
        program += "-specrt"
        environment |= {"SPECRT_CACHE_DIR": str(scratch / "cache"), "SPECRT_REPORT": str(report)}
    begin = time.perf_counter()
    try:
        finished = subprocess.run([program, *command[1:], f"--output={path}"], env=environment,
                                  capture_output=True, text=True, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        sys.exit(f"error: {program} did not end within {TIME_LIMIT} s ({kind} run)")
    return Result(finished, time.perf_counter() - begin, path, report)


def measure(name, binaries, repetitions):
    """Returns {run: [Result...]} of one example."""
    results = {kind: [] for kind in RUNS}
    for _ in range(repetitions):
        with tempfile.TemporaryDirectory(prefix="specrt-demo-", ignore_cleanup_errors=True) as directory:
            for kind in RUNS:
                results[kind].append(run(kind, CASES[name], binaries, pathlib.Path(directory)))
    return results


def identical(results):
    reference = results["plain"][0].output
    return reference[2] == 0 and all(r.output == reference for kind in RUNS for r in results[kind])


def duration(nanoseconds):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


def describe_version(version):
    text = version["candidate"]
    if version["original_ns"] and version["ns"]:
        text += f": {duration(version['original_ns'])} -> {duration(version['ns'])}"
    return text


def compilations(runs):
    """What these runs had to compile: '0', or '2-3'; '?' without reports."""
    counts = sorted(r.report["counters"]["compiles"] for r in runs if r.report)
    if not counts:
        return "?"
    return str(counts[0]) if counts[0] == counts[-1] else f"{counts[0]}-{counts[-1]}"


def region_rows(report):
    """Yields (region, state, versions or reason) of every region that came as far as a decision."""
    for region in (report or {}).get("regions", []):
        if region["state"] not in ("cold", "profiling"):
            versions = [describe_version(v) for v in region["versions"] if v["active"]]
            yield region["title"], region["state"], ", ".join(versions) or region["reason"]


def print_table(header, rows):
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    for row in [header, ["-" * w for w in widths], *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def shorten(text, limit=60):
    return text if len(text) <= limit else text[:limit - 3] + "..."


def table_rows(name, results):
    """One row for the program with the times, then one per region."""
    median = {k: statistics.median(r.seconds for r in results[k]) for k in RUNS}
    times = [f"{median[k]:.3f}" for k in RUNS]
    ratios = [f"{median['plain'] / median[k]:.2f}" for k in RUNS[1:]]
    compiled = ["/".join(compilations(results[k]) for k in RUNS[1:])]
    yield [name, "", "", *times, *ratios, *compiled, "yes" if identical(results) else "NO"]
    for region, state, versions in region_rows(results["third"][-1].report):
        yield ["  " + shorten(region, 40), state, shorten(versions), *[""] * 9]


def main():
    parser = argparse.ArgumentParser(prog="demo.sh")
    parser.add_argument("binaries", type=pathlib.Path)
    parser.add_argument("examples", nargs="*", metavar="EXAMPLE", help=", ".join(CASES))
    parser.add_argument("--repetitions", type=int, default=3)
    options = parser.parse_intermixed_args()
    unknown = set(options.examples) - set(CASES)
    if unknown or options.repetitions < 1:
        parser.error(f"unknown examples: {', '.join(sorted(unknown))}; known: {', '.join(CASES)}"
                     if unknown else "--repetitions must be positive")

    rows, different = [], []
    for name in options.examples or CASES:
        if not (options.binaries / CASES[name][0]).exists():
            print(f"  {name}: not built, because a library that it needs is not there", flush=True)
            continue
        print(f"  {name}: {' '.join(CASES[name])}", flush=True)
        results = measure(name, options.binaries, options.repetitions)
        rows += table_rows(name, results)
        if not identical(results):
            different.append(name)
        for kind in RUNS:
            for code in sorted({r.output[2] for r in results[kind]} - {0}):
                print(f"  {name}, {kind} run, ended with {code}", flush=True)
            for message in {r.messages for r in results[kind] if r.messages}:
                print(f"  {name}, {kind} run, wrote to stderr:\n{message}", flush=True)
        if any(r.report is None for r in [r for kind in RUNS[1:] for r in results[kind]]):
            print(f"  {name}: no report was written, so its regions are not listed")

    print(f"\nTimes are seconds of whole processes, medians of {options.repetitions}; a ratio above 1 "
          "means faster than clang -O3 -march=native.\nLater runs start with the versions that "
          "those before left in the cache; what each compiles is counted.\n")
    print_table(["example / region", "state", "versions or reason", *RUNS, "ratio 1st", "2nd",
                 "3rd", "compiled", "identical"], rows)
    if different:
        sys.exit(f"\nerror: the output differs in: {', '.join(different)}")
    print("\nAll outputs are identical, bit for bit.")


if __name__ == "__main__":
    main()
