//===- tests/soundness/collapsed_test.cpp - loops that threads share as one ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

using namespace specrt::soundness;

namespace {

/// Three long rows, which also count, and three planes of five rows. All values are printed.
constexpr const char *FewRows = R"c(
#include <stdio.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))

NOINLINE long react(long rows, long n, const double *rate, const double *from, double *to) {
  long large = 0;
  for (long i = 0; i < rows; i++)
    for (long j = 0; j < n; j++) {
      const double u = from[i * n + j], v = u / (3 + u);
      to[i * n + j] = u + rate[i] * u * (1 - u) / (1 + u * u) - v / (2 + v * v);
      if (to[i * n + j] > 0.25)
        large += j & 7;
    }
  return large;
}

NOINLINE void planes(long count, long rows, long n, const double *at, const double *from,
                     double *to) {
  for (long i = 0; i < count; i++)
    for (long j = 0; j < rows; j++)
      for (long k = 0; k < n; k++) {
        const double u = from[(i * rows + j) * n + k], v = u / (3 + u * at[j]);
        to[(i * rows + j) * n + k] = (v + at[i]) / (4 + v * v) + u / (2 + v * u);
      }
}

static unsigned long hash(const double *of, long count) {
  unsigned long sum = 0;
  for (long i = 0; i < count; i++)
    sum = sum * 31 + ((const unsigned long *)of)[i];
  return sum;
}

int main(int argc, char **argv) {
  const long rows = 2 + argc, n = 149999 + argc, columns = 4 + argc, m = 29989 + argc;
  double *from = malloc(rows * n * sizeof *from), *to = malloc(rows * n * sizeof *to);
  unsigned s = 17;
  for (long i = 0; i < rows * n; i++) {
    s = s * 1664525u + 1013904223u;
    from[i] = (s >> 8) / 16777216.0;
  }
  for (int round = 0; round < 60; round++) {
    from[round] += 1;
    printf("%ld", react(rows, n, from + 7, from, to));
    printf(" %lx", hash(to, rows * n));
    planes(rows, columns, m, from, from, to);
    printf(" %lx\n", hash(to, rows * columns * m));
  }
  return 0;
}
)c";

/// Returns whether the code in a file of SPECRT_DUMP has threads take runs of several loops.
bool isNest(const std::filesystem::path &Code) {
  std::ifstream In(Code);
  std::stringstream Text;
  Text << In.rdbuf();
  return Text.str().find("GOMP_parallel_nest_start") != std::string::npos;
}

TEST(CollapsedLoops, PartsOfRowsGiveTheSameBits) {
  const ProgramPair Pair(FewRows, "-O3 -march=native");
  const std::filesystem::path Dump = Pair.box().path("dump");
  Pair.expectSameBits({{"SPECRT_DUMP", Dump.string()}, {"SPECRT_THREADS", "2"}});
  int NumNests = 0;
  for (const auto &File : std::filesystem::recursive_directory_iterator(Dump))
    NumNests += File.path().filename() == "source-order-parallel.after.ll" && isNest(File.path());
  EXPECT_GE(NumNests, 2);
}

} // namespace
