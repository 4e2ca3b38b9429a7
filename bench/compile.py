#!/usr/bin/env python3
# bench/compile.py - how long compilations take, and how much memory
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: compile.py DIRECTORY [--kernels=A,B,...] [--size=CLASS] [...]

Runs each PolyBench kernel as built with specrt, on an empty cache and with SPECRT_COMPILE=sync, so
that nothing else runs beside the compiler, and as built by clang. Prints for every compilation how
long it took until all its candidates were ready, and for the candidates that were kept by then how
long each took; the rest of the time went into what they share and into candidates that were refused.
A "rest" is the compilation of the rest of a running call. The last line is

    p50_ms=... p95_ms=... max_ms=... peak_extra_mb=...

over all compilations of all kernels; the memory is the largest difference between the highest
resident memory of a kernel with specrt and that of clang's build.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import peak_memory

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "polybench"))
import measure  # noqa: E402


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench.sh compile")
    parser.add_argument("directory", type=pathlib.Path, help="bin/polybench of a build")
    parser.add_argument("--kernels", type=lambda text: text.split(","), default=measure.POLYBENCH)
    parser.add_argument("--size", default="MEDIUM", help="default: MEDIUM")
    parser.add_argument("--repetitions", type=int, default=3,
                        help="runs, of which each compilation's median counts (default: 3)")
    parser.add_argument("--seconds", type=float, default=0.1,
                        help="a run has so many calls that clang's build takes this long, but at "
                             "least 8 (default: 0.1)")
    parser.add_argument("--limit", type=float, default=300, help="seconds a run may take")
    parser.add_argument("--json", type=pathlib.Path, help="file for everything that was measured")
    parser.add_argument("--quick", action="store_true", help="one run")
    options = parser.parse_args()
    if options.quick:
        options.repetitions = 1
    return options


def peak_kb(launcher, program, arguments, settings, limit):
    """The highest memory of one run."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SPECRT_")}
    finished = subprocess.run([launcher, program, *arguments], env=clean | settings,
                              capture_output=True, text=True, timeout=limit)
    if finished.returncode != 0:
        sys.exit(f"error: {program}: {finished.stderr.strip()[:200]}")
    return int(finished.stdout)


def compilations(report):
    """[what was compiled, ms] in order, and [candidate, ms] of all that were kept."""
    found, kept = [], []
    for region in report["regions"]:
        begin = None
        for event in region.get("timeline", []):
            if event["event"] == "compile-begin":
                begin = event
            elif event["event"] == "compile-end" and begin:
                kind = "rest" if begin.get("text") else "call"
                found.append([f"{region['name']} {kind}", event["ms"] - begin["ms"]])
                begin = None
        kept += [[v["candidate"], v["compile_ms"]]
                 for v in region["versions"] + region["retired"] if v["compile_ms"] > 0]
    return found, kept


class Row:
    """What the compilations of one kernel took."""

    def __init__(self, name, options, launcher, folder):
        kernel = measure.Kernel(options.directory / "flat", name, options.limit)
        calls, problem = kernel.calls(options.size, options.seconds, 8)
        if problem:
            sys.exit(f"error: {name}-clang: {problem}")
        arguments = [f"--size={options.size}", f"--repetitions={calls}"]
        self.name, runs, extra = name, [], []
        for turn in range(options.repetitions):
            report = folder / "report.json"
            settings = {"SPECRT_COMPILE": "sync", "SPECRT_HOT": "2", "SPECRT_REPORT": str(report),
                        "SPECRT_CACHE_DIR": str(folder / f"cache-{name}-{turn}")}
            plain = peak_kb(launcher, kernel.program("clang"), arguments, {}, options.limit)
            ours = peak_kb(launcher, kernel.program("specrt"), arguments, settings, options.limit)
            extra.append((ours - plain) / 1024)
            runs.append(compilations(json.loads(report.read_text())))
        self.extra_mb = statistics.median(extra)
        self.kept = runs[-1][1]
        # Whether a call is handed over depends on its time: runs may compile different things.
        times = {}
        for found, _ in runs:
            for what, ms in found:
                times.setdefault(what, []).append(ms)
        self.compilations = [(what, statistics.median(all_ms)) for what, all_ms in times.items()]

    def print(self):
        for what, ms in self.compilations:
            print(f"  {what:28} {ms:8.1f} ms")
        kept = ", ".join(f"{candidate} {ms:.0f}" for candidate, ms in self.kept)
        print(f"    {self.extra_mb:.0f} MB; kept: {kept or 'nothing'}", flush=True)


def percentile(sorted_values, share):
    """The least value that this share of all does not exceed."""
    return sorted_values[max(0, math.ceil(share * len(sorted_values)) - 1)]


def main():
    options = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="specrt-bench-", ignore_cleanup_errors=True) as directory:
        folder = pathlib.Path(directory)
        launcher = peak_memory.build_launcher(folder)
        rows = []
        for name in options.kernels:
            rows.append(Row(name, options, launcher, folder))
            rows[-1].print()
    times = sorted(ms for row in rows for _, ms in row.compilations)
    if options.json:
        options.json.write_text(json.dumps(
            [{"kernel": row.name, "compilations": row.compilations, "kept": row.kept,
              "extra_mb": row.extra_mb} for row in rows], indent=1) + "\n")
    if not times:
        sys.exit("error: nothing was compiled")
    print(f"p50_ms={percentile(times, 0.5):.0f} p95_ms={percentile(times, 0.95):.0f} "
          f"max_ms={times[-1]:.0f} peak_extra_mb={max(row.extra_mb for row in rows):.0f}")


if __name__ == "__main__":
    main()
