# bench/polybench/results.py - what is published of a run of polybench.py: charts and a table
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stored results (bench/results/polybench.json) are what a --json file of bench/polybench.py amounts
to: per kernel the time of clang's build, all ratios in three digits and whether the results were
identical. A ratio that was not measured is missing."""
import json

import chart
import measure

def threads_title(count):
    return f"{count} thread{'s' if count > 1 else ''}"


def three_digits(value):
    return float(f"{value:.3g}") if chart.known(value) else None


def summarise(everything, machine=""):
    """Stored results from the contents of a --json file."""
    kernels = []
    for entry in everything["kernels"]:
        ratios = {threads: {series: three_digits(values[series]) for series in chart.SERIES
                            if chart.known(values.get(series))}
                  for threads, values in entry["ratios"].items()}
        kernels.append({"kernel": entry["kernel"], "identical": entry["identical"],
                        "clang_seconds": three_digits(entry["clang_seconds"]), "ratios": ratios})
    kept = ("size", "form", "rounds", "threads")
    return {"machine": machine, **{key: everything[key] for key in kept}, "kernels": kernels}


def as_json(stored):
    """One line per kernel, so that a change can be read."""
    head = json.dumps({key: value for key, value in stored.items() if key != "kernels"}, indent=1)
    lines = ",\n".join("  " + json.dumps(entry) for entry in stored["kernels"])
    return f'{head[:-2]},\n "kernels": [\n{lines}\n ]\n}}\n'


class Results:
    """Stored results, as rows of figures."""

    def __init__(self, stored):
        self.stored = stored
        self.entries = {entry["kernel"]: entry for entry in stored["kernels"]}

    def group(self, names):
        """The entries of those kernels that were measured."""
        return [self.entries[name] for name in names if name in self.entries]

    @staticmethod
    def ratio(entry, threads, series):
        return entry["ratios"][f"{threads}t"].get(series)

    def mean(self, group, threads, series):
        return measure.geometric_mean(
            ratio for ratio in (self.ratio(entry, threads, series) for entry in group) if ratio)

    def fastest_first(self, names):
        threads = self.stored["threads"][0]
        return sorted(self.group(names), reverse=True,
                      key=lambda entry: self.ratio(entry, threads, "second") or 0)

    def chart_rows(self, groups, threads):
        rows = []
        for group in groups:
            rows += [(entry["kernel"], entry["ratios"][f"{threads}t"], entry["identical"])
                     for entry in group]
            if len(group) > 1:
                means = {series: self.mean(group, threads, series) for series in chart.SERIES}
                # OpenBLAS has only some of the kernels: a mean of those says nothing here.
                means["openblas"] = None
                rows.append(("geometric mean", means, True))
        return rows

    def title(self):
        return f"PolyBench at {self.stored['size']}: times faster than clang -O3 on one core"

    def describe(self, group):
        """The chart in words."""
        words = [f"{len(group)} kernels on {self.stored['machine'] or 'this machine'}, in times "
                 "the speed of clang -O3 on one core."]
        for threads in self.stored["threads"]:
            seconds = {entry["kernel"]: self.ratio(entry, threads, "second") for entry in group}
            seconds = {name: ratio for name, ratio in seconds.items() if ratio}
            if not seconds:
                continue
            worst, best = min(seconds, key=seconds.get), max(seconds, key=seconds.get)
            means = [chart.number(self.mean(group, threads, series))
                     for series in ("polly", "first", "second")]
            words.append(
                f"{threads_title(threads).capitalize()}: geometric means {means[0]} for Polly, "
                f"{means[1]} for the first run with specrt, {means[2]} for the second; second runs "
                f"from {chart.number(seconds[worst])} ({worst}) to {chart.number(seconds[best])} "
                f"({best}).")
        return " ".join(words)

    def charts(self, *groups):
        """{theme: SVG text} of these groups of kernel names, each from the fastest to the slowest."""
        sorted_groups = [group for group in map(self.fastest_first, groups) if group]
        panels = [(threads_title(threads), self.chart_rows(sorted_groups, threads))
                  for threads in self.stored["threads"]]
        description = self.describe([entry for group in sorted_groups for entry in group])
        note = f"right of 1×: faster; figures: second run. {self.stored['machine']}".strip()
        return {name: chart.ratios(self.title(), note, description, panels, theme)
                for name, theme in (("light", chart.LIGHT), ("dark", chart.DARK))}

    def cell(self, entry, threads, series):
        ratio = self.ratio(entry, threads, series)
        return chart.number(ratio) if ratio else ""

    def table(self):
        """Markdown, a row per kernel in the order of the file."""
        header = ["kernel", "clang -O3", "gcc -O3"]
        for threads in self.stored["threads"]:
            header += [f"Polly, {threads_title(threads)}", "first run", "second run", "OpenBLAS"]
        rows = [header, ["---"] * len(header)]
        for entry in self.stored["kernels"]:
            seconds = entry["clang_seconds"]
            row = [entry["kernel"] + ("" if entry["identical"] else " ≠"),
                   measure.duration(seconds) if seconds else "",
                   self.cell(entry, self.stored["threads"][0], "gcc")]
            for threads in self.stored["threads"]:
                polly, first, second, openblas = (
                    self.cell(entry, threads, series)
                    for series in ("polly", "first", "second", "openblas"))
                row += [polly, first, f"**{second}**" if second else "", openblas]
            rows.append(row)
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)
