# bench/polybench/measure.py - runs the builds of a kernel in turn and sums up what they took
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared by bench/polybench.py and bench/gemm.py.

A *plan* is one way to run a kernel: a build, a number of threads, and for specrt whether the run is
the first on an empty cache directory or the second on what the first left there. A *round* runs
every plan once, one after another, so that a change of the machine's speed hits all of them; a
round's time is the mean over the calls of a run, and medians of rounds are reported. One thread
means one core: whatever specrt does in the background competes with the kernel for it.
"""
import dataclasses
import filecmp
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

POLYBENCH = """2mm 3mm adi atax bicg cholesky correlation covariance deriche doitgen durbin fdtd-2d
floyd-warshall gemm gemver gesummv gramschmidt heat-3d jacobi-1d jacobi-2d lu ludcmp mvt nussinov
seidel-2d symm syr2k syrk trisolv trmm""".split()
MAX_CALLS = 20000  # of a run
LONG_RUN = 20.0  # seconds
CONTRACTIONS = "gemm-dot gemm-batched gemm-each ttm ttv mttkrp ccsd".split()


@dataclasses.dataclass(frozen=True)
class Plan:
    name: str      # for tables, without the threads
    variant: str   # which build of the kernel
    threads: int
    turn: str = ""  # "first" or "second" run of specrt

    @property
    def key(self):
        return f"{self.name}_{self.threads}t"

    def environment(self, scratch):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("SPECRT_")}
        threads = str(self.threads)
        clean |= {"OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads}
        if self.turn:
            clean |= {"SPECRT_THREADS": threads,
                      "SPECRT_CACHE_DIR": str(scratch / f"cache{self.threads}"),
                      "SPECRT_REPORT": str(scratch / "report.json")}
        return clean


def plans(threads):
    """All plans for these numbers of threads, first runs before second ones."""
    result = [Plan("clang", "clang", 1), Plan("gcc", "gcc", 1), Plan("polly", "polly", 1)]
    for count in threads:
        if count > 1:
            result.append(Plan("polly-parallel", "polly-parallel", count))
        result += [Plan("first", "specrt", count, "first"),
                   Plan("second", "specrt", count, "second"),
                   Plan("openblas", "openblas", count)]
    return result


@dataclasses.dataclass
class Result:
    """The rounds of one plan. A problem says why there are no times."""
    seconds: list = dataclasses.field(default_factory=list)  # mean per call, one per round
    steady: list = dataclasses.field(default_factory=list)   # median call, one per round
    problem: str = ""
    identical: bool = True  # all arrays after all calls, compared with clang's
    regions: list = dataclasses.field(default_factory=list)  # of specrt, in the last round

    def median(self):
        return statistics.median(self.seconds) if self.seconds else math.nan

    def steady_median(self):
        return statistics.median(self.steady) if self.steady else math.nan


def processors(count):
    """The first \\p count processors that this process may use."""
    allowed = sorted(os.sched_getaffinity(0))
    return set(allowed[:count])


def run(program, arguments, environment, threads, limit):
    """Returns (list of the driver's objects, problem)."""
    if not program.exists():
        return None, "not built"
    if not os.access(program, os.X_OK):
        return None, program.read_text().strip()
    try:
        finished = subprocess.run([program, *arguments], env=environment, capture_output=True,
                                  text=True, timeout=limit,
                                  preexec_fn=lambda: os.sched_setaffinity(0, processors(threads)))
    except subprocess.TimeoutExpired:
        return None, f"not done in {limit:g} s"
    if finished.returncode != 0:
        return None, f"ends with status {finished.returncode}: {finished.stderr.strip()[:200]}"
    return [json.loads(line) for line in finished.stdout.splitlines()], ""


def describe(program):
    finished = subprocess.run([program, "--describe"], stdout=subprocess.PIPE, check=True)
    return json.loads(finished.stdout)


def read_regions(path):
    if not path.exists():
        return []
    return [{"name": region["name"], "state": region["state"], "reason": region["reason"],
             "candidates": [v["candidate"] for v in region["versions"] if v["active"]]}
            for region in json.loads(path.read_text())["regions"]]


class Kernel:
    """The builds of one kernel in one form, and their measurements."""

    def __init__(self, directory, name, limit):
        self.directory, self.name, self.limit = directory, name, limit
        self.description = describe(directory / f"{name}-clang")

    def program(self, variant):
        return self.directory / f"{self.name}-{variant}"

    def calls(self, size, seconds, least):
        """How many calls take clang's build about this long, and the problem if it has one. There are
        at least so many, unless they would take LONG_RUN seconds; then two may do."""
        plan = Plan("clang", "clang", 1)
        arguments = [f"--size={size}", "--repetitions=2"]
        runs, problem = run(self.program("clang"), arguments, plan.environment(None), 1, self.limit)
        if problem:
            return least, problem
        call = max(min(runs[0]["seconds"]), 1e-9)
        least = max(2, min(least, math.floor(LONG_RUN / call)))
        return min(MAX_CALLS, max(least, math.ceil(seconds / call))), ""

    def round(self, arguments, chosen, results, scratch):
        """Runs every plan once. The first must be clang's, with which all others are compared."""
        expected, wanted = None, scratch / "clang"
        for plan in chosen:
            result, path = results[plan.key], scratch / "output"
            if result.problem:
                continue
            if plan.variant == "clang":
                path = wanted
            (scratch / "report.json").unlink(missing_ok=True)
            runs, result.problem = run(self.program(plan.variant), [*arguments, f"--output={path}"],
                                       plan.environment(scratch), plan.threads, self.limit)
            if result.problem:
                result.identical = False
                continue
            result.seconds.append(statistics.mean(s for entry in runs for s in entry["seconds"]))
            result.steady.append(statistics.median(s for entry in runs for s in entry["seconds"]))
            checksums = [entry["checksums"] for entry in runs]
            expected = expected or checksums
            if plan.turn:
                result.regions = read_regions(scratch / "report.json")
                result.identical &= checksums == expected and \
                    filecmp.cmp(path, wanted, shallow=False)

    def measure(self, arguments, chosen, rounds):
        """{key of plan: Result} after so many rounds, each on an empty cache."""
        results = {plan.key: Result() for plan in chosen}
        for _ in range(rounds):
            with tempfile.TemporaryDirectory(prefix="specrt-bench-", ignore_cleanup_errors=True) as directory:
                self.round(arguments, chosen, results, pathlib.Path(directory))
        return results

    def cost(self, formula, sizes):
        """A formula of the description for these sizes, at least 1."""
        return max(1.0, eval(self.description[formula], {"__builtins__": {}}, sizes))

    def footprint(self, sizes):
        widths = {"double": 8, "float": 4, "int": 4, "char": 1}
        return sum(widths[info["type"]] * math.prod(sizes[name] for name in info["extents"])
                   for info in self.description["arrays"])

    def sizes(self, size):
        values = self.description["classes"].get(size) or [int(v) for v in size.split(",")]
        return dict(zip(self.description["sizes"], values))


# --- The machine

def cache_sizes():
    """{level: bytes} of the data and unified caches of the first processor."""
    sizes = {}
    for index in pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        if (index / "type").read_text().strip() != "Instruction":
            text = (index / "size").read_text().strip()
            factor = {"K": 1024, "M": 1024 ** 2}.get(text[-1], 1)
            sizes[int((index / "level").read_text())] = int(text.rstrip("KM")) * factor
    return sizes


class Limits:
    """Peak rates of the machine with so many threads, measured by the program limits."""

    def __init__(self, program, threads):
        caches = cache_sizes()
        second, last = caches.get(2, 1 << 20), max(caches.values(), default=32 << 20)
        beyond = min(max(8 * last, 256 << 20), 1 << 30)
        sets = sorted({second // 2 * threads, last // 2, beyond})
        arguments = [f"--threads={threads}", *(f"--bytes={size}" for size in sets)]
        runs, problem = run(program, arguments, dict(os.environ), threads, 120)
        if problem:
            sys.exit(f"error: {program}: {problem}")
        self.rates = runs[0]

    def bandwidth(self, footprint):
        """Of the smallest measured working set that the data fits in, else of the largest."""
        sets = self.rates["bandwidth"]
        return next((s["rate"] for s in sets if footprint <= s["bytes"]), sets[-1]["rate"])

    def lower_bound(self, kernel, sizes):
        """(seconds that no program can beat, what sets the limit)."""
        kind = kernel.description["arrays"][-1]["type"]
        compute = kernel.cost("flops", sizes) / self.rates[kind]
        memory = kernel.cost("bytes", sizes) / self.bandwidth(kernel.footprint(sizes))
        return (compute, "flop") if compute >= memory else (memory, "byte")


def choose_openblas_core(directory):
    """Sets OPENBLAS_CORETYPE for all later runs to what makes OpenBLAS fastest: its own choice, the
    one in the environment, or its kernels for AVX-512, which it may not choose on a processor that
    is newer than itself. Returns the name, "" for its own choice."""
    program = directory / "flat" / "gemm-openblas"
    given = os.environ.pop("OPENBLAS_CORETYPE", "")
    if not program.exists():
        return ""
    cores = {"", given}
    if "avx512vl" in pathlib.Path("/proc/cpuinfo").read_text().split():
        cores.add("SkylakeX")
    seconds = {}
    for core in sorted(cores):
        environment = dict(os.environ) | ({"OPENBLAS_CORETYPE": core} if core else {})
        runs, problem = run(program, ["--size=512,512,512", "--repetitions=20"],
                            environment | {"OPENBLAS_NUM_THREADS": "1"}, 1, 60)
        seconds[core] = math.inf if problem else min(runs[0]["seconds"])
    best = min(seconds, key=seconds.get)
    if best:
        os.environ["OPENBLAS_CORETYPE"] = best
    return best


# --- Sums

def geometric_mean(values):
    values = [v for v in values if v > 0 and math.isfinite(v)]
    return math.exp(statistics.fmean(map(math.log, values))) if values else math.nan


def print_limits(limits, openblas_core):
    """The machine's rates for each number of threads, and what OpenBLAS was told to use."""
    for threads, limit in limits.items():
        rates = limit.rates
        bandwidth = ", ".join(f"{s['rate'] / 1e9:.0f} in {s['bytes'] >> 10} KiB"
                              for s in rates["bandwidth"])
        print(f"limits with {threads} thread(s): {rates['double'] / 1e9:.1f} GFlop/s double, "
              f"{rates['float'] / 1e9:.1f} float, {rates['int'] / 1e9:.1f} Gop/s int; "
              f"GB/s {bandwidth}")
    print("OpenBLAS uses the kernels of its own choice" if not openblas_core else
          f"OpenBLAS uses its kernels for {openblas_core}, the fastest here")


def print_table(header, rows):
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    for row in [header, ["-" * width for width in widths], *rows]:
        print("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                        for i, (cell, width) in enumerate(zip(row, widths))).rstrip())


def duration(seconds):
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
