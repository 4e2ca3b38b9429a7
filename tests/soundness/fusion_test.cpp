//===- tests/soundness/fusion_test.cpp - fused or rounded twice -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
#include <gmock/gmock.h>

using namespace specrt::soundness;
using testing::HasSubstr;
using testing::Not;

namespace {

// Values whose products are not exact, so that fusing shows.
const std::string Head = R"(
#include <stdio.h>
enum { N = 48 };
static double A[N * N], B[N * N], C[N * N];
static void fill(void) {
  for (int i = 0; i < N * N; ++i) {
    A[i] = 1.0 + (i * 37 % 101) / 97.0;
    B[i] = 1.0 / 3 - (i * 53 % 89) / 71.0;
    C[i] = (i * 29 % 83) / 61.0;
  }
}
static void print(void) {
  for (int i = 0; i < N * N; i += 5)
    printf("%a\n", C[i]);
}
)";

const std::string Main = R"(
int main(void) {
  fill();
  for (int c = 0; c < 40; ++c)
    nest(N);
  print();
}
)";

/// A helper that the original calls is compiled for the target it names itself.
TEST(Fusion, IsDecidedByEachFunctionsOwnTarget) {
  ProgramPair Program(Head + R"(
__attribute__((noinline)) static double unfused(double a, double b, double c) { return a * b + c; }
__attribute__((noinline, target("avx2,fma"))) static void nest(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      C[i * n + j] = unfused(A[i * n + j], B[i * n + j], C[i * n + j]) * 0.5 + B[j * n + i];
}
)" + Main,
                      "-O2");
  Program.expectSameBits();
}

TEST(Fusion, OfACalleeIsKeptInACallerWithout) {
  ProgramPair Program(Head + R"(
__attribute__((noinline, target("avx2,fma"))) static double fused(double a, double b, double c) {
  return a * b + c;
}
__attribute__((noinline)) static void nest(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      C[i * n + j] = fused(A[i * n + j], B[i * n + j], C[i * n + j]) * 0.5 + B[j * n + i];
}
)" + Main,
                      "-O2");
  Program.expectSameBits();
}

/// Link-time optimisation may inline the helper, and then its caller decides.
TEST(Fusion, OfACalleeIsLeftAloneBeforeLinkTime) {
  ProgramPair Program(Head + R"(
double unfused(double a, double b, double c);
__attribute__((noinline, target("avx2,fma"))) static void nest(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      C[i * n + j] = unfused(A[i * n + j], B[i * n + j], C[i * n + j]) * 0.5 + B[j * n + i];
}
double unfused(double a, double b, double c) {
  c = a * b + c * (a * c + b * (a * c + b * (b * c + a * (b * c + a * (a * b + c)))));
  return a * b - c * (b * c + a * (b * c - b * (a * c + a * (a * c - b * (a * b + c)))));
}
)" + Main,
                      "-Os -flto -fuse-ld=lld");
  EXPECT_THAT(Program.remarks(), HasSubstr("which is compiled for another target"));
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

/// The instruction is for float and double only.
TEST(Fusion, OfLongDoubleIsNone) {
  ProgramPair Program(R"(
#include <stdio.h>
enum { N = 900 };
static long double A[N], B[N], C[N];
__attribute__((noinline)) static void nest(int n) {
  for (int i = 0; i < n; ++i)
    C[i] = A[i] * B[i] - C[i];
}
int main(void) {
  for (int i = 0; i < N; ++i)
    A[i] = 1.0L + (i * 37 % 101) / 97.0L, B[i] = 1.0L / 3 - i / 71.0L, C[i] = A[i] * B[i];
  for (int c = 0; c < 300; ++c)
    nest(N);
  for (int i = 0; i < N; i += 7)
    printf("%La\n", C[i]);
}
)",
                      "-O2 -march=native");
  Program.expectSameBits();
}

/// Vectors make the loop short enough to be unrolled, and LLVM computes llvm.fmuladd of constants
/// fused on any target.
TEST(Fusion, WhileCompilingIsLeftAlone) {
  ProgramPair Program(R"(
#include <stdio.h>
static double A[64];
__attribute__((noinline)) static void nest(void) {
  for (int i = 0; i < 48; i++)
    A[i] = (i * 0.1) * (0.3 * i) - 0.03;
}
int main(void) {
  for (int c = 0; c < 300; ++c) {
    nest();
    __asm__ volatile("" ::: "memory");
  }
  for (int i = 0; i < 48; ++i)
    printf("%a\n", A[i]);
}
)",
                      "-O3 -mno-fma");
  EXPECT_THAT(Program.remarks(), HasSubstr("fused only where the compiler finds constants"));
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

const char *const Refused = "code generation chooses which of its multiplications are fused";

/// Which products are fused depends on which are hoisted, and on how often they are used.
TEST(Fusion, ThatCodeGenerationChoosesIsLeftAlone) {
  ProgramPair Program(Head + R"(
__attribute__((noinline)) static void nest(int n) {
  for (int k = 0; k < n / 2; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n / 2; ++i)
        C[k * n + 2 * i] += A[i * n + j] * B[i * n + j];
}
)" + Main,
                      "-O3 -march=native -ffp-contract=fast");
  EXPECT_THAT(Program.remarks(), HasSubstr(Refused));
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

TEST(Fusion, ThatCodeGenerationChoosesInACalleeIsLeftAlone) {
  ProgramPair Program(Head + R"(
__attribute__((noinline, target("avx2,fma"))) static double fused(double a, double b) {
  return a / (1 + b * b);
}
__attribute__((noinline)) static void nest(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      C[i * n + j] = A[i * n + j] * 0.5 - fused(A[j * n + i], B[i * n + j]);
}
)" + Main,
                      "-O3 -ffp-contract=fast");
  EXPECT_THAT(Program.remarks(), HasSubstr(Refused));
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

/// The option disregards pragmas.
TEST(Fusion, ThatAPragmaForbidsInVainIsLeftAlone) {
  ProgramPair Program(Head + R"(
__attribute__((noinline)) static void nest(int n) {
#pragma clang fp contract(off)
  for (int k = 0; k < n / 2; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n / 2; ++i)
        C[k * n + 2 * i] += A[i * n + j] * B[i * n + j];
}
)" + Main,
                      "-O3 -march=native -ffp-contract=fast");
  EXPECT_THAT(Program.remarks(), HasSubstr(Refused));
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

TEST(Fusion, NeedsBothOperationsAndATarget) {
  const std::string Sums = Head + R"(
__attribute__((noinline)) static void nest(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      C[i * n + j] += A[i * n + j] - B[j * n + i];
}
)" + Main;
  ProgramPair WithoutProducts(Sums, "-O3 -march=native -ffp-contract=fast");
  EXPECT_THAT(WithoutProducts.remarks(), Not(HasSubstr(Refused)));
  WithoutProducts.expectSameBits();
  const std::string Products = Head + R"(
__attribute__((noinline)) static void nest(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      C[i * n + j] += A[i * n + j] * B[j * n + i];
}
)" + Main;
  ProgramPair WithoutFma(Products, "-O3 -mno-fma -ffp-contract=fast");
  EXPECT_THAT(WithoutFma.remarks(), Not(HasSubstr(Refused)));
  WithoutFma.expectSameBits();
}

/// -ffast-math permits other bits: there may be versions.
TEST(Fusion, OfReorderedOperationsIsFree) {
  ProgramPair Program(Head + R"(
__attribute__((noinline)) static void nest(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      C[i * n + j] += A[i * n + j] * B[j * n + i];
}
)" + Main,
                      "-O3 -march=native -ffast-math");
  EXPECT_THAT(Program.remarks(), Not(HasSubstr(Refused)));
}

} // namespace
