//===- tests/soundness/sparse/programs/sparse.h - what the programs share ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_SOUNDNESS_SPARSE_PROGRAMS_SPARSE_H
#define SPECRT_TESTS_SOUNDNESS_SPARSE_PROGRAMS_SPARSE_H

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#define KERNEL __attribute__((noinline))
#include "kernels.h"
#undef KERNEL

struct Numbers {
  uint64_t state;
  explicit Numbers(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15u + 1) {}
  uint64_t next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
  }
  long below(long n) { return static_cast<long>(next() % static_cast<uint64_t>(n)); }
  double real() { return static_cast<double>(below(2000001) - 1000000) * 1e-6; }
};

inline std::vector<double> reals(long n, uint64_t seed) {
  Numbers numbers(seed);
  std::vector<double> result(n);
  for (double &x : result)
    x = numbers.real();
  return result;
}

struct Matrix {
  long n = 0;
  std::vector<int> start{0}, column;
  std::vector<double> value;

  void add(long j) {
    column.push_back(static_cast<int>(j));
    value.push_back(0.01 * static_cast<double>((7 * column.size() + 13 * j) % 100) - 0.5);
  }
  void endRow() {
    ++n;
    start.push_back(static_cast<int>(column.size()));
  }
};

/// Five points on a width x height grid.
inline Matrix grid(long width, long height) {
  Matrix a;
  for (long i = 0; i < width * height; ++i) {
    const long x = i % width;
    if (i >= width)
      a.add(i - width);
    if (x > 0)
      a.add(i - 1);
    a.add(i);
    if (x < width - 1)
      a.add(i + 1);
    if (i < width * (height - 1))
      a.add(i + width);
    a.endRow();
  }
  return a;
}

inline void print(const char *name, const void *data, size_t bytes) {
  const auto *at = static_cast<const unsigned char *>(data);
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < bytes; ++i)
    hash = (hash ^ at[i]) * 0x100000001b3u;
  std::printf("%s %016llx\n", name, static_cast<unsigned long long>(hash));
}

inline void print(const char *name, const std::vector<double> &x) {
  print(name, x.data(), x.size() * sizeof(double));
}

/// Calls products with vectors of their own so often that what stays the same is noticed, and
/// prints all that they give.
struct Caller {
  std::vector<double> x, y;
  explicit Caller(long n) : x(reals(n, 1)), y(n) {}

  void product(const char *name, long n, const int *start, const int *column, const double *value,
               int calls = 25) {
    for (int call = 0; call < calls; ++call) {
      multiply(n, start, column, value, x.data(), y.data());
      x[call % x.size()] = 0.5 * y[call % y.size()] + 0.25;
      if (call < 3 || call == calls - 1)
        print(name, y);
    }
  }
  void product(const char *name, const Matrix &a, int calls = 25) {
    product(name, a.n, a.start.data(), a.column.data(), a.value.data(), calls);
  }
};

/// Runs \p child in a child and waits for it.
template <typename F> void inChild(const F &child) {
  std::fflush(stdout);
  const pid_t pid = fork();
  if (pid == 0) {
    child();
    std::fflush(stdout);
    _exit(0);
  }
  int status = 1;
  waitpid(pid, &status, 0);
  std::printf("child %d\n", status);
}

/// What a program can be asked for by name.
struct Scenario {
  const char *name;
  void (*run)();
};

/// Runs that of \p all which the argument names, each of them when there is none.
template <size_t N> int runScenario(const Scenario (&all)[N], int argc, char **argv) {
  int ran = 0;
  for (const Scenario &one : all)
    if (argc < 2 || std::strcmp(argv[1], one.name) == 0) {
      one.run();
      ++ran;
    }
  return ran ? 0 : 2;
}

#endif
