#!/usr/bin/env python3
# bench/feedback.py - what is said of the loops of programs in the manner of Rodinia
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: feedback.py BUILD [--programs=A,B,...] [--markdown]

Builds the programs of bench/feedback/ with the driver in BUILD, lets one call of each kernel be recorded,
and prints a table in the form of table 5 of the paper behind the folding-based analysis: pieces of the
dependences through memory without and with widening and giving up, the share of the addresses that
affine functions give, and which loops are said to be parallel and vectorisable. The last line is

    kernels=... affine_percent=... pieces=...->...

with the mean share and the sums of the pieces. Exits with 1 when nothing was recorded of a kernel.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent / "feedback"
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.cpp"))


def recorded(build, name, folder):
    """The feedback about the kernel of a program: of its region with most accesses recorded."""
    program, report = folder / name, folder / f"{name}.json"
    subprocess.run([build / "bin/specrt-clang++", "-O2", "-std=c++20", f"-I{FOLDER.parent.parent}",
                    FOLDER / f"{name}.cpp", "-o", program], check=True)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SPECRT_")}
    environment |= {"SPECRT_INSTRUMENT": "always", "SPECRT_COMPILE": "sync", "SPECRT_HOT": "0",
                    "SPECRT_THREADS": "1", "SPECRT_REPORT": str(report),
                    "SPECRT_CACHE_DIR": str(folder / "cache")}
    subprocess.run([program], env=environment, check=True, stdout=subprocess.DEVNULL)
    told = [region["feedback"] for region in json.loads(report.read_text())["regions"]
            if region.get("feedback", {}).get("from") == "recording"]
    if not told:
        sys.exit(f"error: nothing was recorded of {name}")
    return max(told, key=lambda f: sum(a.get("points", 0) for a in f["accesses"]))


def affine_percent(feedback):
    points = sum(access["points"] for access in feedback["accesses"])
    return sum(access["points"] * access["affine_percent"]
               for access in feedback["accesses"]) / max(points, 1)


def loops(feedback, what):
    """"1, 3 of 3": the loops of which it is said."""
    numbers = [str(n) for n, loop in enumerate(feedback["loops"], 1)
               if loop[what]["answer"] == "yes"]
    return f"{', '.join(numbers) or 'none'} of {len(feedback['loops'])}"


def row(name, feedback):
    pieces = feedback["dependence_pieces"]
    return [name, f"{pieces['exact']} -> {pieces['folded']}", f"{affine_percent(feedback):.0f}",
            loops(feedback, "parallel"), loops(feedback, "vectorisable"),
            feedback["advice"][0] if feedback["advice"] else ""]


def print_table(rows, markdown):
    head = ["kernel", "pieces", "affine %", "parallel", "vectorisable", "first advice"]
    if markdown:
        for line in [head, ["---"] * len(head), *rows]:
            print("|", " | ".join(line), "|")
        return
    widths = [max(len(line[c]) for line in [head, *rows]) for c in range(len(head) - 1)]
    for line in [head, *rows]:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths)), line[-1], sep="  ")


def main():
    parser = argparse.ArgumentParser(prog="bench.sh feedback")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--programs", type=lambda text: text.split(","), default=PROGRAMS)
    parser.add_argument("--markdown", action="store_true", help="the table for a document")
    options = parser.parse_args()
    unknown = set(options.programs) - set(PROGRAMS)
    if unknown:
        parser.error(f"unknown programs: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        told = {name: recorded(options.build.resolve(), name, pathlib.Path(folder))
                for name in options.programs}
    print_table([row(name, feedback) for name, feedback in told.items()], options.markdown)
    pieces = [feedback["dependence_pieces"] for feedback in told.values()]
    share = sum(map(affine_percent, told.values())) / len(told)
    print(f"kernels={len(told)} affine_percent={share:.0f} "
          f"pieces={sum(p['exact'] for p in pieces)}->{sum(p['folded'] for p in pieces)}")


if __name__ == "__main__":
    main()
