#!/usr/bin/env python3
# bench/polybench/test_identical.py - every kernel gives the same bits with specrt as with clang -O3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: test_identical.py DIRECTORY [KERNEL...]

DIRECTORY has the programs of one form (see CMakeLists.txt). For each kernel, several sizes, odd and
empty ones among them, run with clang's program and twice with specrt's, with everything compiled as
early as possible and a cache that the two share. Then two runs with arrays that overlap, on what
the runs before learned about disjoint ones. After every call all arrays must be equal, bit for bit.
"""
import array
import collections
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

REPETITIONS = 40  # of the first size: enough for trials to come to an end
TIME_LIMIT = 120  # seconds of one program
SPECRT = {"SPECRT_COMPILE": "sync", "SPECRT_HOT": "0"}

# Pairs that may overlap without turning all numbers into NaN, whose bits mean nothing. All other
# kernels use the pairs of overlaps(). A symmetric update of its own operand (syrk) grows without
# bound; the others left out have one array of each type.
OVERLAPS = {
    "adi": ["U:Q:0", "U:P:5"],
    "cholesky": [], "floyd-warshall": [], "lu": [], "nussinov": [], "seidel-2d": [], "syrk": [],
    "correlation": ["Mean:R:0", "X:Mean:5"],
    "gramschmidt": ["Q:R:5", "R:Q:5"],
    "ludcmp": ["b:x:0", "y:b:5"],
    "trisolv": ["b:x:0", "b:L:5"],
}
# Statistics of no observations are NaN, and so is the covariance of a single one.
SMALLEST = {"covariance": "1,2"}
EMPTY = {"correlation": ["0,32", "-2,-3"], "covariance": ["0,32", "-2,-3"]}

Outcome = collections.namedtuple("Outcome", "status runs data messages versions")


def overlaps(description):
    """The second array on the first, and the first one inside the last."""
    if description["kernel"] in OVERLAPS:
        return OVERLAPS[description["kernel"]]
    names = [info["name"] for info in description["arrays"]]
    return [f"{names[1]}:{names[0]}:0", f"{names[0]}:{names[-1]}:5"]


def size_options(description):
    mini, form = description["classes"]["MINI"], description["form"]
    odd = [(value - 2 - i % 3) | 1 for i, value in enumerate(mini)]
    sizes = ["MINI", ",".join(map(str, odd)),
             SMALLEST.get(description["kernel"], ",".join("1" for _ in mini))]
    if form != "vla":
        rest = [str(value) for value in mini[1:]]
        sizes += EMPTY.get(description["kernel"],
                           [",".join(["0", *rest]), ",".join([str(mini[0])] + ["0" for _ in rest]),
                            ",".join(str(-1 - i) for i in range(len(mini)))])
    return [f"--size={size}" for size in dict.fromkeys(sizes)]


def run(program, arguments, scratch, environment=None):
    output, report = scratch / "output", scratch / "report.json"
    for stale in (output, report):
        stale.unlink(missing_ok=True)
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SPECRT_")}
    if environment is not None:
        clean |= SPECRT | {"SPECRT_REPORT": str(report)} | environment
    try:
        finished = subprocess.run([program, *arguments, f"--output={output}"], env=clean,
                                  capture_output=True, text=True, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return Outcome("timeout", [], b"", "", 0)
    runs = [json.loads(line) for line in finished.stdout.splitlines()]
    for entry in runs:
        del entry["seconds"]
    regions = json.loads(report.read_text())["regions"] if report.exists() else []
    versions = sum(len(region["versions"]) for region in regions)
    return Outcome(finished.returncode, runs, output.read_bytes(), finished.stderr, versions)


def numbers(outcome, description):
    """The arrays as numbers, when all have one floating type."""
    kinds = {info["type"] for info in description["arrays"]}
    code = {"double": "d", "float": "f"}.get(kinds.pop() if len(kinds) == 1 else "")
    return array.array(code, outcome.data) if code else []


class Test:
    def __init__(self, directory):
        self.directory = directory
        self.failures = 0
        self.versions = 0  # that specrt made, over all kernels

    def fail(self, message):
        self.failures += 1
        print("FAILED:", message)

    def compare(self, name, arguments, plain, outcome):
        self.versions += outcome.versions
        command = f"{name} {' '.join(arguments)}"
        if outcome.status != plain.status:
            self.fail(f"{command} ends with {outcome.status}, clang's with {plain.status}: "
                      f"{outcome.messages}")
        elif outcome.messages:
            self.fail(f"{command} prints {outcome.messages!r}")
        elif outcome.runs != plain.runs or outcome.data != plain.data:
            for ours, theirs in zip(outcome.runs, plain.runs):
                calls = [i for i, pair in enumerate(zip(ours["checksums"], theirs["checksums"]))
                         if pair[0] != pair[1]]
                if calls:
                    self.fail(f"{command}: {ours['sizes']} differs in calls {calls}")

    def kernel(self, name, scratch):
        plain_program = self.directory / f"{name}-clang"
        specrt_program = self.directory / f"{name}-specrt"
        description = json.loads(subprocess.run([plain_program, "--describe"], check=True,
                                                capture_output=True).stdout)
        environment = {"SPECRT_CACHE_DIR": str(scratch / "cache")}
        repetitions = f"--repetitions={REPETITIONS}"

        def compare(what, arguments, runs):
            plain = run(plain_program, arguments, scratch)
            if plain.status != 0 or not all(map(math.isfinite, numbers(plain, description))):
                self.fail(f"{name} {arguments}: clang's program gives no finite numbers")
            for number in runs:
                outcome = run(specrt_program, arguments, scratch, environment)
                self.compare(f"{name}-specrt ({description['form']}, {what} {number})", arguments,
                             plain, outcome)

        compare("run", [*size_options(description), repetitions], (1, 2))
        for overlap in overlaps(description):
            compare("run", ["--size=MINI", repetitions, f"--alias={overlap}"], (3,))


def main():
    directory = pathlib.Path(sys.argv[1]).absolute()
    test = Test(directory)
    names = sys.argv[2:] or sorted(p.name.removesuffix("-specrt") for p in
                                   directory.glob("*-specrt"))
    for name in names:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
            test.kernel(name, pathlib.Path(scratch))
    if test.versions < len(names):
        test.fail(f"specrt made only {test.versions} versions for {len(names)} kernels")
    print(f"{len(names)} kernels, {test.versions} versions, {test.failures} failures")
    sys.exit(test.failures != 0 or not names)


if __name__ == "__main__":
    main()
