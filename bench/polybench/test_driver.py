#!/usr/bin/env python3
# bench/polybench/test_driver.py - the kernels' command line: clear errors, reproducible data
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: test_driver.py DIRECTORY    (with flat/gemm-clang and vla/gemm-clang)"""
import json
import pathlib
import subprocess
import sys
import tempfile

# Program, arguments, words of the message.
BAD = [
    ("flat/gemm-clang", ["--size=HUGE"], "ni must be an integer, not 'HUGE'"),
    ("flat/gemm-clang", ["--size=1,2"], "needs 3 sizes, got '1,2'"),
    ("flat/gemm-clang", ["--size=1,2,3,4"], "needs 3 sizes"),
    ("flat/gemm-clang", ["--size=1,2,9999999"], "at most 1000000"),
    ("vla/gemm-clang", ["--size=1,0,3"], "must have elements: nj is 0"),
    ("flat/gemm-clang", ["--repetitions=0"], "must be a positive integer, not '0'"),
    ("flat/gemm-clang", ["--alias=A:B"], "needs ARRAY:TARGET:OFFSET"),
    ("flat/gemm-clang", ["--alias=A:X:0"], "has no array 'X'"),
    ("flat/gemm-clang", ["--alias=A:A:1"], "two arrays of the same type"),
    ("flat/gemm-clang", ["--alias=A:B:-1"], "must be a number that is not negative"),
    ("flat/gemm-clang", ["--alias=A:B:0", "--alias=B:C:0"], "must not be an alias itself"),
    ("flat/gemm-clang", ["--output=/nonexistent/x"], "cannot write '/nonexistent/x'"),
    ("flat/gemm-clang", ["--sizes=MINI"], "unknown argument '--sizes=MINI'"),
]

failures = 0


def check(condition, message):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", message)


def run(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60)


def check_errors(directory):
    for program, arguments, words in BAD:
        finished = run(directory / program, *arguments)
        check(finished.returncode == 2, f"{program} {arguments} ends with {finished.returncode}")
        check(finished.stderr.startswith("error: ") and words in finished.stderr,
              f"{program} {arguments}: '{words}' is not in {finished.stderr!r}")


def check_data(directory, scratch):
    """Every call starts from the same data, in both forms, and the kernel changes only C."""
    outputs = []
    for form in ("flat", "vla"):
        before, after = scratch / f"{form}-before", scratch / f"{form}-after"
        finished = run(directory / form / "gemm-clang", "--size=7,8,9", "--size=9,8,7",
                       "--repetitions=3", f"--initial={before}", f"--output={after}")
        runs = [json.loads(line) for line in finished.stdout.splitlines()]
        check([list(entry["sizes"].values()) for entry in runs] == [[7, 8, 9], [9, 8, 7]],
              f"{form}: wrong sizes in {finished.stdout}")
        for entry in runs:
            check(len(entry["seconds"]) == 3 and len(set(entry["checksums"])) == 1,
                  f"{form}: the calls differ in {entry}")
        check(runs[0]["checksums"] != runs[1]["checksums"], f"{form}: equal checksums")
        outputs.append((before.read_bytes(), after.read_bytes()))
    elements = [[7 * 8, 7 * 9, 9 * 8], [9 * 8, 9 * 7, 7 * 8]]
    check(len(outputs[0][0]) == 8 * sum(map(sum, elements)), "files of the wrong size")
    check(outputs[0] == outputs[1], "the forms have different data or results")
    before, after = outputs[0]
    check(before[:8 * 56] != after[:8 * 56], "C is what it was")
    check(before[8 * 56:8 * 191] == after[8 * 56:8 * 191], "A or B has changed")


def check_alias(directory, scratch):
    """An alias shares the memory of its target."""
    path = scratch / "alias"
    run(directory / "flat/gemm-clang", "--size=4,4,4", "--alias=A:B:2", f"--initial={path}")
    c, a, b = (path.read_bytes()[i * 128:(i + 1) * 128] for i in range(3))
    check(a[:-16] == b[16:] and a != b and c != b, "A does not begin at the third element of B")


def main():
    directory = pathlib.Path(sys.argv[1]).absolute()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        check_errors(directory)
        check_data(directory, pathlib.Path(scratch))
        check_alias(directory, pathlib.Path(scratch))
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
