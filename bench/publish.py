#!/usr/bin/env python3
# bench/publish.py - the charts and the table of PolyBench in README.md and docs/, from stored results
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: publish.py [--from=FILE --machine=TEXT] [--check]

Draws docs/polybench.svg and docs/polybench-dark.svg from bench/results/polybench.json, and writes
between the markers of README.md and docs/benchmarks.md what shows them and all figures. The same
results give the same bytes.

--from takes new results from a file that `bench.sh polybench --json=FILE` has written, and --machine
says where it was, as in "2 cores of an AMD EPYC with AVX-512". --check changes nothing and exits with 1
when something is not what would be written.
"""
import argparse
import json
import pathlib
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "polybench"))
import measure  # noqa: E402
import results as stored_results  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
STORED = "bench/results/polybench.json"
CHARTS = {"light": "docs/polybench.svg", "dark": "docs/polybench-dark.svg"}
BEGIN, END = "<!-- begin: written by bench/publish.py -->\n", "<!-- end -->\n"


def picture(description):
    """GitHub shows the one that fits the page. No line may be empty: that would end the element."""
    words = "\n".join(textwrap.wrap(f'alt="{description}">', 100))
    return (f'<picture>\n<source media="(prefers-color-scheme: dark)" srcset="{CHARTS["dark"]}">\n'
            f'<img src="{CHARTS["light"]}" width="860"\n{words}\n</picture>\n')


def replace_block(text, block, name):
    """The text with everything between the markers replaced."""
    if text.count(BEGIN) != 1 or END not in text.split(BEGIN)[1]:
        sys.exit(f"error: {name} has not exactly one pair of markers: {BEGIN.strip()} {END.strip()}")
    before, after = text.split(BEGIN)
    return before + BEGIN + block + END + after.split(END, 1)[1]


def outputs(stored):
    """{file: contents} of everything that is made from these results."""
    results = stored_results.Results(stored)
    charts = results.charts(measure.POLYBENCH)
    blocks = {"README.md": picture(results.describe(results.group(measure.POLYBENCH))),
              "docs/benchmarks.md": results.table() + "\n"}
    files = {name: replace_block((ROOT / name).read_text(), block, name)
             for name, block in blocks.items()}
    return {STORED: stored_results.as_json(stored),
            **{path: charts[theme] for theme, path in CHARTS.items()}, **files}


def main():
    parser = argparse.ArgumentParser(prog="publish.py")
    parser.add_argument("--from", dest="source", type=pathlib.Path, metavar="FILE",
                        help="what `bench.sh polybench --json=FILE` has written")
    parser.add_argument("--machine", help="where that was")
    parser.add_argument("--check", action="store_true", help="only say what is out of date")
    options = parser.parse_args()
    if bool(options.source) != bool(options.machine):
        parser.error("--from and --machine belong together")

    if options.source:
        stored = stored_results.summarise(json.loads(options.source.read_text()), options.machine)
    else:
        stored = json.loads((ROOT / STORED).read_text())
    stale = [name for name, contents in outputs(stored).items()
             if not (ROOT / name).exists() or (ROOT / name).read_text() != contents]
    for name in stale:
        print(f"out of date: {name}" if options.check else f"wrote {name}")
        if not options.check:
            (ROOT / name).write_text(outputs(stored)[name])
    print(f"publish.py: {len(stale)} files " + ("are out of date" if options.check else "written"))
    sys.exit(options.check and bool(stale))


if __name__ == "__main__":
    main()
