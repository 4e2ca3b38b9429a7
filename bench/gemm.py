#!/usr/bin/env python3
# bench/gemm.py - matrix products of many sizes: specrt against OpenBLAS
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: gemm.py DIRECTORY [--repetitions=N] [--json=FILE] [--quick] [...]

C = alpha A B + beta C for square matrices in flat arrays, and many small products at a time: in
one loop nest (gemm-batched) and with one call of the kernel each (gemm-each). Figures are GFlop/s
of the median call, medians of rounds: plain clang -O3, specrt's second run, OpenBLAS (see
polybench/measure.py for how). The last line is

    min_over_openblas_1t=... min_over_openblas_2t=... small_min=...

the worst ratio of specrt's speed to OpenBLAS's over the large sizes with one and two threads, and
over the small ones with one. Exits with 1 when an array differs from clang's in a bit.
"""
import argparse
import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "polybench"))
import measure  # noqa: E402

LARGE = (512, 777, 1000, 1024, 2000)
SMALL = (4, 8, 16, 24, 32, 48, 64)
SMALL_BYTES = 256 << 10  # of all matrices of a batch together: they stay in a second-level cache


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench.sh gemm")
    parser.add_argument("directory", type=pathlib.Path, help="bin/polybench of a build")
    parser.add_argument("--large", type=lambda text: [int(n) for n in text.split(",")],
                        default=LARGE, help="sizes of single products")
    parser.add_argument("--small", type=lambda text: [int(n) for n in text.split(",")],
                        default=SMALL, help="sizes of batched products")
    parser.add_argument("--repetitions", type=int, help="rounds (default: 3)")
    parser.add_argument("--seconds", type=float,
                        help="how long a run of clang's build shall take (default: 3)")
    parser.add_argument("--limit", type=float, default=300, help="seconds a run may take")
    parser.add_argument("--json", type=pathlib.Path, help="file for everything that was measured")
    parser.add_argument("--quick", action="store_true", help="one round of short runs")
    options = parser.parse_args()
    defaults = (1, 0.1) if options.quick else (3, 3.0)
    options.repetitions = options.repetitions or defaults[0]
    options.seconds = options.seconds or defaults[1]
    available = len(measure.processors(2))
    options.threads = [n for n in (1, 2) if n <= available]
    return options


class Row:
    """One kernel at one size."""

    def __init__(self, name, n, size, options, threads):
        kernel = measure.Kernel(options.directory / "flat", name, options.limit)
        self.name, self.n, self.threads = name, n, threads
        calls, problem = kernel.calls(size, options.seconds, 5)
        if problem:
            sys.exit(f"error: {name}-clang: {problem}")
        print(f"  {name} n={n} ({calls} calls)", file=sys.stderr, flush=True)
        chosen = [plan for plan in measure.plans(threads)
                  if plan.name in ("clang", "first", "second", "openblas")]
        self.results = kernel.measure([f"--size={size}", f"--repetitions={calls}"], chosen,
                                      options.repetitions)
        self.flops = kernel.cost("flops", kernel.sizes(size))
        self.identical = all(result.identical for key, result in self.results.items()
                             if not key.startswith("openblas"))

    def rate(self, name, threads):
        """GFlop/s of the median call; nan when not measured."""
        result = self.results.get(f"{name}_{threads}t")
        return self.flops / result.steady_median() / 1e9 if result else math.nan

    def over_openblas(self, threads):
        return self.rate("second", threads) / self.rate("openblas", threads)

    def cells(self):
        cells = [self.name, str(self.n), f"{self.rate('clang', 1):.1f}"]
        for threads in self.threads:
            figures = (self.rate("second", threads), self.rate("openblas", threads))
            cells += [f"{rate:.1f}" for rate in figures] + [f"{self.over_openblas(threads):.2f}"]
        return cells + ["yes" if self.identical else "NO"]

    def as_json(self):
        return {"kernel": self.name, "n": self.n, "flops": self.flops, "identical": self.identical,
                "runs": {key: {"seconds": r.seconds, "steady": r.steady, "problem": r.problem,
                               "regions": r.regions} for key, r in self.results.items()}}


def print_rows(title, rows):
    print(f"\n{title}, GFlop/s")
    header = ["kernel", "n", "clang"]
    for threads in rows[0].threads:
        header += [f"specrt {threads}t", f"OpenBLAS {threads}t", "ratio"]
    measure.print_table(header + ["identical"], [row.cells() for row in rows])


def worst(rows, threads):
    """The smallest ratio; 0 when one is missing."""
    ratios = [row.over_openblas(threads) for row in rows]
    return min((0.0 if math.isnan(ratio) else ratio for ratio in ratios), default=math.nan)


def main():
    options = parse_arguments()
    core = measure.choose_openblas_core(options.directory)
    limits = {t: measure.Limits(options.directory / "limits", t) for t in options.threads}
    large = [Row("gemm", n, f"{n},{n},{n}", options, options.threads) for n in options.large]
    # Products this small are not worth a second thread.
    small = [Row(name, n, f"{max(1, SMALL_BYTES // (3 * 8 * n * n))},{n}", options, [1])
             for name in ("gemm-batched", "gemm-each") for n in options.small]
    for title, rows in (("large products", large), ("small products", small)):
        if rows:
            print_rows(title, rows)
    for row in large + small:
        for key, result in row.results.items():
            if result.problem:
                print(f"not measured: {row.name} n={row.n}, {key}: {result.problem}")
    print()
    measure.print_limits(limits, core)
    if options.json:
        options.json.write_text(json.dumps(
            {"rounds": options.repetitions, "openblas_core": core,
             "limits": {f"{t}t": limit.rates for t, limit in limits.items()},
             "products": [row.as_json() for row in large + small]}, indent=1) + "\n")
    print(" ".join([f"min_over_openblas_{t}t={worst(large, t):.2f}" for t in options.threads] +
                   [f"small_min={worst(small, 1):.2f}"]))
    sys.exit(not all(row.identical for row in large + small))


if __name__ == "__main__":
    main()
