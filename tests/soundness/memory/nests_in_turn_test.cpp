//===- tests/soundness/memory/nests_in_turn_test.cpp - nests that take turns ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two stages of a filter become one region, whose versions run them in turn. The same code is
// called with arrays that are apart, arrays that overlap, other sizes, and nests without
// iterations.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace specrt::soundness;
using testing::HasSubstr;

namespace {

/// Calls a function smooth(n, m, in, between, out).
constexpr const char *Calls = R"(
int main(void) {
  for (long i = 0; i < 4 * N; ++i)
    room[i] = i * 7 % 23;
  for (int c = 0; c < 200; ++c) { /* on a loaded machine some calls are not timed */
    const int is_odd = c % 8 == 7;
    const long n = is_odd ? c % 5 : 700, m = is_odd ? c % 9 : 700;
    /* Now and then the results overlap what is still to be read. */
    double *in = room, *between = room + N, *out = room + 2 * N;
    if (c % 8 == 3)
      out = between + 700 * 3;
    if (c % 8 == 5)
      between = in + 700;
    smooth(n, m, in, between, out);
    unsigned long hash = 0;
    for (long i = 0; i < 4 * N; ++i) {
      unsigned long bits;
      memcpy(&bits, &room[i], sizeof bits);
      hash = hash * 31 + bits;
      room[i] = room[i] > 1e3 || room[i] < -1e3 ? 1.5 : room[i];
    }
    printf("%lx\n", hash);
  }
}
)";

constexpr const char *Head = R"(
#include <stdio.h>
#include <string.h>
enum { N = 720 * 720 };
static double room[4 * N];
)";

TEST(NestsInTurn, GiveTheSameBitsWhateverOverlaps) {
  const std::string Stages = R"(
__attribute__((noinline)) void smooth(long n, long m, const double *in, double *between,
                                      double *out) {
  if (n < 3 || m < 3)
    return; /* the tests whether there are rows would keep the nests apart */
  for (long i = 0; i < n; ++i)
    for (long j = 1; j < m - 1; ++j)
      between[i * m + j] = 0.25 * in[i * m + j - 1] + 0.5 * in[i * m + j] + in[i * m + j + 1];
  for (long i = 1; i < n - 1; ++i)
    for (long j = 1; j < m - 1; ++j)
      out[i * m + j] = 0.5 * between[(i - 1) * m + j] - between[(i + 1) * m + j];
}
)";
  const ProgramPair Pair({{"program.c", Head + Stages + Calls}}, "-O3 -march=native");
  const std::string OneRegion = "loop is a region: smooth";
  const size_t At = Pair.remarks().find(OneRegion);
  ASSERT_NE(At, std::string::npos) << Pair.remarks();
  EXPECT_EQ(Pair.remarks().find(OneRegion, At + 1), std::string::npos) << Pair.remarks();
  const Outcome First = Pair.expectSameBits({{"SPECRT_THREADS", "1"}});
  EXPECT_TRUE(ran(First, "pipeline")) << First.Report.dump(2);
}

/// The compiler turns both divisions between the nests into products with one reciprocal, which a
/// version that contains them would not do.
TEST(NestsInTurn, GiveTheSameBitsWhereFlagsLeaveWhatIsBetweenThemOpen) {
  const std::string Stages = R"(
__attribute__((noinline)) void scale(long n, long m, double a, double b, double s, const double *in,
                                     double *between, double *out) {
  if (n < 3 || m < 3)
    return;
  for (long i = 0; i < n; ++i)
    for (long j = 1; j < m - 1; ++j)
      between[i * m + j] = in[i * m + j - 1] + in[i * m + j + 1];
  const double u = a / s, v = b / s;
  for (long i = 1; i < n - 1; ++i)
    for (long j = 1; j < m - 1; ++j) {
      out[i * m + j] = u + between[(i - 1) * m + j];
      out[(i + n) * m + j] = v + between[(i + 1) * m + j];
    }
}
int main(void) {
  enum { M = 300 };
  double *const in = room, *const between = room + M * M, *const out = room + 2 * M * M;
  for (long i = 0; i < M * M; ++i)
    in[i] = i * 7 % 23;
  for (int c = 0; c < 200; ++c) {
    scale(M, M, 1.1 + c, 0.7 * c, 3.3 + c % 17, in, between, out);
    unsigned long hash = 0;
    for (long i = 0; i < 2 * M * M; ++i) {
      unsigned long bits;
      memcpy(&bits, &out[i], sizeof bits);
      hash = hash * 31 + bits;
    }
    printf("%lx\n", hash);
  }
}
)";
  const ProgramPair Pair({{"program.c", Head + Stages}}, "-O3 -march=native -ffast-math");
  Pair.expectSameBits({{"SPECRT_THREADS", "1"}});
}

/// A pipeline has no tests between the nests whether there are iterations, which would keep the
/// nests apart.
TEST(NestsInTurn, OfAPipelineGiveTheSameBits) {
  const std::string Stages = R"(
#include "specrt/pipeline.hpp"
__attribute__((noinline)) void smooth(long n, long m, const double *in, double *between,
                                      double *out) {
  using namespace specrt;
  pipeline(nest(range(n), range(1, m - 1),
                [=](long i, long j) {
                  between[i * m + j] = 0.25 * in[i * m + j - 1] + 0.5 * in[i * m + j] +
                                       in[i * m + j + 1];
                }),
           nest(range(1, n - 1), range(1, m - 1), [=](long i, long j) {
             out[i * m + j] = 0.5 * between[(i - 1) * m + j] - between[(i + 1) * m + j];
           }));
}
)";
  const ProgramPair Pair({{"program.cpp", Head + Stages + Calls}},
                         "-std=c++20 -O3 -march=native -I" SPECRT_PUBLIC_HEADERS);
  const Outcome First = Pair.expectSameBits({{"SPECRT_THREADS", "1"}});
  EXPECT_TRUE(ran(First, "pipeline")) << First.Report.dump(2);
}

} // namespace
