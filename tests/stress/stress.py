#!/usr/bin/env python3
# tests/stress/stress.py - programs with libspecrt do what the plain ones do, whatever happens
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: stress.py BUILD [--seconds=S] [--seed=N] [--jobs=J] [--limit=S]

Runs small programs, built by clang and by the drivers in BUILD, under random harm (harms.py), and
compares output and exit status with those of the plain build. A run that fails is described when it
ends and kept in build/stress/SEED-NUMBER. The last line is

    runs=... mismatches=... crashes=... hangs=... left_behind=...

where left_behind counts processes that are there when all compile servers should have ended, and files
in the folders of the programs and for temporary files. The exit status is 1 unless all are 0.
"""
import argparse
import collections
import concurrent.futures
import itertools
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from folders import remove
import harms
import processes
import programs

SHARED_CACHES = 4
SERVER_SECONDS = 60  # an idle server ends after ten, a compile for the cache after three


def parse_arguments():
    parser = argparse.ArgumentParser(prog="stress.sh")
    parser.add_argument("build", type=pathlib.Path, help="of libspecrt, with bin and lib")
    parser.add_argument("--seconds", type=float, default=600, help="how long (default: 600)")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers (default: 1)")
    parser.add_argument("--jobs", type=int, default=2 * (os.cpu_count() or 1),
                        help="runs at a time (default: two per processor)")
    parser.add_argument("--limit", type=float, default=120,
                        help="a run that takes longer hangs (default: 120 s)")
    parser.add_argument("--only", default="", help="the name of a harm: no other is inflicted")
    parser.add_argument("--program", default="", help="the name of a program: no other is run")
    return parser.parse_args()


class Session:
    """What all runs share: the builds, their plain results and the temporary folder."""

    def __init__(self, options):
        self.options = options
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="specrt-stress-"))
        self.folder.chmod(0o755)
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        self.temporary.chmod(0o1777)
        self.marked = processes.Marked(self.temporary)
        self.bait = self.folder / "bait"  # nobody may write to it through a link
        self.bait.write_text("bait")
        self.builds = programs.Builds(options.build.resolve(), self.folder / "bin")
        self.failures = pathlib.Path("build/stress").resolve()
        self.left_files = []
        self.counts = collections.Counter()
        self._expected = {}
        self._needs = {}
        self._lock = threading.Lock()

    def environment(self, **more):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("SPECRT_", "LD_"))}
        return {**kept, "TMPDIR": str(self.temporary), "SPECRT_AFTER_EXIT_MS": "300", **more}

    def new_folder(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="run-", dir=self.folder))
        folder.chmod(0o755)
        (folder / "cwd").mkdir()
        return folder

    def expected(self, program, arguments):
        """Status and output of the plain build without harm."""
        with self._lock:
            if (program, arguments) not in self._expected:
                folder = self.new_folder()
                result = processes.run([self.builds.executable(program, "plain"), *arguments],
                                       self.environment(), folder, self.options.limit)
                shutil.rmtree(folder)
                self._expected[program, arguments] = result
            return self._expected[program, arguments]

    def memory_need(self, option):
        """The lowest limit with which `steady` runs where libspecrt is disabled."""
        with self._lock:
            if option not in self._needs:
                self._needs[option] = self._find_need(option)
            return self._needs[option]

    def _find_need(self, option):
        program = programs.PROGRAMS[0]
        low, high = 0, 1 << 30
        while high - low > 4096:
            middle = (low + high) // 2
            folder = self.new_folder()
            result = processes.run(
                ["prlimit", f"{option}={middle}", self.builds.executable(program, "specrt"), "4"],
                self.environment(SPECRT_DISABLE="1"), folder, self.options.limit)
            shutil.rmtree(folder)
            low, high = (low, middle) if result.status == 7 else (middle, high)
        return high


class Run:
    """One program under some harms. `folder` is its own and is removed when it passes."""

    def __init__(self, session, number):
        self.session, self.number = session, number
        self.dice = random.Random(f"{session.options.seed} {number}")
        self.folder = session.new_folder()
        self.program = self.dice.choice([program for program in programs.PROGRAMS
                                         if session.options.program in ("", program.name)])
        self.arguments = self.program.draw_arguments(self.dice)
        self.cache = session.folder / f"cache{self.dice.randrange(SHARED_CACHES)}"
        self.prefix, self.innermost = [], []
        self.copies = 1
        self.may_be_terminated = False
        fitting = [harm for harm in harms.HARMS if harm.suits(self.program) and
                   session.options.only in ("", type(harm).__name__)]
        self.harms = self.dice.sample(fitting, min(len(fitting), self.dice.choice((0, 1, 1, 2, 3))))
        self.settings = self.draw_settings()

    def draw_settings(self):
        choices = {"SPECRT_COMPILE": ("background", "sync", "sync"), "SPECRT_HOT": ("0", "0", "2"),
                   "SPECRT_THREADS": ("0", "0", "1", "3"),
                   "SPECRT_INSTRUMENT": ("auto", "auto", "always"),
                   "SPECRT_WATCH": ("pages", "pages", "compare"),
                   "SPECRT_COMPILE_PRIORITY": ("idle", "normal"),
                   "SPECRT_PROFILE": ("readwrite", "readwrite", "readwrite", "off"),
                   "SPECRT_COMPILE_BUDGET_MS": ("2000", "200")}
        return {name: self.dice.choice(values) for name, values in choices.items()}

    def take_own_cache(self):
        self.cache = self.folder / "cache"
        self.cache.mkdir(mode=0o700, exist_ok=True)

    def disturb(self, process):
        deadline = time.monotonic() + self.session.options.limit - 5
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(self.dice.choice((0.0005, 0.003, 0.01, 0.05)))
            for harm in self.harms:
                harm.disturb(self, process)

    def command(self, kind):
        return [*map(str, self.prefix), *map(str, self.innermost),
                str(self.session.builds.executable(self.program, kind)), *self.arguments]

    def run(self):
        """Returns problems as pairs of a kind and a text."""
        expected = self.session.expected(self.program, self.arguments)
        for harm in self.harms:
            harm.prepare(self)
        environment = self.session.environment(**self.settings,
                                               SPECRT_CACHE_DIR=str(self.cache))
        folders = [self.folder]
        while len(folders) < self.copies:
            folders.append(self.session.new_folder())
        try:
            with concurrent.futures.ThreadPoolExecutor(self.copies) as pool:
                results = list(pool.map(
                    lambda folder: processes.run(self.command("specrt"), environment, folder,
                                                 self.session.options.limit, self.disturb),
                    folders))
        finally:
            for harm in self.harms:
                harm.finish(self)
        problems = [problem for result in results
                    if (problem := self.judge(result, expected, environment))]
        for folder in folders:
            self.session.left_files += [path for path in (folder / "cwd").iterdir()]
        for folder in folders[1:] if problems else folders:
            remove(folder)
        return problems

    def judge(self, result, expected, environment):
        output, wanted = processes.visible(result.output), processes.visible(expected.output)
        if not result.hangs and (result.status, output) == (expected.status, wanted):
            return None
        if self.may_be_terminated and result.status == -signal.SIGTERM and \
                wanted.startswith(output):
            return None
        if not result.hangs and any(harm.changes_plain for harm in self.harms):
            folder = self.session.new_folder()
            plain = processes.run(self.command("plain"), environment, folder,
                                  self.session.options.limit)
            remove(folder)
            if (plain.status, plain.output) != (expected.status, expected.output):
                return None
        kind = "hangs" if result.hangs else "crashes" if result.status < 0 else "mismatches"
        return kind, self.describe(result, expected)

    def describe(self, result, expected):
        settings = " ".join(f"{name}={value}" for name, value in self.settings.items())
        names = " ".join(type(harm).__name__ for harm in self.harms)
        text = (f"harms: {names}\ncommand: {settings} SPECRT_CACHE_DIR={self.cache} "
                f"{' '.join(self.command('specrt'))}\n"
                f"status: {result.status}, plain {expected.status}\n"
                f"output: {result.output.decode(errors='replace')}\n"
                f"plain: {expected.output.decode(errors='replace')}\n"
                f"errors: {result.errors.decode(errors='replace')}\n{result.stacks}")
        kept = self.session.failures / f"{self.session.options.seed}-{self.number}"
        kept.mkdir(parents=True, exist_ok=True)
        (kept / "description").write_text(text)
        return text


def main():
    options = parse_arguments()
    harms.forbid_core_files()
    session = Session(options)
    until = time.monotonic() + options.seconds
    found = collections.Counter()
    numbers, lock = itertools.count(1), threading.Lock()

    def work(_):
        while time.monotonic() < until:
            with lock:
                run = Run(session, next(numbers))
            problems = run.run()
            with lock:
                session.counts["runs"] += run.copies
                session.counts.update(type(harm).__name__ for harm in run.harms)
                found.update(kind for kind, _ in problems)
                for kind, text in problems:
                    print(f"seed {options.seed}, run {run.number}: {kind}\n{text}\n", flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(work, range(options.jobs)))
    left = session.marked.wait_for_none(SERVER_SECONDS)
    left += session.left_files + list(session.temporary.iterdir())
    if session.bait.read_text() != "bait":
        left.append("bytes in a file that a link in the cache leads to")
    for what in left:
        print(f"left behind: {what}")
    remove(session.folder)
    print(", ".join(f"{name} {count}" for name, count in session.counts.most_common()))
    print(f"runs={session.counts['runs']} mismatches={found['mismatches']} "
          f"crashes={found['crashes']} hangs={found['hangs']} left_behind={len(left)}")
    return 1 if left or found.total() else 0


if __name__ == "__main__":
    sys.exit(main())
