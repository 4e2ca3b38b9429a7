#!/usr/bin/env python3
# bench/programs.py - whether programs gain what is claimed, and none becomes slower
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: programs.py BUILD [--programs=A,B,...] [--threads=N] [--repetitions=N] [--quick] [...]

Programs of bench/programs/ and examples/, in their first runs from an empty cache, each beside a run of the same
program as built by clang -O3 (bench/paired.py); all times are medians over rounds.

- first_touch, levels, phases, threads, sizes: in the last run, the time of specrt's build plus what the
  report says its versions saved (calls times the difference to the original) must be that of the plain
  build. threads is about processor time, the others about the time that the program measures itself.
- eigen, rows, kmeans: one product or clustering per process, plain / specrt for whole processes.
- solver: fourteen hot loop nests; how many runs until all are decided, and the processor time beyond the
  plain build's until then.

Prints as last line

    claims_off_percent=... min_ratio=... after4_min=... solver_cpu_s=... solver_runs=...

claims_off_percent is the largest error of the first five, of those for which something is claimed.
min_ratio is the least ratio of any run of the next three, after4_min that of the runs after the fourth.
solver_runs is followed by + when some nest is still undecided after so many. Exits with 1 when a
program computes something else.
"""
import argparse
import math
import statistics
import sys

import paired

measure = paired.measure
CLAIMS = ("first_touch", "levels", "phases", "threads", "sizes")
ONCE = ("eigen", "rows", "kmeans")
SOLVER = "solver"
FLAGS = {"threads": ["-pthread"], "eigen": ["-isystem", "/usr/include/eigen3"]}
ARGUMENTS = {"rows": ["600", "--repeat=1"]}
HOT_NS = 20e6  # in the original, in one run: the default of SPECRT_HOT
UNDECIDED = ("cold", "preparing", "profiling", "compiling", "trial")


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench.sh programs")
    paired.add_options(parser, 60)
    known = [*CLAIMS, *ONCE, SOLVER]
    parser.add_argument("--programs", type=paired.names_of(known), default=known)
    parser.add_argument("--repetitions", type=int, default=5, help="rounds (default: 5)")
    options = parser.parse_args()
    paired.check_options(parser, options)
    options.threads = options.threads or len(measure.processors(1 << 20))
    return options


def chosen(all_series, names):
    return [series for series in all_series if series.program.name in names]


# --- Claims

def versions(report):
    return [version for region in report.get("regions", []) for kind in ("versions", "retired")
            for version in region[kind] if version.get("hits", 0)]


def saved_seconds(report):
    """What the report says that versions saved in this run."""
    return 1e-9 * sum(v["hits"] * (v["original_ns"] - v["ns"]) for v in versions(report)
                      if v["original_ns"] > 0 and v["ns"] > 0)


class Claim:
    """What is said about a program's last run, and what it shows."""

    def __init__(self, series):
        self.name = series.program.name
        key = "processor_seconds" if self.name == "threads" else "seconds"

        def time(run):
            return run.outcome.get(key, math.nan)

        def claimed(specrt):
            return time(specrt) + saved_seconds(specrt.report)

        last = series.options.runs - 1
        self.reports = [specrt.report for _, specrt in (pairs[last] for pairs in series.rounds)]
        self.plain = series.plain_seconds(time)
        self.shown = series.median(last, lambda plain, specrt: time(plain) / time(specrt))
        self.claimed = series.median(last, lambda _, specrt: claimed(specrt) / time(specrt))
        self.off = 100 * series.median(last, lambda plain, specrt: claimed(specrt) / time(plain) - 1)

    def is_made(self):
        return any(saved_seconds(report) != 0 for report in self.reports)

    def calls(self):
        """Of hot regions, and those among them that are said to have run a version."""
        hot = [region for region in self.reports[-1].get("regions", []) if region["hot"]]
        return f"{sum(r['hits'] for r in hot)} of {sum(r['calls'] for r in hot)}"

    def cells(self):
        figures = [f"{self.claimed:.2f}", f"{self.off:+.1f} %"] if self.is_made() else ["-", "-"]
        return [self.name, measure.duration(self.plain), f"{self.shown:.2f}", *figures, self.calls()]


def print_claims(claims, options):
    """The largest error of those that are made, in percent."""
    if not claims:
        return math.nan
    print(f"\nWhat reports say of run {options.runs}, and what it shows")
    measure.print_table(["program", "clang", "gain shown", "claimed", "off", "hits of calls"],
                        [claim.cells() for claim in claims])
    made = [claim for claim in claims if claim.is_made()]
    print(f"something is claimed for {len(made)} of {len(claims)} programs")
    return max((abs(claim.off) for claim in made), default=math.nan)


# --- Ratios

def wall(run):
    return run.wall


def print_ratios(all_series, options):
    """The least ratios: of all runs, and of those after the fourth."""
    if not all_series:
        return math.nan, math.nan
    print(f"\nTimes faster than clang -O3 in runs 1 to {options.runs}, whole processes")
    ratios = [[series.ratio(turn, wall) for turn in range(options.runs)] for series in all_series]
    measure.print_table(["program", "clang", *(f"run {n + 1}" for n in range(options.runs))],
                        [[s.program.name, measure.duration(s.plain_seconds(wall)),
                          *(f"{ratio:.2f}" for ratio in row)] for s, row in zip(all_series, ratios)])
    return (min((min(row) for row in ratios), default=math.nan),
            min((ratio for row in ratios for ratio in row[4:]), default=math.nan))


# --- The solver

def states(report):
    return {region["name"]: region["state"] for region in report.get("regions", [])}


def hot_regions(report):
    """By their time, too: specrt says it of those only that had their turn."""
    return {region["name"] for region in report.get("regions", [])
            if region["hot"] or region["calls"] * region["original_ns"] >= HOT_NS}


def compile_seconds(report):
    """Wall time from compile-begin to compile-end of all regions."""
    total = 0.0
    for region in report.get("regions", []):
        begin = None
        for event in region.get("timeline", []):
            if event["event"] == "compile-begin":
                begin = event["ms"]
            elif event["event"] == "compile-end" and begin is not None:
                total += 1e-3 * (event["ms"] - begin)
                begin = None
    return total


class Solving:
    """One round: the runs until every region that was hot in any of them is decided."""

    def __init__(self, pairs):
        self.rows, self.runs, self.decided, hot = [], 0, False, set()
        self.processor_seconds = 0.0
        for plain, specrt in pairs:
            hot |= hot_regions(specrt.report)
            state = states(specrt.report)
            open_regions = [name for name in hot if state.get(name, "cold") in UNDECIDED]
            extra = specrt.cpu - plain.cpu
            self.rows.append([str(len(self.rows) + 1), f"{plain.wall / specrt.wall:.2f}",
                              f"{extra:+.2f}", f"{compile_seconds(specrt.report):.2f}",
                              f"{len(hot) - len(open_regions)} of {len(hot)}"])
            if self.decided:
                continue
            self.runs += 1
            self.processor_seconds += max(0.0, extra)
            self.decided = bool(hot) and not open_regions


def print_solver(series):
    """(processor seconds, runs as text), the medians over rounds."""
    rounds = [Solving(pairs) for pairs in series.rounds]
    print(f"\nsolver, {measure.duration(series.plain_seconds(wall))} in clang's build, last round")
    measure.print_table(["run", "plain / specrt", "processor s beyond plain", "compiling s",
                         "hot nests decided"], rounds[-1].rows)
    runs = statistics.median_high(solving.runs for solving in rounds)
    slowest = [solving for solving in rounds if solving.runs >= runs]
    return (statistics.median(solving.processor_seconds for solving in rounds),
            f"{runs}{'' if any(solving.decided for solving in slowest) else '+'}")


def main():
    options = parse_arguments()
    all_series = paired.measure_programs(options, lambda name: FLAGS.get(name, []),
                                         lambda name: name not in ONCE,
                                         arguments=lambda name: ARGUMENTS.get(name, ()))

    print(f"\n{options.threads} threads, {paired.processor_name()}")
    off = print_claims([Claim(series) for series in chosen(all_series, CLAIMS)], options)
    least, later = print_ratios(chosen(all_series, ONCE), options)
    solver = chosen(all_series, [SOLVER])
    seconds, runs = print_solver(solver[0]) if solver else (math.nan, "nan")
    paired.finish(options, all_series)
    print(f"claims_off_percent={off:.1f} min_ratio={least:.2f} after4_min={later:.2f} "
          f"solver_cpu_s={seconds:.2f} solver_runs={runs}")
    sys.exit(not all(series.identical() for series in all_series))


if __name__ == "__main__":
    main()
