#!/usr/bin/env python3
# bench/footprint.py - what instrumentation costs beside time per call: sizes, memory, compile time
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: footprint.py BUILD [--repetitions=N]

Measures with the binaries in BUILD and prints as its last line
  lib_kb=  size of libspecrt.so, stripped as in a package
  extra_rss_kb=  highest resident memory of an instrumented program beyond that of the same program
      from clang alone, while LLVM was not loaded; the largest of a C and a C++ program, disabled and
      profiling
  object_ratio=  size of instrumented object files without the embedded bitcode over clang's
  compile_ratio=  user and system time of all processes that compile these files, over clang's
  startup_10000_ms=  processor time of a program's main thread until main, with 10,000 regions,
      beyond the same program from clang alone
The files are the examples and generated ones of 50, 150 and 500 loop nests, compiled by
"clang++ -O3 -march=native" and by specrt-clang++ with the same options. Ratios are of the sums over
all files; the lines before give each file's. Times are medians of alternating runs.
"""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

import peak_memory

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


C_MAIN = """
#include <stdio.h>
#include <stdlib.h>
void smooth(double *next, const double *now, long rows, long columns);
int main(void) {
  double *a = calloc(40000, 8), *b = calloc(40000, 8);
  for (int i = 0; i < 500; ++i) { smooth(a, b, 200, 200); smooth(b, a, 200, 200); }
  printf("%g\\n", a[0]);
}
"""
CLOCK_MAIN = """
#include <stdio.h>
#include <time.h>
int main(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); /* others may use the machine */
  printf("%lld\\n", t.tv_sec * 1000000000ll + t.tv_nsec);
}
"""


def generate(count):
    return "".join(NESTS[i % len(NESTS)].replace("@", str(i)) for i in range(count))


def environment(settings):
    """Ours without settings of libspecrt, and with these."""
    return {k: v for k, v in os.environ.items() if not k.startswith("SPECRT_")} | settings


def run(command, settings=None):
    """Returns the output; ends this program when the command fails."""
    finished = subprocess.run([str(word) for word in command], env=environment(settings or {}),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if finished.returncode != 0:
        sys.exit(f"error: {' '.join(map(str, command))}\n{finished.stdout}")
    return finished.stdout


def processor_seconds(command):
    """User and system time of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def bitcode_bytes(path):
    """Size of all bitcode streams in a file. A stream is a magic word and blocks, each of which
    begins with a word that says what it is and one that says how many words follow."""
    data, total, at = path.read_bytes(), 0, 0
    enter_subblock, top_level = 1, (13, 8, 23)  # identification, module, string table
    while (at := data.find(b"BC\xc0\xde", at)) >= 0:
        end = at + 4
        while end + 8 <= len(data):
            head = int.from_bytes(data[end:end + 4], "little")
            if head & 3 != enter_subblock or head >> 2 & 0xff not in top_level:
                break
            end += 8 + 4 * int.from_bytes(data[end + 4:end + 8], "little")
        total += end - at
        at = end
    return total


class Toolchain:
    def __init__(self, build, folder):
        self.library = build / "lib/libspecrt.so"
        self.folder = folder
        self.compilers = {"clang": "clang++-22", "specrt": build / "bin/specrt-clang++"}

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def compile_command(self, compiler, source, flags=FLAGS):
        language = ["-x", "c", "-std=gnu11"] if source.suffix == ".c" else []
        flags = [f for f in flags if not (language and f.startswith("-std"))]
        output = self.folder / f"{source.stem}-{compiler}.o"
        return output, [self.compilers[compiler], *flags, *language, "-c", source, "-o", output]

    def build(self, compiler, name, sources, language="c++"):
        """Returns the linked program. A C program must not load the C++ library by itself."""
        objects = []
        for source in sources:
            output, command = self.compile_command(compiler, source)
            run(command)
            objects.append(output)
        program = self.folder / f"{name}-{compiler}"
        driver = str(self.compilers[compiler])
        if language == "c":
            driver = driver.replace("clang++", "clang")
        run([driver, *objects, "-o", program])
        return program


def library_kb(tools):
    stripped = tools.folder / "stripped.so"
    run(["strip", "-o", stripped, tools.library])
    return stripped.stat().st_size / 1024


def measure_files(tools, repetitions):
    """Returns the ratios of object sizes and of compile times."""
    files = [ROOT / "examples" / f"{name}.cpp" for name in EXAMPLES]
    files += [tools.write(f"nests{n}.cpp", generate(n)) for n in (50, 150, 500)]
    sizes, seconds = {"clang": 0, "specrt": 0}, {"clang": 0.0, "specrt": 0.0}
    print(f"  {'file':14} {'clang':>9} {'specrt':>9} {'bitcode':>9}  object   "
          "clang   specrt  compile")
    for source in files:
        size, times = {}, {"clang": [], "specrt": []}
        for _ in range(repetitions):
            for compiler in times:
                output, command = tools.compile_command(compiler, source)
                times[compiler].append(processor_seconds(command))
                size[compiler] = output.stat().st_size
        bitcode = bitcode_bytes(output)
        median = {compiler: statistics.median(values) for compiler, values in times.items()}
        own = size["specrt"] - bitcode
        print(f"  {source.name:14} {size['clang']:9} {own:9} {bitcode:9} {own / size['clang']:6.2f}x "
              f"{median['clang']:6.2f}s {median['specrt']:6.2f}s "
              f"{median['specrt'] / median['clang']:6.2f}x")
        sizes["clang"] += size["clang"]
        sizes["specrt"] += own
        for compiler in seconds:
            seconds[compiler] += median[compiler]
    return sizes["specrt"] / sizes["clang"], seconds["specrt"] / seconds["clang"]


def measure_memory(tools, repetitions):
    main = tools.write("main.c", C_MAIN)
    smooth = ROOT / "examples/package/smooth.c"
    programs = {"C": ([main, smooth], "c"),
                "C++": ([ROOT / "examples/package/main.cpp", smooth], "c++")}
    launcher = peak_memory.build_launcher(tools.folder)
    worst = 0
    for name, (sources, language) in programs.items():
        plain, specrt = (tools.build(c, f"memory-{language}", sources, language)
                         for c in ("clang", "specrt"))
        cache = {"SPECRT_CACHE_DIR": str(tools.folder / "cache")}
        runs = {"plain": (plain, {}), "disabled": (specrt, {"SPECRT_DISABLE": "1"}),
                "profiling": (specrt, {"SPECRT_COMPILE": "off"} | cache)}
        peaks = {kind: [] for kind in runs}
        for _ in range(repetitions):
            for kind, (program, settings) in runs.items():
                peaks[kind].append(int(run([launcher, program], settings)))
        median = {kind: statistics.median(values) for kind, values in peaks.items()}
        print(f"  {name} program: " + ", ".join(f"{k} {v:.0f} KB" for k, v in median.items()))
        worst = max(worst, median["disabled"] - median["plain"],
                    median["profiling"] - median["plain"])
    return worst


def many_regions(tools, compiler, regions=10000, per_object=200):
    """A program of that many loop nests: copies of one object file with one symbol renamed."""
    nests = generate(per_object).replace("void ", "static void ").replace("double dot",
                                                                         "static double dot")
    names = [line.split("(")[0].split()[-1] for line in nests.splitlines() if "static" in line]
    table = ", ".join(f"(void *){name}" for name in names)
    source = tools.write("many.cpp", nests + f'extern "C" void *const table[] = {{{table}}};\n')
    output, command = tools.compile_command(compiler, source, ["-std=c++20", "-O1"])
    run(command)
    objects = []
    for n in range(regions // per_object):
        objects.append(tools.folder / f"many{n}-{compiler}.o")
        run(["objcopy", f"--redefine-sym=table=table{n}", output, objects[-1]])
    main, command = tools.compile_command(compiler, tools.write("clock.c", CLOCK_MAIN))
    run(command)
    program = tools.folder / f"many-{compiler}"
    run([tools.compilers[compiler], main, *objects, "-o", program])
    return program


def measure_start(tools, repetitions):
    programs = {compiler: many_regions(tools, compiler) for compiler in tools.compilers}
    settings = {"SPECRT_CACHE_DIR": str(tools.folder / "cache"), "SPECRT_PROFILE": "off"}
    times = {compiler: [] for compiler in programs}
    for _ in range(repetitions):
        for compiler, program in programs.items():
            times[compiler].append(int(run([program], settings)) / 1e6)
    median = {compiler: statistics.median(values) for compiler, values in times.items()}
    print(f"  start to main: clang {median['clang']:.2f} ms, specrt {median['specrt']:.2f} ms")
    return median["specrt"] - median["clang"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--repetitions", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="specrt-footprint-", ignore_cleanup_errors=True) as folder:
        tools = Toolchain(options.build.resolve(), pathlib.Path(folder))
        library = library_kb(tools)
        objects, compiles = measure_files(tools, options.repetitions)
        memory = measure_memory(tools, 4 * options.repetitions)
        start = measure_start(tools, 10 * options.repetitions)
    print(f"over clang++ -O3 -march=native, medians of {options.repetitions} to "
          f"{10 * options.repetitions} runs:")
    print(f"lib_kb={library:.0f} extra_rss_kb={memory:.0f} object_ratio={objects:.2f} "
          f"compile_ratio={compiles:.2f} startup_10000_ms={start:.2f}")


if __name__ == "__main__":
    main()
