# tests/fuzz/programs/builds.py - builds a program in several ways, runs it, compares
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import dataclasses
import json
import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
COMPILE_LIMIT = 120  # seconds
RUN_LIMIT = 300  # of wall time: a busy machine must not fail a program
RUNS = 3  # with one cache: the first compiles
NOT_FINITE = 4  # status of a program that computes infinities or NaNs, with FUZZ_FINITE
FINITE_FLAGS = ("-ffast-math", "-Ofast")


@dataclasses.dataclass
class Result:
    seed: int
    kind: str = "same"  # or mismatch, crash, undefined, defect (of the generator)
    what: str = ""
    candidates: set = dataclasses.field(default_factory=set)  # that ran


class Toolchain:
    """Compilers by language, and the driver of the programs."""

    def __init__(self, build, folder, clang="clang-22", clangxx="clang++-22"):
        self.plain = {False: clang, True: clangxx}
        self.specrt = {False: str(build / "bin/specrt-clang"), True: str(build / "bin/specrt-clang++")}
        self.driver = folder / "driver.o"
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([clang, "-O1", "-fPIC", "-c", HERE / "driver.c", "-o", self.driver],
                       check=True)


def environment(extra):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("SPECRT_", "FUZZ_"))}
    return clean | {k: str(v) for k, v in extra.items()}


def execute(command, folder, limit, extra):
    """(status, output); a signal is a negative status, "timeout" is one, too."""
    try:
        done = subprocess.run(command, cwd=folder, env=environment(extra), timeout=limit,
                              stdin=subprocess.DEVNULL, capture_output=True)
    except subprocess.TimeoutExpired:
        return "timeout", b""
    if done.returncode != 0 and not done.stdout:
        return done.returncode, done.stderr
    return done.returncode, done.stdout


class Build:
    """A program as one compiler makes it, in a folder of its own."""

    def __init__(self, program, sources, folder, compilers, driver, extra_flags=()):
        self.program, self.sources, self.folder = program, sources, folder
        self.compiler, self.driver = compilers[program.cxx], driver
        self.flags = [*program.flags, *extra_flags, "-w", "-I", str(sources), "-I", str(HERE)]
        self.log = b""

    def run_compiler(self, *arguments):
        status, self.log = execute([self.compiler, *arguments], self.folder, COMPILE_LIMIT, {})
        return status == 0

    def source(self, file):
        return str(self.sources / file.name)

    def make(self):
        """True when it could be built."""
        self.folder.mkdir(parents=True, exist_ok=True)
        program, link = self.program, [*self.program.link_flags, str(self.driver), "-lm"]
        files = list(program.sources)
        if program.shared:
            opened = files.pop(0)
            if not self.run_compiler(*self.flags, *opened.flags, self.source(opened), "-shared",
                                     *program.link_flags, "-lm", "-o", "opened.so"):
                return False
        if all(not file.flags for file in files):
            return self.run_compiler(*self.flags, *map(self.source, files), *link, "-o", "program")
        objects = [file.name + ".o" for file in files]
        for file, name in zip(files, objects):
            if not self.run_compiler(*self.flags, *file.flags, "-c", self.source(file), "-o", name):
                return False
        return self.run_compiler(*self.flags, *objects, *link, "-o", "program")

    def run(self, extra, limit=RUN_LIMIT):
        return execute(["./program"], self.folder, limit, extra)


def unoptimised(program):
    """Flags behind which nothing is optimised, for every file."""
    copy = dataclasses.replace(program, flags=[f for f in program.flags if "lto" not in f] + ["-O0"])
    copy.sources = [dataclasses.replace(s, flags=[f for f in s.flags if not f.startswith("-O")])
                    for s in program.sources]
    return copy


def strict(program):
    """The same without the promise of finite values: what makes an infinity or a NaN raises an
    exception, on the thread of the driver."""
    copy = unoptimised(program)
    copy.flags = [f for f in copy.flags if f not in (*FINITE_FLAGS, "-fopenmp")]
    copy.flags.append("-ffp-exception-behavior=strict")
    return copy


def candidates(report):
    """Names of the candidates that ran, by a report of a run."""
    try:
        regions = json.loads(report.read_text())["regions"]
    except (OSError, ValueError):
        return set()
    found = set()
    for region in regions:
        found |= {v["candidate"] for v in region["versions"] if v.get("hits", 0) > 0}
        found |= {v["candidate"] for v in region["retired"]
                  if v.get("hits", 0) > 0 or (v.get("ns") or 0) > 0}
        found |= {h.get("candidate", "on-stack replacement") for h in region.get("on_stack_replacements", ())
                  if h.get("taken")}
    return found


def compare(program, folder, tools, nan_bits=False):
    """Builds and runs everything; the result says what was different first."""
    result = Result(program.seed)
    settings = {"FUZZ_NAN_BITS": 1} if nan_bits else {}

    def finish(kind, what, log=b""):
        result.kind, result.what = kind, what
        if log:
            (folder / "log").write_bytes(log)
        return result

    program.write(folder)
    plain = Build(program, folder, folder / "plain", tools.plain, tools.driver)
    if not plain.make():
        return finish("defect", "clang refuses it", plain.log)
    status, expected = plain.run(settings)
    if status != 0:
        return finish("defect", f"the plain program ends with {status}", expected)
    if program.finite:
        checked = Build(strict(program), folder, folder / "strict", tools.plain, tools.driver)
        if not checked.make():
            return finish("defect", "clang -O0 with strict exceptions refuses it", checked.log)
        status, output = checked.run({"FUZZ_FINITE": 1})
        if status == NOT_FINITE:
            return finish("undefined", "values are not finite, as its flags promise")
        if status != 0:
            return finish("defect", f"with strict exceptions it ends with {status}", output)
    if program.exact:
        slow = Build(unoptimised(program), folder, folder / "O0", tools.plain, tools.driver)
        if not slow.make():
            return finish("defect", "clang -O0 refuses it", slow.log)
        status, output = slow.run(settings)
        if (status, output) != (0, expected):
            return finish("defect", f"clang -O0 gives something else (status {status})", output)
    build = Build(program, folder, folder / "specrt", tools.specrt, tools.driver)
    if not build.make():
        return finish("crash", "the driver refuses it", build.log)
    for run in range(1, RUNS + 1):
        report = folder / f"report{run}.json"
        # Some second runs meet versions at any moment.
        beside = run == 2 and program.seed % 4 == 3
        status, output = build.run(settings | {
            "SPECRT_HOT": 0, "SPECRT_COMPILE": "background" if beside else "sync",
            "SPECRT_THREADS": 1 + program.seed % 2, "SPECRT_CACHE_DIR": folder / "cache",
            "SPECRT_REPORT": report})
        if status != 0:
            return finish("crash", f"run {run} ends with {status}", output)
        if output != expected:
            return finish("mismatch", f"run {run}: {difference(expected, output)}", output)
        result.candidates |= candidates(report)
    return result


def difference(expected, output):
    """The first line that differs, in words."""
    for wanted, got in zip(expected.splitlines(), output.splitlines()):
        if wanted != got:
            return wanted.decode(errors="replace").rsplit(" ", 1)[0]
    return "the output ends early"
