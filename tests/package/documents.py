#!/usr/bin/env python3
# tests/package/documents.py - files and commands as the documents give them
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The blocks of a Markdown file, for those who follow it by the letter.

A block in fences whose first line is a comment that names a file (`# CMakeLists.txt`,
`// solver.cpp`) is that file; one of the language `sh` is commands. Others are only to be read.

    documents.py FILE HEADING    prints a shell script that does what the sections of this heading say
"""
import dataclasses
import pathlib
import re
import shlex
import sys

FILE_NAME = re.compile(r"(?:#|//) ([\w.]+)")


@dataclasses.dataclass
class Block:
    language: str
    text: str

    @property
    def file(self):
        """The name of the file that this is, or None."""
        named = FILE_NAME.fullmatch(self.text.split("\n", 1)[0])
        return named and named[1]


def section(document, heading):
    """The blocks under a heading, also those under lower ones below it."""
    blocks, depth, block = [], 0, None
    for line in document.read_text().splitlines():
        title = re.fullmatch(r"(#+) (.*)", line)
        if block is not None:
            if line == "```":
                blocks.append(Block(block[0], "\n".join(block[1:]) + "\n"))
                block = None
            else:
                block.append(line)
        elif title and title[2] == heading:
            depth = len(title[1])
        elif title and depth and len(title[1]) <= depth:
            depth = 0
        elif depth and line.startswith("```"):
            block = [line[3:]]
    if not blocks:
        raise ValueError(f"{document} has no blocks under '{heading}'")
    return blocks


def script(blocks):
    """What pastes them: files are written, commands are run."""
    lines = []
    for block in blocks:
        if block.file:
            lines.append(f"cat >{shlex.quote(block.file)} <<'END_OF_FILE'\n{block.text}END_OF_FILE\n")
        elif block.language == "sh":
            lines.append(block.text)
    return "".join(lines)


if __name__ == "__main__":
    print("set -eu")
    print(script(section(pathlib.Path(sys.argv[1]), sys.argv[2])), end="")
