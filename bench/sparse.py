#!/usr/bin/env python3
# bench/sparse.py - what programs over compressed sparse rows gain
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: sparse.py BUILD [--rows=A,B,...] [--threads=N,...] [--repetitions=N] [--longer=N]
                       [--quick] [...]

Programs of bench/sparse/: products, triangular solves, sweeps of Gauss and Seidel, incomplete and
complete factorisations for one pattern, conjugate gradients, called many times for one matrix, in plain
C++ over std::vector. Matrices are made by examples/sparse_matrices.h. Times are those that the programs
measure around their calls. The first run begins with an empty cache, each run beside one of the
same program as built by clang -O3 -march=native (bench/paired.py); ratios are medians over rounds.

Beside them, with the same matrices and the same numbers of threads, what libraries take for the same
work: Eigen, CHOLMOD, KLU and librsb, those of them that are installed.

Programs may use all processors, so that compiling does not take their own; --threads is what versions
may use of them. Prints for each number of threads

- the times of calls, how often faster than clang the calls of each run are, the whole process of the
  second, and the later half of its calls (steady); traffic and operations of a call by the mathematics,
  and the part of what the machine reaches for so many bytes (GB/s) or in registers (GF/s);
- what the first run compiled and inspected, and after how many calls that is earned;
- the libraries' time for a call over that of specrt's second run: how often faster specrt is;

and as last line, for the second run, with one thread, a slash, and with the largest number of threads,

    ROW=.../... ROW=.../... min_unstructured=... identical=yes

Exits with 1 when a program computes something else.
"""
import argparse
import collections
import dataclasses
import json
import math
import pathlib
import statistics
import sys
import tempfile

import paired

measure = paired.measure
FOLDER = paired.BENCH / "sparse"
SECOND = 1


@dataclasses.dataclass(frozen=True)
class Row:
    name: str
    program: str
    matrix: str
    calls: int            # about half a second
    more: tuple = ()      # further arguments
    unstructured: bool = False

    def arguments(self, quick, longer=1):
        return (self.matrix, max(self.calls // 5, 3) if quick else self.calls * longer, *self.more)


ROWS = (
    Row("spmv-5pt-3600", "spmv", "grid2d:60", 60000),
    Row("spmv-5pt-90k", "spmv", "grid2d:300", 2000),
    Row("spmv-5pt-2250k", "spmv", "grid2d:1500", 50),
    Row("spmv-3x3-l2", "spmv", "elements3:40", 5000),
    Row("spmv-3x3-dram", "spmv", "elements3:400", 30),
    Row("spmv-6x6-l2", "spmv", "elements6:20", 5000),
    Row("spmv-6x6-dram", "spmv", "elements6:200", 30),
    Row("spmv-pointers-90k", "spmv_pointers", "grid2d:300", 1500),
    Row("spmv-vectors-90k", "spmv_vectors", "grid2d:300", 1500),
    Row("spmv-coordinates-90k", "spmv_coordinates", "grid2d:300", 1000),
    Row("spmv-coordinates-random", "spmv_coordinates", "random:300000", 40, unstructured=True),
    Row("spmv-twice-2250k", "spmv_twice", "grid2d:1500", 30),
    Row("spmv-twice-apart", "spmv_twice", "grid2d:1500", 30, (1,)),
    Row("sweep-residual-1m", "sweep_residual", "grid2d:1000", 40),
    Row("sweep-residual-apart", "sweep_residual", "grid2d:1000", 40, (1,)),
    Row("spmv-random", "spmv", "random:300000", 50, unstructured=True),
    Row("spmv-powerlaw", "spmv", "powerlaw:300000", 50, unstructured=True),
    Row("sptrsv-wave-90k", "sptrsv", "grid2d:300", 1000),
    Row("sptrsv-wave-1m", "sptrsv", "grid2d:1000", 70),
    Row("sptrsv-chain", "sptrsv", "chain:90000", 800),
    Row("symgs-5pt-90k", "symgs", "grid2d:300", 300),
    Row("symgs-7pt-91k", "symgs", "grid3d:45", 250),
    Row("symgs-27pt-4k", "symgs", "cubes:16", 2000),
    Row("symgs-27pt-33k", "symgs", "cubes:32", 250),
    Row("symgs-pointers-90k", "symgs_pointers", "grid2d:300", 250),
    Row("ic0-5pt-90k", "ic0", "grid2d:300", 400),
    Row("ilu0-5pt-90k", "ilu0", "grid2d:300", 1500),
    Row("spgemm-5pt-90k", "spgemm", "grid2d:300", 600),
    Row("spmm-5pt-3600", "spmm", "grid2d:60", 500, (256,)),
    Row("spmm-powerlaw", "spmm", "powerlaw:8000", 50, (256,), unstructured=True),
    Row("cholesky-100", "cholesky", "grid2d:10", 100000),
    Row("cholesky-400", "cholesky", "grid2d:20", 10000),
    Row("cholesky-10k", "cholesky", "grid2d:100", 20),
    Row("lu-100", "lu", "grid2d:10", 100000),
    Row("lu-400", "lu", "grid2d:20", 6000),
    Row("pcg-5pt-90k", "pcg", "grid2d:300", 10, (30,)),
    Row("pcg-5pt-1m", "pcg", "grid2d:1000", 3, (10,)),
    Row("pcg-permuted", "pcg", "permuted:grid3d:45", 10, (30,), unstructured=True),
)


@dataclasses.dataclass(frozen=True)
class Library:
    """One program that has the kernels of a library."""
    source: str
    header: str      # it is not there without
    flags: tuple
    kernels: dict    # program: {name in tables: argument}


LIBRARIES = (
    Library("eigen", "eigen3/Eigen/Sparse", ("-fopenmp", "-isystem", "/usr/include/eigen3"),
            {name: {"Eigen": name} for name in
             "spmv sptrsv symgs ic0 spgemm spmm cholesky lu pcg".split()}),
    Library("suitesparse", "suitesparse/klu.h", ("-lcholmod", "-lklu"),
            {"cholesky": {"CHOLMOD simplicial": "simplicial", "CHOLMOD supernodal": "supernodal"},
             "lu": {"KLU": "klu"}}),
    Library("librsb", "rsb.h", ("-lrsb",),
            {name: {"librsb": name} for name in ("spmv", "sptrsv", "spmm")}),
)


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench.sh sparse")
    paired.add_options(parser, 120, runs=3, threads=paired.numbers)
    parser.add_argument("--rows", type=paired.names_of([row.name for row in ROWS]),
                        default=[row.name for row in ROWS])
    parser.add_argument("--libraries", type=paired.names_of([one.source for one in LIBRARIES] +
                                                            ["none"]),
                        default=[one.source for one in LIBRARIES])
    parser.add_argument("--repetitions", type=int, default=3, help="rounds (default: 3)")
    parser.add_argument("--longer", type=int, default=1, metavar="N",
                        help="N times as many calls: what versions gain once they are there")
    options = parser.parse_args()
    paired.check_thread_counts(parser, options)
    options.rows = [row for row in ROWS if row.name in options.rows]
    return options


# --- Builds

class Builds:
    """The programs of all rows, those of libraries, and the one that finds the machine's limits."""

    def __init__(self, options, folder):
        self.toolchain = paired.Toolchain(options.build, folder)
        self.folder, self.options = folder, options
        self.flags = ["-std=c++20", f"-I{paired.PROGRAMS}", f"-I{FOLDER}",
                      f"-I{paired.BENCH.parent / 'examples'}", *paired.OPTIMIZE]
        self.common = [self.toolchain.object(FOLDER / "sparse.cpp", self.flags),
                       paired.outcome(self.toolchain)]
        self.limits_of = {}
        names = sorted({row.program for row in options.rows})
        self.programs = dict(zip(names, paired.in_parallel(self.program, names)))
        there = [one for one in LIBRARIES if one.source in options.libraries and
                 pathlib.Path("/usr/include", one.header).exists()]
        self.libraries = list(zip(there, paired.in_parallel(self.library, there)))
        self.limits_program = self.plain(FOLDER / "libraries/limits.cpp")

    def program(self, name):
        return self.toolchain.program(name, [FOLDER / f"{name}.cpp"], self.flags, self.common)

    def plain(self, source, flags=()):
        path = self.folder / f"{source.stem}-library"
        self.toolchain.run([self.toolchain.compiler(True, [source]), *self.flags, source,
                            *self.common, *flags, "-o", path])
        return path

    def library(self, one):
        return self.plain(FOLDER / f"libraries/{one.source}.cpp", one.flags)

    def limits(self, size):
        """What one processor reads of so many bytes in a second, and computes, in 1e9."""
        rounded = 1 << max(round(math.log2(max(size, 1))), 12)
        if rounded not in self.limits_of:
            run = paired.run_once([self.limits_program, str(rounded)], {}, 1, self.options.limit)
            self.limits_of[rounded] = run.outcome
        return self.limits_of[rounded]


# --- Measurements

class Measured:
    """A row with one number of threads."""

    def __init__(self, row, series, libraries):
        self.row, self.series, self.libraries = row, series, libraries

    def plain(self, of):
        return self.series.plain_seconds(of)

    def specrt(self, turn, of):
        return self.series.median(turn, lambda _, specrt: of(specrt))

    def steady_ratio(self, turn):
        return self.series.ratio(turn, paired.steady)

    def call(self, turn):
        return self.specrt(turn, per_call)

    def first_run(self, key):
        """The sum of what the report of the first run has under this key, median of rounds."""
        return statistics.median(sum(found(pairs[0][1].report, key)) for pairs in self.series.rounds)

    def candidates(self):
        """The candidates of the second run's versions, most frequent first."""
        regions = self.series.rounds[-1][SECOND][1].report.get("regions", [])
        names = collections.Counter()
        for region in regions:
            for version in region["versions"]:
                names[version["candidate"]] += version["hits"]
        return [name for name, hits in names.most_common() if hits]


def per_call(run):
    return run.seconds / run.outcome.get("calls", math.nan)


def found(value, key):
    """All numbers under a key anywhere in a report."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == key and isinstance(inner, (int, float)):
                yield inner
            else:
                yield from found(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from found(inner, key)


def library_runs(builds, row, options, threads):
    """{name: [Run]} of the libraries that have the row's kernel, with a fifth of the calls, and under ""
    clang's build with as many: what comes out must be about the same."""
    result = collections.defaultdict(list)
    arguments = [str(word) for word in row.arguments(quick=True)]
    settings = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RSB_NUM_THREADS"),
                             str(threads))

    def run(command):
        return paired.run_once([*command, *arguments], settings, threads, options.limit)

    for library, path in builds.libraries:
        for name, kernel in library.kernels.get(row.program, {}).items():
            result[name] += [run([path, kernel]) for _ in range(options.repetitions)]
    if result:
        result[""].append(run([builds.programs[row.program].plain]))
    return result


def measure_row(builds, row, options, threads):
    print(f"  {row.name}, {threads} thread{'s' if threads > 1 else ''}", file=sys.stderr, flush=True)
    built = builds.programs[row.program]
    arguments = tuple(map(str, row.arguments(options.quick, options.longer)))
    program = dataclasses.replace(built, name=row.name, arguments=arguments)
    series = paired.Series(program, options, threads, with_reports=True,
                           processors=len(measure.processors(1 << 20)))
    return Measured(row, series.measure(options.repetitions),
                    library_runs(builds, row, options, threads))


# --- Tables

def times(number, digits=2):
    return "-" if math.isnan(number) else f"{number:.{digits}f}"


def of_limit(amount, limit):
    return f"{amount:.3g} ({100 * amount / limit:.0f} %)" if limit else f"{amount:.3g}"


def kernel_cells(one, builds, threads, runs):
    outcome = one.series.rounds[0][0][0].outcome
    limits, call = builds.limits(outcome.get("bytes", 0)), one.call(SECOND)
    return [one.row.name, measure.duration(one.plain(per_call)),
            *(measure.duration(one.call(turn)) for turn in range(1, runs)),
            *(times(one.series.ratio(turn)) for turn in range(runs)),
            times(one.steady_ratio(SECOND)), times(one.series.ratio(SECOND, lambda run: run.wall)),
            of_limit(outcome.get("bytes", 0) / call * 1e-9, threads * limits.get("gb_s", 0)),
            of_limit(outcome.get("operations", 0) / call * 1e-9, threads * limits.get("gf_s", 0)),
            "yes" if one.series.identical() else "NO"]


def cost_cells(one):
    return [one.row.name, f"{one.first_run('compile_ms'):.0f} ms",
            f"{one.first_run('inspection_ms'):.1f} ms",
            one.series.break_even(),
            ", ".join(one.candidates()) or "original"]


def library_cells(one, names):
    cells = [one.row.name, measure.duration(one.call(SECOND))]
    for name in names:
        runs = [run for run in one.libraries.get(name, []) if not run.problem]
        if not runs:
            cells += ["", ""]
            continue
        call = statistics.median(map(per_call, runs))
        cells += [measure.duration(call), times(call / one.call(SECOND)) +
                  ("" if same_norm(one, runs[0]) else " (other result)")]
    return cells


def same_norm(one, run):
    """Libraries may round otherwise, and those whose results cannot be compared give no norm."""
    own, other = one.libraries[""][0].outcome.get("norm", 0), run.outcome["norm"]
    return not own or not other or abs(own - other) <= 1e-6 * own


def print_tables(threads, rows, options, builds):
    print(f"\nWith {threads} thread{'s' if threads > 1 else ''} ({paired.processor_name()}): seconds "
          "per call, times faster than clang -O3 -march=native")
    runs = range(1, options.runs + 1)
    measure.print_table(
        ["row", "clang", *(f"specrt, run {n}" for n in runs[1:]), *(f"run {n}" for n in runs),
         "steady", "process", "GB/s", "GF/s", "identical"],
        [kernel_cells(one, builds, threads, options.runs) for one in rows])
    print("\nFirst run's costs, and what ran in the second")
    measure.print_table(["row", "compiled", "inspected", "calls to break even", "candidates"],
                        [cost_cells(one) for one in rows])
    names = sorted({name for one in rows for name in one.libraries if name})
    if names:
        print("\nLibraries: seconds per call, and times that specrt is faster")
        measure.print_table(["row", "specrt", *(cell for name in names for cell in (name, "x"))],
                            [library_cells(one, names) for one in rows])


def as_json(one):
    return one.series.as_json() | {
        "libraries": {name: [{"problem": run.problem, **run.outcome} for run in runs]
                      for name, runs in one.libraries.items()}}


def main():
    options = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="specrt-bench-", ignore_cleanup_errors=True) as folder:
        builds = Builds(options, pathlib.Path(folder))
        tables = {threads: [measure_row(builds, row, options, threads) for row in options.rows]
                  for threads in options.threads}
        for threads, rows in tables.items():
            print_tables(threads, rows, options, builds)
    everything = [one for rows in tables.values() for one in rows]
    paired.finish(options, [one.series for one in everything])
    if options.json:
        options.json.write_text(json.dumps({"processor": paired.processor_name(),
                                            "programs": [as_json(one) for one in everything]},
                                           indent=1) + "\n")
    identical = all(one.series.identical() for one in everything)
    paired.print_ratios([[(one.row.name, one.series) for one in measured]
                         for measured in tables.values()], SECOND)
    unstructured = [one.series.ratio(SECOND) for one in everything if one.row.unstructured]
    print(f"min_unstructured={times(min(unstructured, default=math.nan))} "
          f"identical={'yes' if identical else 'no'}")
    return 0 if identical else 1


if __name__ == "__main__":
    sys.exit(main())
