//===- tests/soundness/rounding/reduction_test.cpp - sums keep their order ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pragmas allow LLVM's vectoriser to add up in any order, without a flag on any instruction. In
// which order, depends on sizes and on the processor.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gmock/gmock.h>

using namespace specrt::soundness;
using testing::HasSubstr;
using testing::Not;

namespace {

const char *const Refused = "a pragma lets the compiler reorder a floating-point reduction";

std::string program(const std::string &Type, const std::string &Nest) {
  return "#include <stdio.h>\ntypedef " + Type + R"( T;
enum { N = 1003 };
T A[N], B[N], Sum[4];
)" + Nest +
         R"(
int main(void) {
  for (int i = 0; i < N; ++i)
    A[i] = 1000.0 / (1 + i * 37 % 101), B[i] = (1 + i * 53 % 89) / 7.0;
  for (int c = 0; c < 60; ++c) {
    nest(N - c / 20, A, Sum);
    printf("%a %a\n", (double)Sum[0], (double)B[c]);
  }
}
)";
}

class ReductionUnder : public testing::TestWithParam<const char *> {};

TEST_P(ReductionUnder, IsLeftAlone) {
  ProgramPair Program(
      program("double", "__attribute__((noinline)) void nest(int n, const T *a, T *s) "
                        "{\n  double sum = 0;\n  " +
                            std::string(GetParam()) +
                            "\n  for (int i = 0; i < n; ++i)\n    sum += a[i];\n"
                            "  s[0] = sum;\n}\n"),
      "-O3 -fopenmp -march=native");
  EXPECT_THAT(Program.remarks(), HasSubstr(Refused));
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

INSTANTIATE_TEST_SUITE_P(, ReductionUnder,
                         testing::Values("_Pragma(\"omp simd reduction(+ : sum)\")",
                                         "_Pragma(\"omp parallel for simd reduction(+ : sum) "
                                         "num_threads(1)\")",
                                         "_Pragma(\"clang loop vectorize(enable)\")",
                                         "_Pragma(\"clang loop vectorize_width(8)\")",
                                         "_Pragma(\"clang loop vectorize(assume_safety)\")"));

TEST(Reduction, OfOneLoopLeavesTheOthers) {
  ProgramPair Program(program("double", R"(
__attribute__((noinline)) void nest(int n, const T *a, T *s) {
  double sum = 0;
  for (int t = 0; t < 3; ++t) {
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < n; ++i)
      sum += a[i];
    for (int i = 0; i < n; ++i)
      B[i] = B[i] * 0.5 + a[i];
  }
  s[0] = sum;
}
)"),
                      "-O3 -fopenmp-simd -march=native");
  EXPECT_THAT(Program.remarks(), HasSubstr(Refused));
  Program.expectSameBits();
}

TEST(Reduction, OfIntegersIsFree) {
  ProgramPair Program(program("unsigned", R"(
__attribute__((noinline)) void nest(int n, const T *a, T *s) {
  unsigned sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < n; ++i)
    sum += a[i] * 3;
  s[0] = sum;
}
)"),
                      "-O3 -fopenmp-simd");
  EXPECT_THAT(Program.remarks(), Not(HasSubstr(Refused)));
  Program.expectSameBits();
}

TEST(Reduction, OfIndependentElementsIsNone) {
  ProgramPair Program(program("double", R"(
__attribute__((noinline)) void nest(int n, const T *a, T *s) {
#pragma omp simd
  for (int i = 0; i < n; ++i)
    B[i] = B[i] * 0.5 + a[i];
  s[0] = B[n / 2];
}
)"),
                      "-O3 -fopenmp-simd -march=native");
  EXPECT_THAT(Program.remarks(), Not(HasSubstr(Refused)));
  Program.expectSameBits();
}

/// In the original the sum stays in memory, because it may be an element of B; a version knows
/// better, and may not take the pragma for a permission.
TEST(Reduction, InMemoryKeepsItsOrder) {
  ProgramPair Program(program("double", R"(
__attribute__((noinline)) void nest(int n, const T *a, T *s) {
  s[0] = 0;
#pragma clang loop vectorize(enable)
  for (int i = 0; i < n; ++i) {
    B[i] = a[i] * 0.5;
    s[0] += a[i];
  }
}
)"),
                      "-O3 -march=native");
  EXPECT_THAT(Program.remarks(), Not(HasSubstr(Refused)));
  Program.expectSameBits();
}

/// Link-time optimisation may learn what is disjoint.
TEST(Reduction, InMemoryIsLeftAloneBeforeLinkTime) {
  ProgramPair Program(program("double", R"(
__attribute__((noinline)) void nest(int n, const T *a, T *s) {
  s[0] = 0;
#pragma clang loop vectorize(enable)
  for (int i = 0; i < n; ++i) {
    B[i] = a[i] * 0.5;
    s[0] += a[i];
  }
}
)"),
                      "-O3 -march=native -flto -fuse-ld=lld");
  EXPECT_THAT(Program.remarks(), HasSubstr(Refused));
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

} // namespace
