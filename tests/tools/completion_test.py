#!/usr/bin/env python3
# tests/tools/completion_test.py - the completions offer what the command understands
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads commands and options from `specrt --help`, compares them with what bash completes (and fish
and zsh, where they are installed) and with the texts of the three files.

usage: completion_test.py SPECRT
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "tools/completion"
problems = []


def check(condition, message):
    if not condition:
        problems.append(message)


def help_of(specrt, words):
    """The subcommands and the long options that `specrt words --help` lists."""
    text = subprocess.run([specrt, *words, "--help"], check=True, capture_output=True,
                          text=True).stdout
    part = text.split("Subcommands:")[1] if "Subcommands:" in text else ""
    commands = re.findall(r"^  (\w+) ", part, re.MULTILINE)
    return commands, re.findall(r"(--[a-z]+)", text.split("exit codes")[0])


def all_words(specrt, words=()):
    """Yields (words, subcommands, options) for every command."""
    commands, options = help_of(specrt, words)
    yield words, commands, options
    for command in commands:
        yield from all_words(specrt, (*words, command))


def bash(specrt, line):
    script = (f"source '{FOLDER}/specrt.bash'; COMP_LINE=$1; COMP_POINT=${{#1}}; "
              "_specrt 2>/dev/null; printf '%s\\n' \"${COMPREPLY[@]}\"")
    environment = {**os.environ, "PATH": f"{pathlib.Path(specrt).parent}:{os.environ['PATH']}"}
    return subprocess.run(["bash", "-c", script, "bash", line], check=True, capture_output=True,
                          text=True, env=environment).stdout.split("\n")[:-1]


def fish(specrt, line):
    environment = {**os.environ, "PATH": f"{pathlib.Path(specrt).parent}:{os.environ['PATH']}"}
    script = f"source {FOLDER}/specrt.fish; complete -C '{line}'"
    lines = subprocess.run(["fish", "--no-config", "-c", script], check=True, capture_output=True,
                           text=True, env=environment).stdout.splitlines()
    return [text.split("\t")[0] for text in lines]


def main():
    specrt = sys.argv[1]
    texts = {name: (FOLDER / name).read_text() for name in ("specrt.bash", "_specrt", "specrt.fish")}
    seen = 0
    for words, commands, options in all_words(specrt):
        seen += len(commands) + len(options)
        line = " ".join(["specrt", *words, ""])
        if commands:
            check(set(commands) <= set(bash(specrt, line)), f"bash: '{line}' lacks {commands}")
        check(set(options) <= set(bash(specrt, line + "--")), f"bash: '{line}--' lacks {options}")
        for word in [*commands, *options]:
            fish_form = word.replace("--", "-l ") if word.startswith("--") else word
            check(re.search(rf"{fish_form}\b", texts["specrt.fish"]), f"specrt.fish lacks {word}")
            check(re.search(rf"{word}\b", texts["_specrt"]), f"_specrt lacks {word}")
        if shutil.which("fish"):
            check(set(commands) <= set(fish(specrt, line)), f"fish: '{line}' lacks {commands}")
            check(set(options) <= set(fish(specrt, line + "--")), f"fish: '{line}--' lacks {options}")
    check(seen > 20, "the help was not understood")
    check(bash(specrt, "specrt report --sort g") == ["gain"], "bash: keys of --sort")
    check(bash(specrt, "specrt cache list --kind ") == ["profiles", "reports", "versions"],
          "bash: values of --kind")
    if shutil.which("zsh"):
        syntax = subprocess.run(["zsh", "-n", FOLDER / "_specrt"], check=False)
        check(syntax.returncode == 0, "zsh: syntax error")
    print("\n".join([*problems, f"completion_test: {seen} words, {len(problems)} problems"]))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
