# bench/paired.py - programs with and without specrt, run side by side
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared by bench/oneshot.py, bench/busy.py, bench/irregular.py, bench/programs.py, bench/loops.py and
bench/fine.py, which also compare the plain build with itself: that is how much figures scatter.

A program is built twice with the same options, by clang and by specrt's driver. A *round* is so many
runs of specrt's build, one after another, of which the first finds an empty cache directory and each
later one what those before it left. Right beside every run the plain build runs, before or after it in
turn, so that a change of the machine's speed hits both; a ratio is always of two such neighbours, and
medians are over rounds. A long plain run stands between two of specrt's and is compared with both.

A program prints a JSON object as its last line, or lines NAME=VALUE, as those in examples/ do. "seconds"
is what it measured itself, and "checksum" must be the same in all of its runs.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import math
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "polybench"))
import measure  # noqa: E402

BENCH = pathlib.Path(__file__).resolve().parent
OPTIMIZE = ["-O3", "-march=native"]
LONG_RUN = 2.0      # seconds, from which on one plain run is the neighbour of two
LONG_SERIES = 60.0  # seconds, after which a program has no further round


def processor_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def names_of(known):
    """For lists of names as options."""
    def split(text):
        unknown = [name for name in text.split(",") if name not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"unknown: {', '.join(unknown)}; known: "
                                             f"{', '.join(known)}")
        return text.split(",")
    return split


def numbers(text):
    """For lists of numbers as options."""
    return [int(number) for number in text.split(",")]


def add_options(parser, limit, runs=6, threads=int):
    """What all of these benchmarks understand."""
    parser.add_argument("build", type=pathlib.Path, help="build folder with specrt")
    parser.add_argument("--threads", type=threads, help="processors that programs may use")
    parser.add_argument("--runs", type=int, default=runs,
                        help=f"runs from an empty cache on (default: {runs})")
    parser.add_argument("--limit", type=float, default=limit,
                        help=f"seconds a run may take (default: {limit})")
    parser.add_argument("--json", type=pathlib.Path, help="file for everything that was measured")
    parser.add_argument("--reports", type=pathlib.Path,
                        help="folder for the reports of all of specrt's runs; writing them takes "
                             "some ms")
    parser.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE",
                        help="for specrt's runs, such as SPECRT_DISABLE=1: what does it cost to "
                             "be there?")
    parser.add_argument("--pause", type=float, default=0, metavar="SECONDS",
                        help="between the runs of a round, as users make them: compiles go on "
                             "after a program's end")
    parser.add_argument("--quick", action="store_true", help="one round: to see that all works")


def check_thread_counts(parser, options):
    """check_options where --threads is a list of numbers: without it one thread, and all."""
    options.threads = options.threads or sorted({1, len(measure.processors(1 << 20))})
    check_options(parser, options)


def options_of_programs(name, programs):
    """What benchmarks of some programs understand that also have small problems."""
    parser = argparse.ArgumentParser(prog=f"bench.sh {name}")
    add_options(parser, 60, runs=3)
    parser.add_argument("--programs", type=names_of(programs), default=list(programs))
    parser.add_argument("--small", action="store_true", help="small problems: to see that all works")
    parser.add_argument("--repetitions", type=int, default=5, help="rounds (default: 5)")
    options = parser.parse_args()
    options.threads = options.threads or len(measure.processors(1 << 20))
    check_options(parser, options)
    return options


def check_options(parser, options):
    if options.runs < 2:
        parser.error("--runs must be at least 2")
    available = len(measure.processors(1 << 20))
    threads = options.threads if isinstance(options.threads, list) else [options.threads or 1]
    if not all(1 <= number <= available for number in threads):
        parser.error(f"--threads must be from 1 to {available}")
    if not 0 <= options.pause <= 3600:
        parser.error("--pause must be from 0 to 3600")
    if any("=" not in setting for setting in options.setting):
        parser.error("--setting must be NAME=VALUE")
    if options.quick:
        options.repetitions = 1
    if options.repetitions is not None and options.repetitions < 1:
        parser.error("--repetitions must be positive")
    if options.reports:
        options.reports = options.reports.absolute()
        options.reports.mkdir(parents=True, exist_ok=True)


# --- Builds

@dataclasses.dataclass(frozen=True)
class Program:
    """The builds of one program."""
    name: str
    plain: pathlib.Path
    specrt: pathlib.Path
    arguments: tuple = ()


class Toolchain:
    """Builds programs in a scratch folder. Files that only carry a program, such as its clock, are
    compiled by clang for both builds."""

    def __init__(self, build, folder):
        self.build, self.folder = build.absolute(), folder

    def compiler(self, plain, sources):
        suffix = "++" if any(source.suffix == ".cpp" for source in sources) else ""
        return f"clang{suffix}-22" if plain else self.build / f"bin/specrt-clang{suffix}"

    def run(self, command):
        finished = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
        if finished.returncode != 0:
            sys.exit(f"error: {' '.join(map(str, command))}\n{finished.stdout}")

    def object(self, source, flags):
        """A file as clang compiles it."""
        path = self.folder / f"{source.stem}.o"
        self.run([self.compiler(True, [source]), *flags, "-c", source, "-o", path])
        return path

    def program(self, name, sources, flags, libraries=(), arguments=()):
        """\\p libraries come last and may be objects."""
        paths = {}
        for variant in ("plain", "specrt"):
            paths[variant] = self.folder / f"{name}-{variant}"
            self.run([self.compiler(variant == "plain", sources), *flags, *sources, *libraries,
                      "-o", paths[variant]])
        return Program(name, paths["plain"], paths["specrt"], tuple(map(str, arguments)))


def outcome(toolchain):
    """What every program in bench/programs/ is linked with."""
    return toolchain.object(BENCH / "programs/outcome.cpp", ["-std=c++20", "-O2"])


PROGRAMS, EXAMPLES = BENCH / "programs", BENCH.parent / "examples"


def cpp_program(toolchain, outcome, name, flags=(), arguments=(), folder=PROGRAMS):
    """NAME.cpp, with NAME_*.cpp if there are any; what the folder lacks is an example."""
    folder = folder if (folder / f"{name}.cpp").exists() else EXAMPLES
    sources = [folder / f"{name}.cpp", *sorted(folder.glob(f"{name}_*.cpp"))]
    return toolchain.program(name, sources, ["-std=c++20", f"-I{PROGRAMS}", *OPTIMIZE, *flags],
                             [outcome], arguments)


def measure_programs(options, flags, has_reports=lambda name: False, sources=PROGRAMS, threads=None,
                     processors=None, arguments=lambda name: ()):
    """[Series] of those that options name of a folder of \p sources; \p flags and \p arguments: of a
    program."""
    threads = threads or options.threads
    with tempfile.TemporaryDirectory(prefix="specrt-bench-", ignore_cleanup_errors=True) as folder:
        toolchain = Toolchain(options.build, pathlib.Path(folder))
        common = outcome(toolchain)
        programs = in_parallel(
            lambda name: cpp_program(toolchain, common, name, flags(name), arguments(name), sources),
            options.programs)
        all_series = []
        for program in programs:
            print(f"  {program.name}", file=sys.stderr, flush=True)
            series = Series(program, options, threads, has_reports(program.name), processors)
            all_series.append(series.measure(options.repetitions))
        return all_series


def in_parallel(function, items):
    """[function(item)] with as many threads as processors, for builds."""
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return list(pool.map(function, items))


# --- Runs

@dataclasses.dataclass
class Run:
    wall: float = math.nan  # of the whole process
    cpu: float = math.nan   # user and system time of the whole process
    outcome: dict = dataclasses.field(default_factory=dict)  # what the program printed
    report: dict = dataclasses.field(default_factory=dict)   # what specrt says
    problem: str = ""

    @property
    def seconds(self):
        return self.outcome.get("seconds", math.nan)


def run_once(command, settings, processors, limit):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("SPECRT_")}
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    try:
        finished = subprocess.run(
            command, env=clean | settings, capture_output=True, text=True, timeout=limit,
            preexec_fn=lambda: os.sched_setaffinity(0, measure.processors(processors)))
    except subprocess.TimeoutExpired:
        return Run(problem=f"not done in {limit:g} s")
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    if finished.returncode != 0:
        return Run(problem=f"ends with status {finished.returncode}: {finished.stderr[:200]}")
    return Run(wall, cpu, outcome_of(finished.stdout))


def outcome_of(output):
    """What a program printed about itself."""
    lines = output.splitlines()
    if lines[-1].startswith("{"):
        return json.loads(lines[-1])
    values = dict(line.split("=", 1) for line in lines if "=" in line)
    return values | {"seconds": float(values["seconds"])}


def steady(run):
    """The median call of the later half."""
    return run.outcome.get("steady", math.nan)


class Series:
    """Rounds of one program."""

    def __init__(self, program, options, threads, with_reports=False, processors=None, preparing=()):
        """\p preparing: settings of all runs of a round but the last one."""
        self.program, self.options, self.threads = program, options, threads
        self.preparing = preparing
        self.processors = processors or threads
        self.with_reports = with_reports
        self.rounds = []  # lists of (plain, specrt)

    def plain(self):
        return run_once([self.program.plain, *self.program.arguments],
                        {"OMP_NUM_THREADS": str(self.threads)}, self.processors, self.options.limit)

    def specrt(self, cache, turn):
        settings = {"SPECRT_CACHE_DIR": str(cache), "SPECRT_THREADS": str(self.threads),
                    "OMP_NUM_THREADS": str(self.threads)}
        own = self.preparing if turn + 1 < self.options.runs else ()
        settings |= dict(setting.split("=", 1) for setting in [*own, *self.options.setting])
        report = (self.options.reports or cache.parent) / \
            f"{self.program.name}-round{len(self.rounds) + 1}-run{turn + 1}.json"
        if self.with_reports or self.options.reports:
            settings["SPECRT_REPORT"] = str(report)
        run = run_once([self.program.specrt, *self.program.arguments], settings, self.processors,
                       self.options.limit)
        if report.exists():
            run.report = json.loads(report.read_text())
        return run

    def pair(self, cache, turn, before):
        """\p before is the pair before, which ended with its plain run when this one begins with it."""
        if (len(self.rounds) + turn) % 2 == 0:
            run = self.specrt(cache, turn)
            return self.plain(), run
        shared = before and before[0].wall >= LONG_RUN
        plain = before[0] if shared else self.plain()
        return plain, self.specrt(cache, turn)

    def round(self):
        pairs = []
        with tempfile.TemporaryDirectory(prefix="specrt-bench-", ignore_cleanup_errors=True) as scratch:
            cache = pathlib.Path(scratch).absolute() / "cache"
            for turn in range(self.options.runs):
                if turn > 0:
                    time.sleep(self.options.pause)
                pairs.append(self.pair(cache, turn, pairs[-1] if pairs else None))
        self.rounds.append(pairs)

    def measure(self, rounds):
        """So many rounds altogether, or fewer that took LONG_SERIES."""
        begin = time.monotonic()
        while len(self.rounds) < rounds:
            self.round()
            if time.monotonic() - begin > LONG_SERIES:
                break
        return self

    def median(self, turn, value):
        """Of value(plain, specrt) over the rounds; nan when a run has failed."""
        values = [value(*pairs[turn]) for pairs in self.rounds]
        return math.nan if any(map(math.isnan, values)) else statistics.median(values)

    def ratio(self, turn, of=lambda run: run.seconds):
        """Plain over specrt. A run that failed counts as the worst there can be."""
        median = self.median(turn, lambda plain, specrt: of(plain) / of(specrt))
        return 0.0 if math.isnan(median) else median

    def break_even(self):
        """After so many calls the first run has taken less time than clang's build would have."""
        def of(plain, specrt):
            saved = steady(plain) - steady(specrt)
            calls = specrt.outcome.get("calls", math.nan)
            lost = specrt.seconds - calls * steady(specrt)
            return lost / saved if saved > 0.01 * steady(specrt) else math.inf
        calls = self.median(0, of)
        return f"{max(calls, 0):.0f}" if math.isfinite(calls) else "never"

    def plain_seconds(self, of=lambda run: run.seconds):
        return statistics.median(of(plain) for pairs in self.rounds for plain, _ in pairs)

    def runs(self):
        return [run for pairs in self.rounds for pair in pairs for run in pair]

    def problems(self):
        return sorted({f"{self.program.name}: {run.problem}" for run in self.runs() if run.problem})

    def identical(self):
        return len({run.outcome.get("checksum") for run in self.runs()}) == 1 and \
            not self.problems()

    def as_json(self):
        return {"program": self.program.name, "threads": self.threads, "rounds": [
            [{name: {"wall": run.wall, "cpu": run.cpu, "problem": run.problem, **run.outcome}
              for name, run in zip(("plain", "specrt"), pair)} for pair in pairs]
            for pairs in self.rounds]}


# --- Modes

@dataclasses.dataclass(frozen=True)
class Mode:
    """One way to run a program beside its plain build."""
    name: str
    settings: tuple = ()    # NAME=VALUE
    runs: int = 1           # with one cache; the last one is what is compared
    preparing: tuple = ()   # settings of those before it
    reports: bool = False   # whether specrt writes them
    plain: bool = False     # the plain build takes specrt's place


NOISE = Mode("noise", plain=True)
DISABLED = Mode("disabled", ("SPECRT_DISABLE=1",))
OBSERVE = Mode("observe", ("SPECRT_COMPILE=off",))


def warm(options, **more):
    return Mode("warm", runs=options.runs, **more)


LAST = -1  # the turn of a mode that is compared


def measure_modes(program, modes, options, threads, processors):
    """{mode's name: Series} of a program; rounds of all modes in turn."""
    def series(mode):
        build = program.plain if mode.plain else program.specrt
        named = dataclasses.replace(program, name=f"{program.name}-{mode.name}", specrt=build)
        own = vars(options) | {"runs": mode.runs, "setting": [*options.setting, *mode.settings]}
        return Series(named, argparse.Namespace(**own), threads, mode.reports, processors,
                      mode.preparing)

    print(f"  {program.name}", file=sys.stderr, flush=True)
    result = {mode.name: series(mode) for mode in modes}
    for number in range(options.repetitions):
        for one in result.values():
            one.measure(number + 1)
    return result


def finish(options, all_series):
    """Says what could not be measured, and writes the --json file."""
    print("".join(f"not measured: {problem}\n" for s in all_series for problem in s.problems()))
    if options.json:
        options.json.write_text(json.dumps(
            {"processor": processor_name(), "programs": [s.as_json() for s in all_series]},
            indent=1) + "\n")


def print_ratios(tables, turn):
    """NAME=A/B for each row of tables with different numbers of threads. A row is (name, Series)."""
    for columns in zip(*tables):
        ratios = "/".join(f"{series.ratio(turn):.2f}" for _, series in columns)
        print(f"{columns[0][0]}={ratios}", end=" ")
