//===- tests/soundness/rounding/nan_test.cpp - signs of NaNs -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processor makes negative NaNs, LLVM folds to positive ones.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

/// The nest runs with f and g zero, so that its quotients are no numbers.
std::string program(const std::string &Body, const std::string &Arguments = "0.0, 0.0") {
  return R"(
#include <math.h>
#include <stdio.h>
#include <string.h>
enum { N = 400 };
double X[N], Y[N];
__attribute__((noinline)) void nest(const double *x, double *y, int n, int m, double f, double g) {
  for (int i = 0; i < n; ++i) {
    double s = x[i];
    for (int k = 1; k < m; ++k)
      )" +
         Body +
         R"(
    y[i] = s;
  }
}
int main(void) {
  for (int i = 0; i < N; ++i)
    X[i] = i - 7;
  unsigned long Sum = 1469598103934665603ul;
  for (int c = 0; c < 60; ++c) {
    nest(X, Y, N, 5, )" +
         Arguments + R"();
    for (int i = 0; i < N; ++i) {
      unsigned long Bits;
      memcpy(&Bits, &Y[i], 8);
      // No product keeps the sign bit apart from others.
      Sum = (Sum ^ Bits ^ Bits >> 31) * 1099511628211ul;
    }
    printf("%lx\n", Sum);
  }
}
)";
}

std::string notes(const Outcome &O) { return O.Report.dump(); }

TEST(NaN, OfQuotients) {
  ProgramPair Program(program("s += k * f / (k * g);"), "-O2");
  Outcome First = Program.expectSameBits({}, /*NeedsVersion=*/false);
  EXPECT_NE(notes(First).find("folded-nan"), std::string::npos) << notes(First);
}

TEST(NaN, OfWhichTheSignIsTaken) {
  ProgramPair Program(program("s += copysign(x[i], k * f / (k * g));"), "-O2");
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

TEST(NaN, OfWhichTheBitsAreTaken) {
  ProgramPair Program(program("s += signbit(k * f / (k * g)) ? k : 2 * k;"), "-O2");
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

TEST(NaN, OfTheProgram) {
  ProgramPair Program(program("s = x[i] > f * k ? s + k : NAN;"), "-O2");
  Program.expectSameBits();
}

TEST(NaN, AsArguments) {
  ProgramPair Program(program("s += x[i] > k ? f * k : g;", "NAN, NAN"), "-O2");
  Program.expectSameBits();
}

} // namespace
