//===- tests/soundness/elimination_test.cpp - pivots, and factors of rows --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

using namespace specrt::soundness;

namespace {

/// The steps choose a pivot, so each of their nests is a region; the rows below it are independent,
/// once their factor has a place of its own and k + 1 is known to follow k.
constexpr const char *Elimination = R"c(
#include <math.h>
#include <stdio.h>
#include <string.h>
enum { N = 190, M = N + 1 };
static double a[N * M], x[N];

int main(void) {
  for (int round = 0; round < 12; round++) {
    unsigned s = 17 + round;
    for (int i = 0; i < N * M; i++) {
      s = s * 1664525u + 1013904223u;
      a[i] = (s >> 8) / 16777216.0 - 0.5;
    }
    for (int k = 0; k < N; k++) {
      int p = k;
      for (int i = k + 1; i < N; i++)
        if (fabs(a[i * M + k]) > fabs(a[p * M + k]))
          p = i;
      if (p != k)
        for (int j = k; j < M; j++) {
          double t = a[k * M + j];
          a[k * M + j] = a[p * M + j];
          a[p * M + j] = t;
        }
      for (int i = k + 1; i < N; i++) {
        double f = a[i * M + k] / a[k * M + k];
        for (int j = k; j < M; j++)
          a[i * M + j] -= f * a[k * M + j];
      }
    }
    for (int i = N - 1; i >= 0; i--) {
      double sum = a[i * M + N];
      for (int j = i + 1; j < N; j++)
        sum -= a[i * M + j] * x[j];
      x[i] = sum / a[i * M + i];
    }
    for (int i = 0; i < N; i++)
      printf("%a\n", x[i]);
  }
  return 0;
}
)c";

/// Was a candidate of that name made, as far as the files in \p Dump tell?
bool wasMade(const std::filesystem::path &Dump, const std::string &Name) {
  for (const auto &File : std::filesystem::recursive_directory_iterator(Dump))
    if (File.path().filename() == "candidates.txt") {
      std::ifstream In(File.path());
      for (std::string Line; std::getline(In, Line);)
        if (Line.find(Name + ": compiled") == 0)
          return true;
    }
  return false;
}

TEST(Elimination, RowsBelowAPivotAreIndependent) {
  const ProgramPair Pair(Elimination, "-O3 -march=native");
  const std::filesystem::path Dump = Pair.box().path("dump");
  Pair.expectSameBits({{"SPECRT_DUMP", Dump.string()}, {"SPECRT_THREADS", "2"}});
  EXPECT_THAT(Pair.remarks(),
              testing::HasSubstr("loops inside access what others in it have found"));
  EXPECT_TRUE(wasMade(Dump, "source-order-parallel"));
}

} // namespace
