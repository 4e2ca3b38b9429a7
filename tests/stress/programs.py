# tests/stress/programs.py - the programs under stress, built by clang and by the drivers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Program says what a harm must know about it: a program with threads of its own needs more
processes than one, and one that handles SIGTERM survives it. Lines of output that begin with "#" are
about libspecrt and are not compared."""
import concurrent.futures
import dataclasses
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = ROOT / "tests/stress/programs"
STORIES = ROOT / "tests/e2e/programs"
SHIM = ROOT / "tests/memory/failing_memory.c"
FLAGS = ["-O3", "-march=native", "-w", "-pthread"]


@dataclasses.dataclass(frozen=True)
class Program:
    source: pathlib.Path
    arguments: tuple = ()
    rounds: int = 0  # the first argument, unless it is 0
    is_alone: bool = False  # has one process and one thread, and allocates nothing
    handles_term: bool = False
    needs_descriptors: bool = False

    @property
    def name(self):
        return self.source.stem

    @property
    def is_cpp(self):
        return self.source.suffix == ".cpp"

    def draw_arguments(self, dice):
        if not self.rounds:
            return self.arguments
        return (str(int(self.rounds * dice.choice((0.2, 1, 1, 4)))), *self.arguments)


# Harms that concern memory and processes suit the first one only, so it is drawn more often.
PROGRAMS = 4 * (Program(OWN / "steady.c", rounds=400, is_alone=True),) + (
    Program(OWN / "threads.c", rounds=40),
    Program(OWN / "children.c", rounds=80),
    Program(OWN / "signals.c", rounds=400, handles_term=True),
    Program(OWN / "last_thread.c", rounds=200),
    Program(OWN / "descriptors.c", rounds=400, needs_descriptors=True),
    Program(OWN / "descriptors.c", rounds=400, arguments=("1500",), needs_descriptors=True),
    Program(STORIES / "three_sizes.cpp"),
    Program(STORIES / "story.cpp", arguments=("exit-in-call",)),
)


class Builds:
    """Executables of all programs in one folder: NAME-plain and NAME-specrt."""

    def __init__(self, build, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        sources = sorted({program.source for program in PROGRAMS})
        with concurrent.futures.ThreadPoolExecutor() as pool:
            jobs = [pool.submit(self._build, *job) for source in sources for job in (
                (source, "plain", f"clang{'++' * (source.suffix == '.cpp')}-22"),
                (source, "specrt", build / f"bin/specrt-clang{'++' * (source.suffix == '.cpp')}"))]
            jobs.append(pool.submit(subprocess.run, [
                "clang-22", "-O1", "-shared", "-fPIC", SHIM, "-o", self.shim], check=True))
            for job in jobs:
                job.result()

    def _build(self, source, kind, compiler):
        standard = ["-std=c++20"] if source.suffix == ".cpp" else []
        subprocess.run([compiler, *FLAGS, *standard, source, "-o",
                        self.folder / f"{source.stem}-{kind}"], check=True)

    @property
    def shim(self):
        return self.folder / "failing_memory.so"

    def executable(self, program, kind):
        return self.folder / f"{program.name}-{kind}"
