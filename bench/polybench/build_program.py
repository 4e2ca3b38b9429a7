#!/usr/bin/env python3
# bench/polybench/build_program.py - runs a compiler within a time limit, for a benchmark's variant
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: build_program.py OUTPUT SECONDS COMMAND...

A compiler under comparison may fail or need minutes for a kernel (Polly with symbolic sizes). That
is a result, not an error of the build: then OUTPUT becomes a file that is not executable, with one
line that says what happened, for bench/polybench.py to report.
"""
import os
import pathlib
import signal
import subprocess
import sys


def main():
    output, seconds, command = pathlib.Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]
    output.unlink(missing_ok=True)
    compiler = subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE, text=True)
    try:
        messages = compiler.communicate(timeout=seconds)[1]
        problem = None if compiler.returncode == 0 else f"fails with status {compiler.returncode}"
    except subprocess.TimeoutExpired:
        # The driver's child is the one that takes so long.
        os.killpg(compiler.pid, signal.SIGKILL)
        messages = compiler.communicate()[1]
        problem = f"does not end within {seconds:g} s"
    sys.stderr.write(messages)
    if problem:
        output.write_text(f"the compiler {problem}\n")
        output.chmod(0o644)


if __name__ == "__main__":
    main()
