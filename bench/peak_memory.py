# bench/peak_memory.py - the highest resident memory of a program
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared by bench/compile.py and bench/footprint.py.

A large process counts as its children's highest memory until they call exec, so a small one starts
the programs whose memory is measured.
"""
import subprocess

LAUNCHER = """
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
  struct rusage usage;
  int status = 1;
  pid_t child = fork();
  if (child == 0) { close(1); execv(argv[1], argv + 1); _exit(127); }
  if (wait4(child, &status, 0, &usage) != child || status != 0) return 1;
  printf("%ld\\n", usage.ru_maxrss);
}
"""


def build_launcher(folder):
    """A program that runs another and prints its highest memory in KB, made in \\p folder."""
    source, program = folder / "launcher.c", folder / "launcher"
    source.write_text(LAUNCHER)
    subprocess.run(["clang-22", "-O1", source, "-o", program], check=True)
    return program
