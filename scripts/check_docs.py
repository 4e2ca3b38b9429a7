#!/usr/bin/env python3
# scripts/check_docs.py - checks that the documentation describes exactly the options there are
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the option table of runtime/base/config.cpp with the documented one: names, defaults and
accepted values. Every setting must be in libspecrt(7); every command and option of `specrt` in
specrt(1), docs/tools.md and the shell completions. Also checks that links in our Markdown files lead
somewhere, and those to pictures.

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
# add(App, "report", ... and add_option("--sort", ... with alternatives as in "-y,--yes"
COMMAND = re.compile(r'\badd\(\w+, "([a-z]+)"')
COMMAND_OPTION = re.compile(r'(?:add_option|add_flag|set_help_flag|set_version_flag)\("(-[^"]*)"')
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
PICTURE = re.compile(r'\bsrc(?:set)?="([^":]+)"')


def option_rows(function):
    """The rows of one table of runtime/base/config.cpp: name, default, accepted."""
    text = (ROOT / "runtime/base/config.cpp").read_text()
    return ROW.findall(text[text.index(f"> &{function}() {{"):].split("\n}\n")[0])


def option_problems():
    code = {m[0]: m[1:] for m in option_rows("optionTable")}
    text = (ROOT / "docs/configuration.md").read_text()
    documented = {m[0]: m[1:] for m in DOCUMENTED.findall(text)}
    for name in sorted(code.keys() ^ documented.keys()):
        place = "runtime/base/config.cpp" if name in documented else "docs/configuration.md"
        yield f"{name} is missing in {place}"
    for name in sorted(code.keys() & documented.keys()):
        default, accepted = documented[name]
        if default.replace("`", "") != (code[name][0] or "none"):
            yield f"{name}: the default is '{code[name][0]}', documented as {default}"
        if not code[name][1].startswith(accepted):
            yield f"{name}: accepts {code[name][1]}, documented as {accepted}"


def manual_problems():
    manual = (ROOT / "docs/man/libspecrt.7").read_text()
    compiler = (ROOT / "docs/configuration.md").read_text().split("When a program is compiled")[1]
    for row in option_rows("optionTable"):
        if f".It Ev {row[0]}\n" not in manual:
            yield f"docs/man/libspecrt.7: {row[0]} is missing"
    for row in option_rows("compileTimeOptions"):
        driver = (ROOT / "docs/man/specrt-clang.1").read_text()
        if f".It Ev {row[0]}\n" not in driver or f"`{row[0]}`" not in compiler:
            yield f"{row[0]} is missing in docs/man/specrt-clang.1 or docs/configuration.md"


def command_problems():
    """Every word of the command line, in the forms in which each text writes it."""
    code = (ROOT / "tools/commands.cpp").read_text()
    options = {o.lstrip("-") for names in COMMAND_OPTION.findall(code) for o in names.split(",")
               if o.startswith("--")}
    commands = set(COMMAND.findall(code))
    if len(options) < 8 or len(commands) < 8:
        yield "tools/commands.cpp: its commands and options are not understood"
    forms = {"docs/man/specrt.1": (r"(Fl|\|) -{}\b", r"\b{}\b"),
             "docs/tools.md": ("--{}\\b", r"specrt (cache |server )?{}\b"),
             "tools/completion/specrt.bash": ("--{}\\b", r"\b{}\b"),
             "tools/completion/_specrt": ("--{}\\b", r"\b{}\b"),
             "tools/completion/specrt.fish": ("-l {}\\b", r"\b{}\b")}
    for file, (option_form, command_form) in forms.items():
        text = (ROOT / file).read_text()
        for form, words in ((option_form, options), (command_form, commands)):
            for word in sorted(words):
                if not re.search(form.replace("{}", word), text):
                    yield f"{file}: {word} is missing"


def link_problems():
    files = subprocess.run(["git", "-C", ROOT, "ls-files", "*.md"], check=True,
                           capture_output=True, text=True).stdout.split()
    for name in files:
        text = (ROOT / name).read_text()
        for target in LINK.findall(text) + PICTURE.findall(text):
            if not (ROOT / name).parent.joinpath(target).exists():
                yield f"{name}: link to {target}, which does not exist"


def main():
    problems = [*option_problems(), *manual_problems(), *command_problems(), *link_problems()]
    print("\n".join([*problems, f"check_docs: {len(problems)} problems"]))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
