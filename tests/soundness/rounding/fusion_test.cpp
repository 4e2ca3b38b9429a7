//===- tests/soundness/rounding/fusion_test.cpp - fused or rounded twice -----------===//
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

const char *const Inlined = "decides which multiplications are fused";

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
  EXPECT_THAT(Program.remarks(), HasSubstr(Inlined));
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

/// Large enough to be inlined only where it is known to have one caller.
const std::string InlinedAtLinkTime = Head + R"(
#define DOT(X, Y) X[i * n + j] * Y[j * n + i] + X[j * n + i] * Y[i * n + j]
#define TERMS(X, Y) DOT(X, Y) - (DOT(Y, X)) * (DOT(X, X)) + (DOT(Y, Y)) * (DOT(X, Y))
__attribute__((target("no-fma"))) void terms(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      C[i * n + j] = (TERMS(A, B)) * (TERMS(B, A)) + 0.5 * (TERMS(A, A)) - 0.25 * (TERMS(B, B));
  for (int i = 1; i < n; ++i)
    for (int j = 1; j < n; ++j)
      C[i * n + j] = (TERMS(B, A)) / (1 + C[i * n + j] * C[i * n + j]) + 0.5 * C[i * n + j - n];
}
__attribute__((noinline)) static void nest(int n) { terms(n); }
)" + Main;

TEST(Fusion, OfWhatIsInlinedAtLinkTimeIsLeftAlone) {
  for (const char *How :
       {"-flto=thin -ffp-contract=on", "-flto=thin -ffp-contract=fast", "-flto"}) {
    ProgramPair Program(InlinedAtLinkTime, std::string("-O2 -march=x86-64-v3 -fuse-ld=lld ") + How);
    EXPECT_THAT(Program.remarks(), HasSubstr(Inlined));
    Program.expectSameBits({}, /*NeedsVersion=*/false);
  }
}

/// A function that lost its loops is smaller, and may be inlined where clang does not.
TEST(Fusion, OfWhatIsTooLargeToBeInlinedAtLinkTimeIsLeftAlone) {
  const std::string Count = Head + R"(
static int Counts[N * N];
#define STEP(O)                                                                                   \
  Counts[i * n + j] += (Counts[(j + O) % n] ^ (Counts[(i + O) % n] * (O + 3))) % (O + 5);
#define STEPS(O) STEP(O) STEP(O + 1) STEP(O + 2) STEP(O + 3) STEP(O + 4) STEP(O + 5) STEP(O + 6)
#define COUNT                                                                                     \
  for (int i = 0; i < n; ++i)                                                                     \
    for (int j = 0; j < n; ++j) {                                                                 \
      STEPS(1) STEPS(11) STEPS(21)                                                                \
    }
)";
  const std::string Calls = R"(
__attribute__((noinline)) static void nest(int n) {
  C[5] = count(n, A[2], B[3]) + C[4];
  C[10] = count(n - 1, A[2], B[4]) + C[7];
}
)" + Main;
  ProgramPair OtherTarget(Count + R"(
__attribute__((target("no-fma"))) double count(int n, double a, double b) {
  COUNT
  return a * b * b - a * 0.7;
}
)" + Calls,
                          "-O2 -march=x86-64-v3 -flto=thin -fuse-ld=lld");
  EXPECT_THAT(OtherTarget.remarks(), HasSubstr(Inlined));
  OtherTarget.expectSameBits({}, /*NeedsVersion=*/false);
  ProgramPair FreeFusion(Count + R"(
double count(int n, double a, double b) {
  COUNT
  return a * b;
}
)" + Calls,
                         "-O2 -march=x86-64-v3 -ffp-contract=fast -flto=thin -fuse-ld=lld");
  EXPECT_THAT(FreeFusion.remarks(), HasSubstr(Inlined));
  FreeFusion.expectSameBits({}, /*NeedsVersion=*/false);
}

TEST(Fusion, IsTheSameAtLinkTimeForOneTarget) {
  const std::string Product = R"(void product(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      C[i * n + j] += A[i * n + j] * B[j * n + i];
}
__attribute__((noinline)) static void nest(int n) { product(n); }
)" + Main;
  for (const char *Target : {"x86-64", "x86-64-v3"}) {
    ProgramPair Program(Head + Product,
                        std::string("-O2 -flto=thin -fuse-ld=lld -march=") + Target);
    EXPECT_THAT(Program.remarks(), Not(HasSubstr(Inlined)));
    Program.expectSameBits();
  }
  ProgramPair NotInlined(Head + "__attribute__((noinline, target(\"no-fma\"))) " + Product,
                         "-O2 -flto=thin -fuse-ld=lld -march=x86-64-v3");
  EXPECT_THAT(NotInlined.remarks(), Not(HasSubstr(Inlined)));
  NotInlined.expectSameBits();
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

/// Elements of the array become registers when the loops are unrolled.
TEST(Fusion, WhileCompilingOfOwnArraysIsLeftAlone) {
  ProgramPair Program(R"(
#include <stdio.h>
static double A[48];
__attribute__((noinline)) static void nest(void) {
  double t[48];
  for (int i = 0; i < 48; ++i)
    t[i] = i * 0.1;
  for (int c = 0; c < 3; ++c)
    for (int i = 0; i < 48; ++i)
      A[i] = t[i] * (i * 0.3) + 0.7;
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

/// Of numbers that only link-time optimisation knows, too.
TEST(Fusion, AtLinkTimeIsLeftAlone) {
  ProgramPair Program({{"program.c", R"(
#include <stdio.h>
double A[48];
void fill(int n, double x);
__attribute__((noinline)) static void nest(void) { fill(48, 0.1); }
int main(void) {
  for (int c = 0; c < 300; ++c) {
    nest();
    __asm__ volatile("" ::: "memory");
  }
  for (int i = 0; i < 48; ++i)
    printf("%a\n", A[i]);
}
)"},
                       {"fill.c", R"(
extern double A[48];
double Offset = 0.03;
void fill(int n, double x) {
  for (int c = 0; c < 2; ++c)
    for (int i = 0; i < n; ++i)
      A[i] = i * x * (0.3 * i) - Offset;
}
)"}},
                      "-O3 -mno-fma -flto -fuse-ld=lld");
  EXPECT_THAT(Program.remarks(), HasSubstr("fused only where the compiler finds constants"));
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

/// What the program computes is not.
TEST(Fusion, OfOwnArraysThatHoldNoConstantsIsNot) {
  ProgramPair Program(Head + R"(
__attribute__((noinline)) static void nest(int n) {
  double t[24];
  for (int i = 0; i < 24; ++i)
    t[i] = A[i] * 0.5;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < 24; ++i)
      C[j * n + i] = t[i] * (i * 0.3) + 0.7;
}
)" + Main,
                      "-O3 -mno-fma");
  EXPECT_THAT(Program.remarks(), Not(HasSubstr("fused only")));
  Program.expectSameBits();
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

/// -ffast-math implies the option, and the pragma leaves no flag that tells of it.
TEST(Fusion, ThatAPragmaForbidsTheWholeFileInVainIsForFastModeAlone) {
  ProgramPair Program("#pragma clang fp contract(off)\n" + Head + R"(
__attribute__((noinline)) void nest(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      C[i * N + j] += A[i * N + j] * B[j * N + i];
}
)" + Main,
                      "-O3 -march=native -ffast-math");
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

/// -ffast-math permits other bits, but strict mode keeps those of the original's code: the nest is
/// a region whose versions are for SPECRT_FP=fast.
TEST(Fusion, OfReorderedOperationsIsForFastModeAlone) {
  ProgramPair Program(Head + R"(
__attribute__((noinline)) static void nest(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      C[i * n + j] += A[i * n + j] * B[j * n + i];
}
)" + Main,
                      "-O3 -march=native -ffast-math");
  EXPECT_THAT(Program.remarks(), HasSubstr("loop is a region: nest"));
  EXPECT_THAT(Program.remarks(), HasSubstr("region gets versions with SPECRT_FP=fast only"));
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

} // namespace
