#!/usr/bin/env python3
# scripts/check_includes.py - checks the dependency rule: which room may include which
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the #include lines of every tracked file and compares them with the table below, which is
the one in docs/design.md. Public headers include only public headers; libspecrt.so's rooms
(runtime, profiler, structure, guards) and the parallel library name no LLVM header at all. Neither
rooms nor headers may form a circle, and no folder may hold more files than a reader can survey.

usage: check_includes.py
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# A room may include itself, public headers and the rooms named here; the most specific folder wins.
# Each names only rooms that stand above it, so that no arrow climbs and no circle is possible.
BELOW_DECIDE = {"runtime/base", "runtime/watch", "runtime/rows", "runtime/zeros", "runtime/compile",
                "runtime/protocol",
                "runtime/capture", "runtime/record", "runtime/call", "runtime/cache",
                "runtime/plans"}
MAY_INCLUDE = {
    "include": set(),
    "arch": set(),
    "support": set(),
    "guards": set(),
    "structure/program": set(),
    "structure/propagation": {"structure/program"},
    "structure/rows": set(),
    "structure/levels": {"structure/rows"},
    "structure/views": {"structure/rows"},
    "structure/summary": {"structure/levels", "structure/rows", "structure/views"},
    "structure": set(),
    "analysis/memory": {"guards"},
    "analysis/rounding": {"analysis/memory"},
    "analysis": {"analysis/memory", "analysis/rounding"},
    "instrument/select": {"analysis"},
    "instrument/nest": set(),
    "instrument/source": {"analysis", "guards"},
    "instrument/emit": {"analysis", "guards", "instrument/nest", "instrument/select",
                        "instrument/source"},
    "instrument": {"analysis", "instrument/emit", "instrument/select", "instrument/source"},
    "profiler/folding/shapes": set(),
    "profiler/folding": {"profiler/folding/shapes"},
    "profiler/json": {"guards"},
    "profiler/streams": {"profiler/folding", "profiler/json", "structure"},
    "profiler/feedback": {"profiler/folding", "profiler/json", "profiler/streams"},
    "profiler/observations": {"guards", "profiler/feedback", "profiler/json", "profiler/streams",
                              "structure", "support"},
    "profiler/plans": {"guards", "profiler/json", "profiler/observations", "profiler/streams",
                       "structure"},
    "profiler/store": {"profiler/json", "profiler/observations", "profiler/plans", "structure",
                       "support"},
    "specializer/strategies/table": set(),
    "specializer/rounding": {"analysis"},
    "specializer/polyhedral/schedule": {"specializer/rounding"},
    "specializer/polyhedral/model": {"specializer/polyhedral/schedule"},
    "specializer/polyhedral/contraction": {"specializer/polyhedral/schedule",
                                           "specializer/rounding"},
    "specializer/polyhedral/kernel": {"specializer/polyhedral/contraction",
                                      "specializer/polyhedral/schedule", "support"},
    "specializer/polyhedral/stencil": {"specializer/polyhedral/schedule"},
    "specializer/polyhedral/storage": {"specializer/polyhedral/schedule"},
    "specializer/polyhedral/interleaving": {"analysis", "specializer/polyhedral/contraction",
                                            "specializer/polyhedral/schedule"},
    "specializer/polyhedral": {
        "analysis", "specializer/polyhedral/schedule", "specializer/polyhedral/model",
        "specializer/polyhedral/contraction", "specializer/polyhedral/interleaving",
        "specializer/polyhedral/kernel",
        "specializer/polyhedral/stencil", "specializer/polyhedral/storage", "support"},
    "specializer/strategies": {"specializer/polyhedral", "specializer/strategies/table"},
    "specializer/loops": {"analysis", "specializer/polyhedral", "support"},
    "specializer/module": {"analysis", "guards", "specializer/loops", "specializer/polyhedral",
                           "specializer/rounding"},
    "specializer/speculation": {"analysis", "guards", "specializer/loops", "specializer/module",
                                "specializer/polyhedral/model", "specializer/rounding"},
    "specializer/exits": {"specializer/module", "specializer/polyhedral/model"},
    "specializer/wrapping": {"analysis", "guards", "specializer/module", "specializer/rounding"},
    "specializer/feedback": set(),
    "specializer/sparse/canonical": {"specializer/loops", "specializer/module",
                                     "specializer/polyhedral/model", "support"},
    "specializer/sparse/loops": {"specializer/loops", "specializer/polyhedral/model",
                                 "specializer/sparse/canonical", "specializer/speculation", "support"},
    "specializer/fast": {"specializer/loops", "specializer/module", "specializer/polyhedral/model",
                         "specializer/rounding", "specializer/sparse/canonical",
                         "specializer/sparse/loops", "specializer/speculation"},
    "specializer/sparse/inspect": {"specializer/loops", "specializer/sparse/loops"},
    "specializer/sparse/classes": {"specializer/loops", "specializer/sparse/loops", "support"},
    "specializer/sparse/formats": {"specializer/loops", "specializer/sparse/classes",
                                   "specializer/sparse/loops", "support"},
    "specializer/sparse": {"analysis", "specializer/loops", "specializer/sparse/canonical",
                           "specializer/sparse/classes", "specializer/sparse/formats",
                           "specializer/sparse/inspect", "specializer/sparse/loops"},
    "specializer/sparse/conditions": {"structure/program"},
    "specializer/sparse/equations/language": set(),
    "specializer/sparse/equations": {"specializer/polyhedral/model",
                                     "specializer/sparse/equations/language", "structure/program"},
    "specializer/sparse/zeros": {"analysis", "specializer/loops", "specializer/polyhedral/model",
                                 "specializer/sparse",
                                 "specializer/sparse/canonical", "specializer/sparse/loops"},
    "specializer/instrumentation": {"guards", "specializer/fast", "specializer/feedback", "specializer/module",
                                    "specializer/polyhedral/model", "specializer/rounding",
                                    "specializer/sparse",
                                    "specializer/speculation"},
    "specializer/nest": {"analysis", "guards", "specializer/feedback",
                         "specializer/instrumentation", "specializer/module",
                         "specializer/polyhedral", "specializer/sparse", "structure/program"},
    "specializer": {"analysis", "guards", "specializer/exits", "specializer/fast",
                    "specializer/feedback",
                    "specializer/instrumentation", "specializer/loops", "specializer/module", "specializer/nest",
                    "specializer/sparse", "specializer/polyhedral", "specializer/rounding", "specializer/speculation",
                    "specializer/strategies", "structure/propagation"},
    "jit/code": {"analysis", "guards", "specializer", "support"},
    "jit/object": {"analysis", "guards", "jit/code", "specializer", "support"},
    "jit": {"analysis", "guards", "jit/code", "jit/object", "specializer", "support"},
    "runtime/base": {"arch", "support"},
    "runtime/watch": {"runtime/base", "support"},
    "runtime/protocol": {"profiler", "support"},
    "runtime/capture": {"guards", "runtime/base", "support"},
    "runtime/compile": {"guards", "profiler", "runtime/base", "runtime/protocol", "support"},
    "runtime/zeros": {"arch", "runtime/base", "runtime/watch", "support"},
    "runtime/rows": {"profiler/streams", "runtime/base", "runtime/watch", "structure", "support"},
    "runtime/record": {"guards", "profiler/streams", "runtime/base", "structure"},
    "runtime/call": {"guards", "profiler", "runtime/base", "runtime/capture", "runtime/compile",
                     "runtime/record",
                     "structure", "support"},
    "runtime/cache": {"arch", "guards", "profiler", "runtime/base", "runtime/compile", "runtime/call",
                      "runtime/rows", "runtime/zeros", "structure", "support"},
    "runtime/plans": {"runtime/base", "runtime/cache", "runtime/call", "runtime/rows",
                      "runtime/watch", "structure", "support"},
    "runtime/decide": {"guards", "profiler", "specializer/strategies/table", "structure", "support"}
                      | BELOW_DECIDE,
    "runtime/wrap": {"guards", "profiler", "structure", "support", "runtime/decide"} | BELOW_DECIDE,
    "runtime/report": {"guards", "profiler", "structure", "support", "runtime/decide"}
                      | BELOW_DECIDE,
    "runtime/process": {"guards", "profiler", "structure", "support", "runtime/decide",
                        "runtime/report", "runtime/wrap"} | BELOW_DECIDE,
    "runtime/executor": {"guards", "profiler", "support"} | BELOW_DECIDE,
    "runtime/server": {"guards", "profiler", "runtime/decide", "runtime/executor",
                       "specializer/strategies/table", "support"} | BELOW_DECIDE,
    "runtime/parallel": {"support"},
    "runtime/api": {"arch", "guards", "profiler", "structure", "support", "runtime"},
    "tools": {"guards", "profiler", "runtime", "structure", "support"},
    "examples": {"structure"},
}
WITHOUT_LLVM = ("include", "support", "guards", "structure", "profiler",
                "specializer/sparse/conditions", "specializer/strategies/table", "runtime", "tools")
# Of the compiler's libraries, isl alone.
ONLY_ISL = ("specializer/sparse/equations/language",)
MAX_FILES = 25  # headers and sources in one folder
LLVM_HEADER = re.compile(r"(llvm|llvm-c|clang|lld|polly|isl)/")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def room_of(path):
    """The room of a file given relative to the repository, or None outside the rooms."""
    for folder in path.parents:
        if str(folder) in MAY_INCLUDE:
            return str(folder)
    return None


def permits(room, other):
    """May files of room include those of the other? Naming a folder names the rooms in it, too."""
    return other in (room, "include") or any(
        other == name or other.startswith(name + "/") for name in MAY_INCLUDE[room])


def climbing():
    """Rooms that name one which does not stand above them in the table."""
    rooms = list(MAY_INCLUDE)
    for position, room in enumerate(rooms):
        for other in rooms[position + 1:]:
            if permits(room, other):
                yield f"check_includes: {room}/ names {other}/, which stands below it in the table"


def resolve(path, header):
    """The file of this repository that an include means, relative to the root, or None."""
    for base in (path.parent, pathlib.Path("."), pathlib.Path("include")):
        candidate = (ROOT / base / header).resolve()
        if candidate.is_file() and candidate.is_relative_to(ROOT):
            return candidate.relative_to(ROOT)
    return None


def includes(path):
    """Number of the line, text and target (or None) of each include."""
    for number, line in enumerate((ROOT / path).read_text(errors="replace").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match.group(2), resolve(path, match.group(2))


def violations(path, room):
    for number, header, target in includes(path):
        if target is None:
            if room.startswith(WITHOUT_LLVM) and LLVM_HEADER.match(header):
                yield f"{path}:{number}: {room}/ must not depend on LLVM, but includes {header}"
            elif room in ONLY_ISL and LLVM_HEADER.match(header) and not header.startswith("isl/"):
                yield f"{path}:{number}: {room}/ must depend on isl alone, but includes {header}"
        elif room_of(target) is None or not permits(room, room_of(target)):
            yield f"{path}:{number}: {room}/ must not include {target}"


def circles(headers):
    """Headers that include each other: every back edge of a depth-first search."""
    state = {}

    def visit(path):
        state[path] = "open"
        for number, _, target in includes(path):
            if target in headers and state.get(target) == "open":
                yield f"{path}:{number}: includes {target}, which includes it"
            elif target in headers and target not in state:
                yield from visit(target)
        state[path] = "done"

    for header in headers:
        if header not in state:
            yield from visit(header)


def crowded(files):
    """Folders that need rooms of their own."""
    for folder, count in sorted(collections.Counter(str(name.parent) for name in files).items()):
        if count > MAX_FILES:
            yield f"{folder}/: {count} files, which is more than {MAX_FILES}"


def main():
    tracked = subprocess.run(["git", "-C", ROOT, "ls-files", "*.h", "*.hpp", "*.c", "*.cpp"],
                             check=True, capture_output=True, text=True).stdout.split()
    files = [name for name in map(pathlib.Path, tracked) if (ROOT / name).exists() and room_of(name)]
    found = list(climbing())
    for name in files:
        found += violations(name, room_of(name))
    found += circles([name for name in files if name.suffix in (".h", ".hpp")])
    found += crowded(files)
    print("\n".join(found + [f"check_includes: {len(files)} files, {len(found)} violations"]))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
