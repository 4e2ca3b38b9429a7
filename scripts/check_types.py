#!/usr/bin/env python3
# scripts/check_types.py - checks that each type of namespace specrt is defined once
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two types of one name are two definitions of one entity: where both are linked into one program,
the linker keeps one copy of each inline function, constructor and destructor, which is wrong for the
other type. No compiler diagnoses that. Types in unnamed namespaces are local to their file and may
have any name. The sources are formatted, so a definition at namespace scope begins in the first column.

usage: check_types.py
"""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("analysis", "arch", "guards", "include", "instrument", "jit", "profiler", "runtime",
           "specializer", "structure", "support", "tools")
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{")
END = re.compile(r"^\} // namespace [\w:]+$")
UNNAMED = re.compile(r"^namespace \{"), re.compile(r"^\} // namespace$")
DEFINITION = re.compile(r"^(?:template <.*> )?(?:struct|class|union|enum class|enum) (?:\[\[.*\]\] |alignas\(\w+\) )?"
                        r"(\w+)(?: final)?(?: : .*)?(?: \{.*)?$")


def definitions(path):
    """The qualified names that a file defines at the scope of namespaces that have a name."""
    scope, unnamed = [], False
    for line in (ROOT / path).read_text().splitlines():
        if UNNAMED[0].match(line):
            unnamed = True
        elif UNNAMED[1].match(line):
            unnamed = False
        elif found := NAMESPACE.match(line):
            scope.append(found[1])
        elif END.match(line) or line == "}" and scope and not scope[-1].startswith("specrt"):
            scope and scope.pop()
        elif (found := DEFINITION.match(line)) and scope and not unnamed:
            yield "::".join([*scope, found[1]])


def main():
    tracked = subprocess.run(["git", "-C", ROOT, "ls-files", *(f"{f}/*.{e}" for f in FOLDERS for e in ("h", "hpp", "cpp"))],
                             check=True, capture_output=True, text=True).stdout.splitlines()
    places = collections.defaultdict(list)
    for path in tracked:
        if (ROOT / path).exists():
            for name in definitions(path):
                places[name].append(path)
    twice = [f"{name}: {', '.join(where)}" for name, where in sorted(places.items()) if len(where) > 1]
    print("\n".join(twice + [f"check_types: {len(places)} types, {len(twice)} defined twice"]))
    sys.exit(bool(twice))


if __name__ == "__main__":
    main()
