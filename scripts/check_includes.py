#!/usr/bin/env python3
# scripts/check_includes.py - checks the dependency rule: which room may include which
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the #include lines of every tracked file and compares them with the table below, which is
the one in docs/design.md. Public headers include only public headers; libspecrt.so's rooms
(runtime, profiler, guards) and the parallel library name no LLVM header at all.

usage: check_includes.py
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# A room may include itself, public headers and the rooms named here. The most specific folder wins.
MAY_INCLUDE = {
    "include": set(),
    "support": set(),
    "guards": set(),
    "analysis": set(),
    "instrument": {"analysis"},
    "profiler": {"support", "guards"},
    "specializer": {"analysis", "guards"},
    "jit": {"specializer", "analysis", "guards", "support"},
    "runtime": {"profiler", "guards", "support"},
    "runtime/parallel": set(),
    "tools": {"runtime", "profiler"},
    "examples": set(),
}
# Single headers a room may include beyond that: the narrow interface between runtime and jit, whose
# plain structures (facts, candidates, causes) the profiler and the specializer fill in.
ALSO = {room: {"jit/jit_api.h"} for room in ("runtime", "profiler", "specializer")}
WITHOUT_LLVM = {"include", "support", "guards", "profiler", "runtime", "runtime/parallel", "tools"}
LLVM_HEADER = re.compile(r"(llvm|llvm-c|clang|lld|polly|isl)/")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def room_of(path):
    """The room of a file given relative to the repository, or None outside the rooms."""
    parts = path.parts
    for length in (2, 1):
        name = "/".join(parts[:length])
        if len(parts) > length and name in MAY_INCLUDE:
            return name
    return None


def resolve(path, header):
    """The file of this repository that an include means, relative to the root, or None."""
    for base in (path.parent, pathlib.Path("."), pathlib.Path("include")):
        candidate = (ROOT / base / header).resolve()
        if candidate.is_file() and candidate.is_relative_to(ROOT):
            return candidate.relative_to(ROOT)
    return None


def violations(path, room):
    lines = (ROOT / path).read_text(errors="replace").splitlines()
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        header = match.group(2)
        target = resolve(path, header)
        if target is None:
            if room in WITHOUT_LLVM and LLVM_HEADER.match(header):
                yield f"{path}:{number}: {room}/ must not depend on LLVM, but includes {header}"
            continue
        target_room = room_of(target)
        allowed = target_room in {room, "include"} | MAY_INCLUDE[room]
        if not allowed and str(target) not in ALSO.get(room, set()):
            yield f"{path}:{number}: {room}/ must not include {target}"


def main():
    tracked = subprocess.run(["git", "-C", ROOT, "ls-files", "*.h", "*.hpp", "*.c", "*.cpp"],
                             check=True, capture_output=True, text=True).stdout.split()
    found, checked = [], 0
    for name in map(pathlib.Path, tracked):
        room = room_of(name)
        if room and (ROOT / name).exists():
            checked += 1
            found += violations(name, room)
    print("\n".join(found + [f"check_includes: {checked} files, {len(found)} violations"]))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
