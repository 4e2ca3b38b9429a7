#!/usr/bin/env python3
# bench/propagation.py - runs bench-propagation
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: propagation.py PROGRAM [--repetitions=N]

Medians of N repetitions (default 5) of propagating zeros through each kernel.
"""
import argparse
import subprocess
import sys

parser = argparse.ArgumentParser(usage=__doc__.split("\n")[0][len("usage: "):])
parser.add_argument("program")
parser.add_argument("--repetitions", type=int, default=5)
options = parser.parse_args()
sys.exit(subprocess.run([options.program, str(options.repetitions)]).returncode)
