#!/usr/bin/env python3
# tests/tools/completion_test.py - the completions offer what the command understands
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads commands and options from `specrt --help`, compares them with what bash completes (and fish
and zsh, where they are installed) and with the texts of two of the files.

usage: completion_test.py SPECRT
"""
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import termios
import threading

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


ZSH_SETUP = """
PROMPT= PROMPT2= RPROMPT=; unsetopt zle_bracketed_paste prompt_cr; fpath=({folder} $fpath)
autoload -Uz compinit; compinit -D -u -d {dump}; bindkey '^I' complete-word; bindkey '^U' kill-buffer
# Candidates go to a file. With -O, -A or -D compadd only helps others to find them.
compadd() {{
  [[ ${{(j: :)@[1,(i)(-|--)]}} == *-[OAD]* ]] && {{ builtin compadd "$@"; return }}
  local -a found
  builtin compadd -A found "$@"
  print -rl -- $found >> {answers}
}}
"""


def zsh(specrt, lines):
    """What zsh offers at the end of each line, typed into a zsh of its own on a terminal."""
    with tempfile.TemporaryDirectory() as folder:
        answers = pathlib.Path(folder, "answers")
        setup = ZSH_SETUP.format(folder=FOLDER, answers=answers, dump=pathlib.Path(folder, "dump"))
        keys = "".join(f"{line}\t\x15print -r -- END {n} >> {answers}\n"
                       for n, line in enumerate(lines))
        pathlib.Path(folder, "setup").write_text(setup)
        terminal, other_end = pty.openpty()
        # What is typed while zsh does something else waits untouched.
        modes = termios.tcgetattr(other_end)
        modes[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG)
        termios.tcsetattr(other_end, termios.TCSANOW, modes)
        environment = {**os.environ, "TERM": "dumb", "HOME": folder,
                       "PATH": f"{pathlib.Path(specrt).parent}:{os.environ['PATH']}"}
        with subprocess.Popen(["zsh", "-f", "-i"], stdin=other_end, stdout=other_end,
                              stderr=other_end, env=environment, start_new_session=True) as shell:
            os.close(other_end)
            threading.Thread(target=drain, args=(terminal,), daemon=True).start()
            os.write(terminal, f"source {folder}/setup\n{keys}exit\n".encode())
            try:
                shell.wait(timeout=60)
            except subprocess.TimeoutExpired:
                shell.kill()
        text = answers.read_text() if answers.exists() else ""
    return [part.split("\n") for part in re.split(r"^END \d+\n", text, flags=re.MULTILINE)[:-1]]


def drain(terminal):
    """Reads what is printed, so that nobody waits for a full terminal."""
    try:
        while os.read(terminal, 4096):
            pass
    except OSError:
        pass  # the other end is closed


def check_zsh(specrt, described):
    values = {"specrt report --sort g": {"gain"},
              "specrt cache list --kind ": {"profiles", "reports", "versions", "rows"}}
    wanted = dict(values)
    for words, commands, options in described:
        line = " ".join(["specrt", *words, ""])
        wanted[line + "--"] = set(options)
        if commands:
            wanted[line] = set(commands)
    offers = zsh(specrt, wanted)
    check(len(offers) == len(wanted), f"zsh: {len(offers)} answers to {len(wanted)} lines")
    for (line, words), offered in zip(wanted.items(), offers):
        check(words <= set(offered), f"zsh: '{line}' lacks {sorted(words - set(offered))}")
        check(line not in values or words == set(filter(None, offered)),
              f"zsh: '{line}' offers {offered}")


def main():
    specrt = sys.argv[1]
    texts = {name: (FOLDER / name).read_text() for name in ("specrt.bash", "specrt.fish")}
    seen = 0
    described = list(all_words(specrt))
    for words, commands, options in described:
        seen += len(commands) + len(options)
        line = " ".join(["specrt", *words, ""])
        if commands:
            check(set(commands) <= set(bash(specrt, line)), f"bash: '{line}' lacks {commands}")
        check(set(options) <= set(bash(specrt, line + "--")), f"bash: '{line}--' lacks {options}")
        for word in [*commands, *options]:
            fish_form = word.replace("--", "-l ") if word.startswith("--") else word
            check(re.search(rf"{fish_form}\b", texts["specrt.fish"]), f"specrt.fish lacks {word}")
        if shutil.which("fish"):
            check(set(commands) <= set(fish(specrt, line)), f"fish: '{line}' lacks {commands}")
            check(set(options) <= set(fish(specrt, line + "--")), f"fish: '{line}--' lacks {options}")
    check(seen > 20, "the help was not understood")
    check(bash(specrt, "specrt report --sort g") == ["gain"], "bash: keys of --sort")
    check(bash(specrt, "specrt cache list --kind ") == ["profiles", "reports", "versions", "rows"],
          "bash: values of --kind")
    if shutil.which("zsh"):
        check_zsh(specrt, described)
    print("\n".join([*problems, f"completion_test: {seen} words, {len(problems)} problems"]))
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
