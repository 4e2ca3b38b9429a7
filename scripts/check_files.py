#!/usr/bin/env python3
# scripts/check_files.py - checks each file by itself: its first line, its length
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The first line of a source, after "#!", is its path and its one job, in the form that its language
gives to it; headers of include/ are named as they are included. The guard of a header is its path. No
source and no document is so long that it must have more than one job.

usage: check_files.py
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MAX_LINES = 500
SOURCES = ("*.c", "*.cpp", "*.h", "*.hpp", "*.py", "*.sh")
DOCUMENTS = ("README.md", "docs/*.md")
# A comment, in C and C++ mostly drawn as a line.
BANNERS = (r"//===- {} - \S.*===//", r"/\*===- {} - \S.*===", r"(//|/\*|#) {} - \S.*")

# Code as users write it, and what tests compile with none of ours around.
OTHERS = ("examples/package/", "tests/soundness/sparse/programs/")


def name_of(path):
    return str(path).removeprefix("include/")


def has_banner(path, lines):
    first = lines[lines[0].startswith("#!")]
    name = re.escape(name_of(path))
    return any(re.fullmatch(form.replace("{}", name), first) for form in BANNERS)


def has_guard(path, lines):
    guard = "SPECRT_" + re.sub(r"\W", "_", name_of(path).removeprefix("specrt/")).upper()
    begins = (line for line in lines if line.startswith("#"))
    return [next(begins, ""), next(begins, "")] == [f"#ifndef {guard}", f"#define {guard}"]


def problems(path):
    lines = (ROOT / path).read_text().splitlines()
    if path.suffix != ".md" and (len(lines) < 2 or not has_banner(path, lines)):
        yield f"{path}:1: must be a comment in one line: {path} - the file's job"
    if path.suffix in (".h", ".hpp") and not str(path).startswith(OTHERS) and not has_guard(path, lines):
        yield f"{path}: its guard is not SPECRT_ and its path"
    if len(lines) > MAX_LINES:
        yield f"{path}: {len(lines)} lines, which is more than {MAX_LINES}"


def main():
    tracked = subprocess.run(["git", "-C", ROOT, "ls-files", *SOURCES, *DOCUMENTS], check=True,
                             capture_output=True, text=True).stdout.splitlines()
    files = [name for name in map(pathlib.Path, tracked) if (ROOT / name).exists()]
    found = [problem for path in files for problem in problems(path)]
    print("\n".join(found + [f"check_files: {len(files)} files, {len(found)} problems"]))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
