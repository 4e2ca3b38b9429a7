#!/usr/bin/env python3
# tests/fuzz/programs/reduction.py - makes a failing program small
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""First all kernels but one are left out, then cvise takes lines and tokens away for as long as the
program fails in the same way and has no undefined behaviour that clang or its sanitizers find.

usage: reduction.py BUILD FOLDER KIND    (by cvise, in a folder with a changed program): exit status 0
when the program there, described by FOLDER/program.json, still fails with a KIND
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

import builds
import programs

SANE = ["-Werror=uninitialized", "-Werror=sometimes-uninitialized", "-Werror=return-type",
        "-Werror=implicit-function-declaration", "-Werror=int-conversion",
        "-Werror=incompatible-pointer-types", "-Werror=array-bounds"]
SANITIZED = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
             "-fno-sanitize=function"]


def is_valid(program, folder, tools):
    """Whether clang sees no undefined behaviour."""
    copy = builds.unoptimised(program)
    copy.flags += SANITIZED
    copy.link_flags = [*copy.link_flags, "-fsanitize=address,undefined"]
    build = builds.Build(copy, folder, folder / "sanitized", tools.plain, tools.driver)
    build.flags = [flag for flag in build.flags if flag != "-w"] + SANE
    return build.make() and build.run({}, limit=20)[0] == 0


def still_fails(build, original, kind):
    """In the current folder, of which cvise keeps a copy for each attempt."""
    here = pathlib.Path.cwd()
    shutil.copy(original / "program.json", here)
    program = programs.Program.read(here)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        tools = builds.Toolchain(build, folder)
        program.write(folder)
        return (is_valid(program, folder, tools) and
                builds.compare(program, folder, tools).kind == kind)


def reduce(result, folder, build, seconds):
    """Leaves the small program in folder/reduced."""
    reduced = folder / "reduced"
    shutil.rmtree(reduced, ignore_errors=True)
    program = smallest_part(result, folder, build)
    program.write(reduced)
    names = [source.name for source in program.sources]
    test = reduced / "fails.sh"
    test.write_text(f"#!/bin/sh\nexec python3 {pathlib.Path(__file__).resolve()} {build} {reduced} "
                    f"{result.kind}\n")
    test.chmod(0o755)
    if shutil.which("cvise") is None:
        return "only kernels were left out; install cvise for more"
    try:
        done = subprocess.run(["timeout", "--signal=INT", str(int(seconds)), "cvise", "--n", "1",
                               str(test), *names], cwd=reduced, capture_output=True, text=True)
    finally:
        for name in names:
            (reduced / (name + ".orig")).unlink(missing_ok=True)
    lines = sum(len((reduced / name).read_text().splitlines()) for name in names)
    return f"{lines} lines in {reduced}" + (", out of time" if done.returncode == 124 else "")


def smallest_part(result, folder, build):
    """The program with one kernel if that fails, too, or all of it."""
    scratch = folder / "parts"
    tools = builds.Toolchain(build, scratch)
    names = [f"k{number}" for number in range(programs.SMALLEST_NUMBER_OF_NESTS)]
    for name in sorted(names, key=lambda name: name not in result.what.split()):
        part = programs.generate(result.seed, only=name)
        if part.num_nests and builds.compare(part, scratch / name, tools).kind == result.kind:
            shutil.rmtree(scratch)
            return part
    shutil.rmtree(scratch)
    return programs.generate(result.seed)


if __name__ == "__main__":
    sys.exit(0 if still_fails(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]) else 1)
