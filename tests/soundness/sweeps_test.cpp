//===- tests/soundness/sweeps_test.cpp - sweeps that threads share --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

using namespace specrt::soundness;

namespace {

/// The lower and the upper sweep of a solver, with sizes and arrays in static variables and a line
/// on the stack, and the table of a dynamic programme.
constexpr const char *Sweeps = R"c(
#include <stdio.h>
#include <stdlib.h>
enum { MAX = 40 };
static int nx, ny, nz;
static double v[MAX][MAX][MAX], factor[MAX][MAX];
static double *density;
static int table[1200][1200];

static void lower(void) {
  for (int k = 1; k < nz; k++) {
    for (int j = 1; j < ny; j++)
      for (int i = 1; i < nx; i++)
        factor[j][i] = 0.125 / density[(k * MAX + j) * MAX + i];
    for (int j = 1; j < ny; j++)
      for (int i = 1; i < nx; i++)
        v[k][j][i] -= factor[j][i] * (v[k - 1][j][i] + v[k][j - 1][i] + v[k][j][i - 1]);
  }
}

static void upper(void) {
  for (int k = nz - 2; k >= 0; k--)
    for (int j = ny - 2; j >= 0; j--) {
      double line[MAX];
      for (int i = nx - 2; i >= 0; i--)
        line[i] = 0.25 * v[k + 1][j][i] + density[(k * MAX + j) * MAX + i];
      for (int i = nx - 2; i >= 0; i--)
        v[k][j][i] -= 0.5 * line[i] + 0.125 * (v[k][j + 1][i] + v[k][j][i + 1]);
    }
}

static void distances(const int *a, const int *b) {
  for (int i = 1; i < 1200; i++)
    for (int j = 1; j < 1200; j++) {
      int both = table[i - 1][j - 1] + (a[i] != b[j]);
      int one = table[i - 1][j] + 1, other = table[i][j - 1] + 1;
      int least = one < other ? one : other;
      table[i][j] = both < least ? both : least;
    }
}

int main(int argc, char **argv) {
  nx = ny = nz = 38 + (argc > 2);
  density = malloc(sizeof v);
  unsigned s = 17;
  for (int i = 0; i < MAX * MAX * MAX; i++) {
    s = s * 1664525u + 1013904223u;
    (&v[0][0][0])[i] = (s >> 8) / 16777216.0;
    density[i] = 1 + (s >> 8) / 16777216.0;
  }
  static int a[1200], b[1200];
  for (int i = 0; i < 1200; i++) {
    s = s * 1664525u + 1013904223u;
    a[i] = s >> 30;
    b[i] = (s >> 20) & 3;
    table[i][0] = table[0][i] = i;
  }
  for (int round = 0; round < 30; round++) {
    lower();
    upper();
    distances(a, b);
    b[7 * round] ^= 1;
    printf("%a %d\n", v[17][20][13] + v[0][0][0] + v[37][37][37], table[1199][1199]);
  }
  double sum = 0;
  for (int i = 0; i < MAX * MAX * MAX; i++)
    sum += (&v[0][0][0])[i];
  printf("%a\n", sum);
  return 0;
}
)c";

/// Returns whether the code in a file of SPECRT_DUMP starts a pipeline.
bool isPipeline(const std::filesystem::path &Code) {
  std::ifstream In(Code);
  std::stringstream Text;
  Text << In.rdbuf();
  return Text.str().find("GOMP_parallel_pipeline_start") != std::string::npos;
}

TEST(Sweeps, ThreadsFollowEachOther) {
  const ProgramPair Pair(Sweeps, "-O3 -march=native");
  const std::filesystem::path Dump = Pair.box().path("dump");
  Pair.expectSameBits({{"SPECRT_DUMP", Dump.string()}, {"SPECRT_THREADS", "2"}});
  int NumPipelines = 0;
  for (const auto &File : std::filesystem::recursive_directory_iterator(Dump))
    NumPipelines +=
        File.path().filename() == "source-order-parallel.after.ll" && isPipeline(File.path());
  EXPECT_GE(NumPipelines, 3);
}

} // namespace
