# bench/microbenchmark.py - what a program of Google Benchmark measures, for all who run one
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import subprocess
import sys


def iterations(command, environment=None):
    """Runs the command, with its options; returns what it says of each repetition. Those that could
    not be measured have "error_occurred"."""
    finished = subprocess.run([*command, "--benchmark_format=json"], env=environment,
                              stdout=subprocess.PIPE, text=True)
    if finished.returncode != 0:
        sys.exit(f"error: {' '.join(map(str, command))} failed with {finished.returncode}")
    return [entry for entry in json.loads(finished.stdout)["benchmarks"]
            if entry.get("run_type") == "iteration"]


def measured(entries):
    """The same entries, all of which must have been measured."""
    for entry in entries:
        if entry.get("error_occurred"):
            sys.exit(f"error: {entry['name']}: {entry['error_message']}")
    return entries


def interleaved(program, repetitions, seconds):
    """Repetitions in one process, at random."""
    return iterations([program, f"--benchmark_min_time={seconds}",
                       f"--benchmark_repetitions={repetitions}",
                       "--benchmark_enable_random_interleaving=true"])
