#!/usr/bin/env python3
# scripts/scops_corpus.py - the tables of docs/scops.md from what scops-corpus.sh counted
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads packages.tsv (package, version, lines) and counts/PACKAGE.json (from `specrt scops --json`) of
the folder of scops-corpus.sh and prints, as Markdown, a row per package and a row per cause.

usage: scops_corpus.py FOLDER
"""
import datetime
import json
import pathlib
import sys


def percent(before, after):
    return f"{100 * (after - before) / before:+.0f} %" if before else "-"


def row(*cells):
    print("| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else cell for cell in cells) + " |")


def numbers(files):
    """Scops as the code is, with Polly's checks, with speculation, and rejected regions."""
    return [sum(file[name] for file in files)
            for name in ("scops", "checked", "speculative", "rejected")]


def print_packages(packages, counted):
    row("package", "version", "lines", "files", "regions", "Scops", "with checks", "speculative",
        "more")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    files = []
    for name, version, lines in packages:
        own = [file for file in counted[name]["files"] if "error" not in file]
        files += own
        scops, checked, speculative, rejected = numbers(own)
        row(name, version, int(lines), len(own), scops + rejected, scops, checked, speculative,
            percent(scops, speculative))
    scops, checked, speculative, rejected = numbers(files)
    row("all", "", sum(int(lines) for _, _, lines in packages), len(files), scops + rejected, scops,
        checked, speculative, percent(scops, speculative))
    print(f"\nSpeculation over Polly's own count, without its run-time checks: "
          f"{percent(scops, speculative)}; with them: {percent(checked, speculative)}.\n")


def print_causes(tables):
    row("cause", "guard", "affected", "sole", "cumulative", "what")
    print("|---|---|--:|--:|--:|---|")
    # The same causes in the same order, so that even cumulative numbers add up.
    for of_packages in zip(*tables):
        cause = of_packages[0]
        row(cause["name"], "yes" if cause["speculative"] else "no",
            *(sum(one[number] for one in of_packages)
              for number in ("affected", "sole", "cumulative")), cause["meaning"])


def main():
    folder = pathlib.Path(sys.argv[1])
    packages = [line.split("\t") for line in (folder / "packages.tsv").read_text().splitlines()]
    counted = {name: json.loads((folder / "counts" / f"{name}.json").read_text())
               for name, _, _ in packages}
    bad = sum("error" in file for count in counted.values() for file in count["files"])
    print(f"Counted on {datetime.date.today()}; {bad} files could not be counted.\n")
    print_packages(packages, counted)
    print_causes([count["total"]["causes"] for count in counted.values()
                  if count["total"]["causes"]])


if __name__ == "__main__":
    main()
