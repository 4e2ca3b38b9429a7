#!/usr/bin/env python3
# bench/footprint.py - what instrumentation costs beside time per call: sizes, memory, compile time
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: footprint.py BUILD [--repetitions=N] [--verbose]

Measures with the binaries in BUILD and prints as its last line
  lib_kb=  size of libspecrt.so, stripped as when it is installed from a package
  extra_rss_kb=  resident memory that an instrumented program has more than the same one compiled by
      clang alone, at its end, while LLVM was not loaded; the larger of disabled and profiling
  object_ratio=  size of instrumented object files without the embedded bitcode over that of clang's
  compile_ratio=  user+system time of the compilers of these files, instrumented over clang's
  startup_10000_ms=  time until main of a program with 10,000 regions, beyond one with none
The files are the examples and generated ones of 50, 150 and 500 loop nests, each compiled by
"clang++ -O3 -march=native" and by specrt-clang++ with the same options. Ratios are of the sums over
the files; each one's are printed before. Times are medians of alternating runs.
"""
import argparse
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ["gemm", "heat2d", "backprop", "cg", "blur"]
FLAGS = ["-std=c++20", "-O3", "-march=native", '-DEXAMPLE_DATA_DIR=""']

# Loop nests as numerical programs have them; @ is replaced by a number.
NESTS = [
    "void scale@(double *a, const double *b, double s, long n) {\n"
    "  for (long i = 0; i < n; ++i) a[i] = s * b[i] + a[i];\n}\n",
    "double dot@(const double *a, const double *b, int n) {\n"
    "  double s = 0; for (int i = 0; i < n; ++i) s += a[i] * b[i]; return s;\n}\n",
    "void product@(double *c, const double *a, const double *b, long n, long m, long k) {\n"
    "  for (long i = 0; i < n; ++i) for (long j = 0; j < m; ++j) { double s = 0;\n"
    "    for (long l = 0; l < k; ++l) s += a[i * k + l] * b[l * m + j];\n"
    "    c[i * m + j] += s; }\n}\n",
    "void jacobi@(float *a, const float *b, int n, int m) {\n"
    "  for (int i = 1; i < n - 1; ++i) for (int j = 1; j < m - 1; ++j)\n"
    "    a[i * m + j] = 0.2f * (b[i * m + j] + b[(i - 1) * m + j] + b[(i + 1) * m + j] +\n"
    "                           b[i * m + j - 1] + b[i * m + j + 1]);\n}\n",
    "void sparse@(double *y, const int *start, const int *column, const double *v,\n"
    "             const double *x, int rows) {\n"
    "  for (int i = 0; i < rows; ++i) { double s = 0;\n"
    "    for (int k = start[i]; k < start[i + 1]; ++k) s += v[k] * x[column[k]];\n"
    "    y[i] = s; }\n}\n",
    "void transpose@(double *a, const double *b, long n, long m) {\n"
    "  for (long i = 0; i < n; ++i) for (long j = 0; j < m; ++j) a[j * n + i] = b[i * m + j];\n}\n",
    "void factor@(double *a, long n) {\n"
    "  for (long k = 0; k < n; ++k) for (long i = k + 1; i < n; ++i) {\n"
    "    a[i * n + k] /= a[k * n + k];\n"
    "    for (long j = k + 1; j < n; ++j) a[i * n + j] -= a[i * n + k] * a[k * n + j]; }\n}\n",
    "void histogram@(unsigned *bins, const unsigned char *p, unsigned long n) {\n"
    "  for (unsigned long i = 0; i < n; ++i) ++bins[p[i]];\n}\n",
    "void wave@(double *u, const double *v, const double *w, double c, long n) {\n"
    "  for (long x = 1; x < n - 1; ++x) for (long y = 1; y < n - 1; ++y)\n"
    "    for (long z = 1; z < n - 1; ++z) { long p = (x * n + y) * n + z;\n"
    "      u[p] = 2 * v[p] - w[p] + c * (v[p - 1] + v[p + 1] + v[p - n] + v[p + n] +\n"
    "             v[p - n * n] + v[p + n * n] - 6 * v[p]); }\n}\n",
    "void filter@(unsigned char *out, const unsigned char *in, const float *k, int w, int h) {\n"
    "  for (int y = 2; y < h - 2; ++y) for (int x = 2; x < w - 2; ++x) { float s = 0;\n"
    "    for (int i = -2; i <= 2; ++i) s += k[i + 2] * in[y * w + x + i];\n"
    "    out[y * w + x] = (unsigned char)s; }\n}\n",
]


def generate(count):
    return "".join(NESTS[i % len(NESTS)].replace("@", str(i)) for i in range(count))


def run(command, environment=None, **options):
    """Runs without settings of libspecrt from outside; ends the program when it fails."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("SPECRT_", "CCACHE"))}
    finished = subprocess.run([str(word) for word in command], env=clean | (environment or {}),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if finished.returncode != 0:
        sys.exit(f"error: {' '.join(map(str, command))}\n{finished.stdout.decode()}")
    return finished.stdout.decode()


def processor_seconds(command):
    """User and system time of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


class Toolchain:
    def __init__(self, build):
        self.driver = build / "bin/specrt-clang++"
        cache = (build / "CMakeCache.txt").read_text()
        self.clang = pathlib.Path(re.search(r"^LLVM_DIR:PATH=(.*)$", cache, re.MULTILINE)[1],
                                  "../../../bin/clang++").resolve()
        self.tools = self.clang.parent

    def bitcode_bytes(self, program):
        """Embedded bitcode in an object file."""
        symbols = run([self.tools / "llvm-readelf", "--section-headers", "--wide", program])
        return sum(int(size, 16) for size in re.findall(
            r"\.specrt_bitcode\S*\s+PROGBITS\s+\S+\s+\S+\s+(\S+)", symbols))
