#!/usr/bin/env python3
# scripts/check_docs.py - checks that docs/configuration.md describes exactly the options there are
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the option table of runtime/config.cpp with the documented one: names, defaults and
accepted values. Also checks that links between our Markdown files lead somewhere.

usage: check_docs.py
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# {"NAME", "default", "accepted", ... with string literals that may continue on the next line
ROW = re.compile(r'\{"(SPECRT_[A-Z_]+)",\s*"([^"]*)",\s*"([^"]*)",')
DOCUMENTED = re.compile(r"^\| `(SPECRT_[A-Z_]+)` \| (.*?) \| (.*?) \|", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def option_problems():
    code = {m[0]: m[1:] for m in ROW.findall((ROOT / "runtime/config.cpp").read_text())}
    text = (ROOT / "docs/configuration.md").read_text()
    documented = {m[0]: m[1:] for m in DOCUMENTED.findall(text)}
    for name in sorted(code.keys() ^ documented.keys()):
        place = "runtime/config.cpp" if name in documented else "docs/configuration.md"
        yield f"{name} is missing in {place}"
    for name in sorted(code.keys() & documented.keys()):
        default, accepted = documented[name]
        if default.replace("`", "") != (code[name][0] or "none"):
            yield f"{name}: the default is '{code[name][0]}', documented as {default}"
        if not code[name][1].startswith(accepted):
            yield f"{name}: accepts {code[name][1]}, documented as {accepted}"


def link_problems():
    files = subprocess.run(["git", "-C", ROOT, "ls-files", "*.md"], check=True,
                           capture_output=True, text=True).stdout.split()
    for name in files:
        for target in LINK.findall((ROOT / name).read_text()):
            if not (ROOT / name).parent.joinpath(target).exists():
                yield f"{name}: link to {target}, which does not exist"


def main():
    problems = [*option_problems(), *link_problems()]
    print("\n".join([*problems, f"check_docs: {len(problems)} problems"]))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
