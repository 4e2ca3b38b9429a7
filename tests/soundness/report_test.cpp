//===- tests/soundness/report_test.cpp - reports of odd numbers -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
#include <gtest/gtest.h>

using namespace specrt::soundness;

namespace {

/// The inner loop would run 2^63 - 1 times if it were ever reached.
TEST(Report, OfTripCountsBeyondAllMeasure) {
  ProgramPair Program(R"(
#include <limits.h>
#include <stdio.h>
static double A[1000], B[1000];
__attribute__((noinline)) static void fill(long rows, long columns) {
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < columns; ++j)
      A[(i + j) % 1000] = 2.0 * B[j % 1000] + A[(i + j) % 1000];
}
int main(void) {
  for (int call = 0; call < 200; ++call) {
    fill(0, LONG_MAX);
    fill(30, 1000);
  }
  printf("%a\n", A[7]);
}
)",
                      "-O2");
  Outcome First = Program.expectSameBits({{"SPECRT_HOT", "1"}}, /*NeedsVersion=*/false);
  auto Region = First.region("fill");
  ASSERT_TRUE(Region.is_object()) << Program.remarks();
  EXPECT_EQ(Region["trip_counts"].size(), 2u);
  for (const auto &Loop : Region["trip_counts"])
    EXPECT_LE(Loop["max"], 1000) << "what overflows is unknown";
  Outcome Shown = Program.box().run(SPECRT_SOUNDNESS_TOOL, {"report"});
  EXPECT_EQ(Shown.Status, 0) << Shown.Errors;
  EXPECT_EQ(Shown.Errors, "");
  EXPECT_NE(Shown.Output.find("fill:"), std::string::npos) << Shown.Output;
}

} // namespace
