#!/usr/bin/env python3
# bench/polybench.py - the PolyBench kernels with specrt and with what else makes them fast
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: polybench.py DIRECTORY [--size=CLASS] [--kernels=A,B,...] [--form=flat|vla] [...]

Times each kernel as built by clang -O3, by gcc -O3 and by clang -O3 with Polly, with specrt in a
first and a second run, and for kernels that are BLAS calls by OpenBLAS (see polybench/measure.py
for how). Ratios are over clang -O3 on one core. Prints a table per number of threads, with the
share of the machine's limit that the second run reaches, and as last line

    geomean_1t=... geomean_2t=... min=... identical=.../30

over the second runs of the PolyBench kernels; min is the worst ratio at any number of threads. The
contractions have tables of their own. Exits with 1 when any array differs in a bit.

All kernels at LARGE take about an hour per round: with --json what was measured is kept after each
kernel, and --continue takes it from there after an interruption.
"""
import argparse
import dataclasses
import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "polybench"))
import measure  # noqa: E402
import results as stored_results  # noqa: E402

CLASSES = ("MINI", "SMALL", "MEDIUM", "LARGE")


def size(text):
    if text not in CLASSES and not all(part.isdigit() for part in text.split(",")):
        raise argparse.ArgumentTypeError(f"neither one of {', '.join(CLASSES)} nor numbers")
    return text


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench.sh polybench")
    parser.add_argument("directory", type=pathlib.Path, help="bin/polybench of a build")
    parser.add_argument("--size", type=size, help="a class, or all sizes of the kernels, as in "
                        "500,4000 (default: LARGE)")
    parser.add_argument("--kernels", type=lambda text: text.split(","),
                        default=measure.POLYBENCH + measure.CONTRACTIONS)
    parser.add_argument("--form", choices=("flat", "vla"), default="flat")
    parser.add_argument("--threads", type=lambda text: [int(n) for n in text.split(",")],
                        help="default: 1,2, as far as there are processors")
    parser.add_argument("--repetitions", type=int, help="rounds (default: 3)")
    parser.add_argument("--seconds", type=float,
                        help="how long a run of clang's build shall take (default: 1)")
    parser.add_argument("--limit", type=float, default=300, help="seconds a run may take")
    parser.add_argument("--json", type=pathlib.Path, help="file for everything that was measured")
    parser.add_argument("--continue", dest="resume", action="store_true",
                        help="do not measure again what the --json file has")
    parser.add_argument("--svg", type=pathlib.Path,
                        help="file for a plot of the ratios; a dark one goes beside it")
    parser.add_argument("--quick", action="store_true",
                        help="size MEDIUM, one round of short runs: to see that all works")
    options = parser.parse_args()
    defaults = ("MEDIUM", 1, 0.1) if options.quick else ("LARGE", 3, 1.0)
    options.size = options.size or defaults[0]
    options.repetitions = options.repetitions or defaults[1]
    options.seconds = options.seconds or defaults[2]
    available = len(measure.processors(1 << 20))
    options.threads = options.threads or [n for n in (1, 2) if n <= available]
    known = measure.POLYBENCH + measure.CONTRACTIONS
    unknown = [name for name in options.kernels if name not in known]
    if unknown:
        parser.error(f"unknown kernels: {', '.join(unknown)}; known: {', '.join(known)}")
    if min(options.threads) < 1 or max(options.threads) > available:
        parser.error(f"--threads must be from 1 to {available}")
    if options.repetitions < 1:
        parser.error("--repetitions must be positive")
    if options.resume and not options.json:
        parser.error("--continue needs --json")
    return options


def odd_sizes(description, size_class):
    return ",".join(str((value - 1 - i % 3) | 1)
                    for i, value in enumerate(description["classes"][size_class]))


def identical_elsewhere(kernel, threads):
    """Whether first and second run give clang's bits for small and odd sizes, call by call."""
    sizes = ["MINI", "SMALL", odd_sizes(kernel.description, "MINI"),
             odd_sizes(kernel.description, "SMALL")]
    arguments = [f"--size={size}" for size in sizes] + ["--repetitions=20"]
    chosen = [plan for plan in measure.plans(threads) if plan.name in ("clang", "first", "second")]
    results = kernel.measure(arguments, chosen, 1)
    return all(result.identical for result in results.values())


class Row:
    """What one kernel's measurements amount to."""

    def __init__(self, name, sizes, results, bounds, identical):
        self.name, self.sizes, self.results, self.bounds = name, sizes, results, bounds
        self.identical = identical
        self.clang = results["clang_1t"].median()

    def ratio(self, name, threads):
        """Over clang's build; nan when not measured."""
        result = self.results.get(f"{name}_{threads}t")
        return self.clang / result.median() if result and result.seconds else math.nan

    def polly(self, threads):
        """The better of Polly's builds."""
        ratios = [self.ratio("polly", 1), self.ratio("polly-parallel", threads)]
        return max((r for r in ratios if not math.isnan(r)), default=math.nan)

    def ratios(self, threads):
        steady = self.results["clang_1t"].steady_median() / \
            self.results[f"second_{threads}t"].steady_median()
        return {"gcc": self.ratio("gcc", 1), "polly": self.polly(threads),
                "first": self.ratio("first", threads), "second": self.ratio("second", threads),
                "steady": steady, "openblas": self.ratio("openblas", threads)}

    def share(self, threads):
        """Of the machine's limit, reached by a call in the middle of the second run."""
        return self.bounds[threads][0] / self.results[f"second_{threads}t"].steady_median()

    def cells(self, threads):
        cells = [self.name, measure.duration(self.clang) if self.clang > 0 else "-"]
        cells += ["-" if math.isnan(r) else f"{r:.2f}" for r in self.ratios(threads).values()]
        share = self.share(threads)
        cells += ["-" if math.isnan(share) else f"{100 * share:.0f} %", self.bounds[threads][1]]
        return cells + ["yes" if self.identical else "NO"]

    def problems(self):
        # A kernel without a BLAS form has no OpenBLAS build: that is no problem.
        return [f"{self.name}, {key}: {result.problem}" for key, result in self.results.items()
                if result.problem and not (key.startswith("openblas") and
                                           result.problem == "not built")]

    def as_json(self):
        return {"kernel": self.name, "sizes": self.sizes, "identical": self.identical,
                "clang_seconds": self.clang,
                "ratios": {f"{t}t": self.ratios(t) for t in self.bounds},
                "limits": [[t, *bound] for t, bound in self.bounds.items()],
                "share": {f"{t}t": self.share(t) for t in self.bounds},
                "runs": {key: dataclasses.asdict(r) for key, r in self.results.items()}}

    @staticmethod
    def from_json(entry):
        return Row(entry["kernel"], entry["sizes"],
                   {key: measure.Result(**run) for key, run in entry["runs"].items()},
                   {t: (seconds, kind) for t, seconds, kind in entry["limits"]},
                   entry["identical"])


def measure_kernel(name, options, limits):
    kernel = measure.Kernel(options.directory / options.form, name, options.limit)
    calls, problem = kernel.calls(options.size, options.seconds, 5)
    if problem:
        sys.exit(f"error: {name}-clang: {problem}")
    print(f"  {name} ({calls} calls)", file=sys.stderr, flush=True)
    identical = identical_elsewhere(kernel, options.threads)
    arguments = [f"--size={options.size}", f"--repetitions={calls}"]
    results = kernel.measure(arguments, measure.plans(options.threads), options.repetitions)
    identical &= all(result.identical for plan, result in results.items()
                     if plan.startswith(("clang", "first", "second")))
    sizes = kernel.sizes(options.size)
    bounds = {threads: limit.lower_bound(kernel, sizes) for threads, limit in limits.items()}
    return Row(name, sizes, results, bounds, identical)


def mean_ratios(rows, threads):
    """{name: geometric mean over the rows that have the ratio}."""
    return {name: measure.geometric_mean(row.ratios(threads)[name] for row in rows)
            for name in rows[0].ratios(threads)}


def print_rows(title, rows, options):
    header = ["kernel", "clang -O3", "gcc", "Polly", "first", "second", "steady", "OpenBLAS",
              "of limit", "set by", "identical"]
    for threads in options.threads:
        print(f"\n{title}, {options.size}, {options.form}, {threads} thread(s): times faster than "
              "clang -O3 on one core")
        total = ["geometric mean", ""] + [
            "-" if math.isnan(mean) else f"{mean:.2f}"
            for mean in mean_ratios(rows, threads).values()] + [""] * 3
        measure.print_table(header, [row.cells(threads) for row in rows] + [total])


def without_nan(value):
    """JSON has no NaN."""
    if isinstance(value, dict):
        return {key: without_nan(part) for key, part in value.items()}
    if isinstance(value, list):
        return [without_nan(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def settings(options):
    """What must be the same for rows to stand in one table."""
    return {"size": options.size, "form": options.form, "rounds": options.repetitions,
            "seconds": options.seconds, "threads": options.threads}


def everything(options, rows, limits, core):
    return without_nan(settings(options) | {
        "openblas_core": core, "limits": {f"{t}t": limit.rates for t, limit in limits.items()},
        "kernels": [row.as_json() for row in rows]})


def write_json(options, rows, limits, core):
    incomplete = options.json.with_name(options.json.name + ".new")
    incomplete.write_text(json.dumps(everything(options, rows, limits, core), indent=1) + "\n")
    incomplete.replace(options.json)


def earlier_rows(options):
    """{kernel: row} of the --json file."""
    if not options.resume or not options.json.exists():
        return {}
    earlier = json.loads(options.json.read_text())
    different = [key for key, value in settings(options).items() if earlier.get(key) != value]
    if different:
        sys.exit(f"error: {options.json} was measured with other {', '.join(different)}")
    return {entry["kernel"]: Row.from_json(entry) for entry in earlier["kernels"]}


def measure_all(options, limits, core):
    earlier = earlier_rows(options)
    rows = []
    for name in options.kernels:
        rows.append(earlier.get(name) or measure_kernel(name, options, limits))
        if options.json:
            # What is still to come of the earlier run is kept, too.
            rest = [row for other, row in earlier.items() if other not in options.kernels[:len(rows)]]
            write_json(options, rows + rest, limits, core)
    return rows


def write_plots(path, measured):
    """A light chart and, beside it, a dark one."""
    results = stored_results.Results(stored_results.summarise(measured))
    charts = results.charts(measure.POLYBENCH, measure.CONTRACTIONS)
    path.write_text(charts["light"])
    path.with_stem(path.stem + "-dark").write_text(charts["dark"])


def summary(rows, threads):
    parts, worst = [], math.inf
    for count in threads:
        seconds = [row.ratio("second", count) for row in rows]
        parts.append(f"geomean_{count}t={measure.geometric_mean(seconds):.2f}")
        # A second run without a time counts as the worst there can be.
        worst = min([worst] + [0.0 if math.isnan(ratio) else ratio for ratio in seconds])
    same = sum(row.identical for row in rows)
    return " ".join(parts) + f" min={worst:.2f} identical={same}/{len(rows)}"


def main():
    options = parse_arguments()
    core = measure.choose_openblas_core(options.directory)
    limits = {t: measure.Limits(options.directory / "limits", t) for t in options.threads}
    rows = measure_all(options, limits, core)
    groups = [("PolyBench", [row for row in rows if row.name in measure.POLYBENCH]),
              ("contractions", [row for row in rows if row.name in measure.CONTRACTIONS])]
    groups = [(title, group) for title, group in groups if group]
    for title, group in groups:
        print_rows(title, group, options)
    problems = [problem for row in rows for problem in row.problems()]
    print("".join(f"\nnot measured: {problem}" for problem in problems))
    measure.print_limits(limits, core)
    if options.svg:
        write_plots(options.svg, everything(options, rows, limits, core))
    print(summary(groups[0][1], options.threads))
    sys.exit(not all(row.identical for row in rows))


if __name__ == "__main__":
    main()
