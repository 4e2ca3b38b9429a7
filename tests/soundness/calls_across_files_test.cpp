//===- tests/soundness/calls_across_files_test.cpp - code of other files --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A nest calls functions of other files, whose code becomes part of its versions. What a version
// computes is what the functions that the program really calls compute, with the flags that their
// own files were compiled with.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace specrt::soundness;
using testing::HasSubstr;
using testing::Not;

namespace {

/// Calls Declaration's function as Expression says, with x and y, for all i and j.
std::string caller(const std::string &Declaration, const std::string &Expression,
                   const std::string &After = "") {
  return R"(
#include <stdio.h>
enum { N = 96 };
double A[N], B[N], C[N][N];
static double scale = 0.3;
)" + Declaration +
         R"(
__attribute__((noinline)) void nest(double (*c)[N], const double *x, const double *y, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      )" +
         Expression +
         R"(;
}
int main(void) {
  for (int i = 0; i < N; ++i)
    A[i] = 0.37 * (i % 19 - 9), B[i] = 1.1 / (i + 1);
  for (int call = 0; call < 300; ++call) {
    nest(C, A, B, N);
    A[call % N] += scale;
  }
  for (int i = 0; i < N; ++i)
    printf("%a %a\n", C[i][i], C[i][(7 * i) % N]);
)" + After +
         "}\n";
}

const std::string CallsCombine =
    caller("double combine(double, double);", "c[i][j] += combine(x[i], y[j])");

std::string reasonOf(const Outcome &Run, const std::string &Function = "nest") {
  const auto Region = Run.region(Function);
  return Region.is_null() ? "no region" : Region.value("reason", "");
}

TEST(CallsAcrossFiles, BecomePartOfVersions) {
  ProgramPair Program({{"program.c", CallsCombine},
                       {"other.c", "double combine(double a, double b) { return a * b - a; }"}},
                      "-O2");
  const Outcome First = Program.expectSameBits();
  // The nest could be modelled, so it was changed by more than its constants.
  bool Modelled = false;
  const auto Region = First.region("nest");
  for (const auto &Version : Region["versions"])
    Modelled |= Version["candidate"] != "constants";
  for (const auto &Candidate : Region["retired"])
    Modelled |= Candidate["candidate"] != "constants";
  EXPECT_TRUE(Modelled) << Region.dump(2);
}

TEST(CallsAcrossFiles, InCxxWithObjectsToDestroy) {
  ProgramPair Program({{"program.cpp", R"(
#include <cstdio>
#include <vector>
double combine(double, double);
int main() {
  std::vector<double> A(96 * 96), B(96);
  for (int i = 0; i < 96; ++i)
    B[i] = 1.0 / (i + 3);
  for (int call = 0; call < 40; ++call) {
    std::vector<double> Copy(B);
    double *a = A.data(), *b = Copy.data();
    for (int i = 0; i < 96; ++i)
      for (int j = 0; j < 96; ++j)
        a[i * 96 + j] = combine(a[i * 96 + j], b[j]);
    B[call] += a[call];
  }
  for (double Value : A)
    std::printf("%a\n", Value);
}
)"},
                       {"other.cpp", "double combine(double a, double b) { return 0.5 * a + b; }"}},
                      "-O2");
  Program.expectSameBits();
}

/// An exception goes through the nest to who catches it, and objects on its way are destroyed.
TEST(CallsAcrossFiles, ThatThrow) {
  ProgramPair Program({{"program.cpp", R"(
#include <cstdio>
double combine(double, double);
struct Guard { const char *Name; ~Guard() { std::printf("%s ends\n", Name); } };
double A[400];
__attribute__((noinline)) double nest(int n, double limit) {
  Guard Outer{"outer"};
  double Last = 0;
  for (int i = 0; i < n; ++i)
    Last = A[i] = combine(A[i] + i, limit);
  Guard Inner{"inner"};
  return Last;
}
int main() {
  for (int call = 0; call < 30; ++call)
    try {
      std::printf("%a\n", nest(400, call % 3 ? 1e9 : 200));
    } catch (double Value) {
      std::printf("caught %a\n", Value);
    }
  for (double Value : A)
    std::printf("%a\n", Value);
}
)"},
                       {"other.cpp", R"(
double combine(double a, double b) {
  if (a > b)
    throw a;
  return a + 1;
}
)"}},
                      "-O2");
  const Outcome First = Program.expectSameBits({}, /*NeedsVersion=*/false);
  EXPECT_EQ(reasonOf(First, "_Z4nestid"),
            "calls a function whose code is not known: combine(double, double)");
}

TEST(CallsAcrossFiles, ThroughSeveralFiles) {
  ProgramPair Program({{"program.c", CallsCombine},
                       {"other.c", R"(
static double scale = 3; // another than the caller's
double weight(double, int);
double combine(double a, double b) { return weight(a, 3) * scale + b; }
)"},
                       {"third.c", R"(
static double scale[4] = {1, 2, 3, 5};
double weight(double a, int n) {
  double Sum = 0;
  for (int i = 0; i < n; ++i)
    Sum += a * scale[i];
  return Sum;
}
)"}},
                      "-O2");
  const Outcome First = Program.expectSameBits();
  EXPECT_THAT(reasonOf(First), Not(HasSubstr("calls a function")));
}

TEST(CallsAcrossFiles, ThatWriteMemory) {
  ProgramPair Program(
      {{"program.c", caller("void update(double *, double, double); long count(void);",
                            "update(&c[i][j], x[i], y[j])", "printf(\"%ld\\n\", count());")},
       {"other.c", R"(
static long counter;
double Largest;
void update(double *p, double a, double b) {
  static double last;
  *p += a * b + last;
  last = b;
  ++counter;
  if (a > Largest)
    Largest = a;
}
long count(void) { return counter; }
)"}},
      "-O2");
  Program.expectSameBits();
}

/// Each function is fused as its own file was compiled.
TEST(CallsAcrossFiles, WithFlagsOfTheirOwn) {
  const std::string Nest = caller("double first(double, double, double), second(double, double, "
                                  "double), third(double, double, double);",
                                  "c[i][j] = first(x[i], y[j], c[i][j]) + second(y[j], x[i], "
                                  "c[i][j]) * third(x[i], x[j], y[j])");
  auto Function = [](const char *Name) {
    return std::string("double ") + Name + "(double a, double b, double c) { return a * b + c; }";
  };
  ProgramPair Program({{"program.c", Nest},
                       {"first.c", Function("first"), "-ffp-contract=off"},
                       {"second.c", Function("second"), "-mno-fma"},
                       {"third.c", Function("third"), "-ffp-contract=on"}},
                      "-O2 -mfma");
  const Outcome First = Program.expectSameBits();
  EXPECT_THAT(reasonOf(First), Not(HasSubstr("calls a function")));
}

/// Code generation of the other file chooses what is fused: only calls do the same.
TEST(CallsAcrossFiles, ThatAreFusedFreely) {
  ProgramPair Program(
      {{"program.c", CallsCombine},
       {"other.c", "double combine(double a, double b) { return a * b + b * 0.3 + a * 0.7; }",
        "-ffp-contract=fast"}},
      "-O2 -mfma");
  const Outcome First = Program.expectSameBits({}, /*NeedsVersion=*/false);
  EXPECT_THAT(reasonOf(First), HasSubstr("calls a function whose code is not known"));
}

TEST(CallsAcrossFiles, InASharedLibrary) {
  ProgramPair Program({{"program.c", CallsCombine},
                       {"other.c", "double combine(double a, double b) { return a * b - a; }", "",
                        /*IsLibrary=*/true}},
                      "-O2 -fPIE -pie");
  const Outcome First = Program.expectSameBits();
  EXPECT_THAT(reasonOf(First), Not(HasSubstr("calls a function")));
}

/// Which function is called is settled when the program is loaded.
TEST(CallsAcrossFiles, Interposed) {
  ProgramPair Program({{"program.c", CallsCombine},
                       {"other.c", "double combine(double a, double b) { return a * b - a; }", "",
                        /*IsLibrary=*/true}},
                      "-O2 -fPIE -pie");
  Program.expectSameBits();
  ProgramPair Second({{"program.c", "int main(void) { return 0; }"},
                      {"instead.c", "double combine(double a, double b) { return a - 2 * b; }", "",
                       /*IsLibrary=*/true}},
                     "-O2");
  for (const char *Half : {"plain", "with"}) {
    const Environment Preload = {
        {"LD_PRELOAD", Second.box().path("instead.c." + std::string(Half) + ".o.so")}};
    Environment All = AtOnce;
    All.insert(Preload.begin(), Preload.end());
    const Outcome Plain = Program.box().run(Program.box().path("plain"), {}, Preload);
    ASSERT_EQ(Plain.Status, 0) << Plain.Errors;
    for (int Run = 0; Run < 2; ++Run)
      specrt::e2e::expectSame(Program.box().run(Program.box().path("with"), {}, All), Plain);
  }
  // Without it, what is stored is used again.
  Program.expectSameBits();
}

/// Stored versions contain what the function was.
TEST(CallsAcrossFiles, ThatChangeBetweenRuns) {
  ProgramPair Program({{"program.c", CallsCombine},
                       {"other.c", "double combine(double a, double b) { return a * b - a; }"}},
                      "-O2");
  Program.expectSameBits();
  Program.rebuild({{"program.c", CallsCombine},
                   {"other.c", "double combine(double a, double b) { return a * b + a; }"}});
  Program.expectSameBits();
}

TEST(CallsAcrossFiles, ThatCallEachOther) {
  ProgramPair Program({{"program.c", CallsCombine},
                       {"other.c", R"(
double again(double, double);
double combine(double a, double b) { return b < 0.5 ? a : again(a + 1, b - 0.25); }
)"},
                       {"third.c", R"(
double combine(double, double);
double again(double a, double b) { return combine(a * 0.5, b); }
)"}},
                      "-O2");
  const Outcome First = Program.expectSameBits({}, /*NeedsVersion=*/false);
  EXPECT_EQ(reasonOf(First),
            "calls a function whose code is not known: combine leads back to itself");
}

/// Nobody could compile the C library with specrt-clang, so that is not what the advice says.
TEST(CallsAcrossFiles, OfALibraryAreNamedWithIt) {
  ProgramPair Program(
      {{"program.c", caller("#include <stdlib.h>\n", "c[i][j] += x[i] * (rand() & 3) + y[j]")}},
      "-O2");
  const Outcome First = Program.expectSameBits({}, /*NeedsVersion=*/false);
  EXPECT_EQ(reasonOf(First), "calls a function whose code is not known: rand of libc.so.6");
  EXPECT_THAT(First.region("nest").value("advice", ""), Not(HasSubstr("Compile the function")));
}

/// Two names of one place: the compiler would take them for two.
TEST(CallsAcrossFiles, WithAliases) {
  ProgramPair Program({{"program.c", caller("double combine(double, double); extern double Total;",
                                            "c[i][j] += Total, Total += combine(x[i], y[j])")},
                       {"other.c", R"(
double Total;
extern double Sum __attribute__((alias("Total")));
double combine(double a, double b) { Sum = Sum * 0.5 + a; return a * b; }
)"}},
                      "-O2");
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

/// Loops around calls that handle no floating-point numbers are not worth it.
TEST(CallsAcrossFiles, OfOtherKinds) {
  ProgramPair Program({{"program.c", R"(
#include <stdio.h>
long next(long);
long A[3000];
__attribute__((noinline)) void nest(long n) {
  for (long i = 0; i < n; ++i)
    A[i] = next(A[i]);
}
int main(void) {
  nest(3000);
  printf("%ld\n", A[17]);
}
)"},
                       {"other.c", "static long n; long next(long i) { return n += i + 3; }"}},
                      "-O2");
  EXPECT_THAT(Program.remarks(), HasSubstr("it calls next, whose effects are unknown"));
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

} // namespace
