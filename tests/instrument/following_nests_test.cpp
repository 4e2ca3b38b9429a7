//===- tests/instrument/following_nests_test.cpp - nests that become one region ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nests, one after the other, of which one needs several rows of what the other writes are one
// region; so are those of specrt/pipeline.hpp. Any others are two.
//
//===----------------------------------------------------------------------===//
#include "tests/instrument/toolchain.h"

using namespace specrt;

namespace {

struct Nests {
  const char *Name;
  const char *Source;
  unsigned Regions;
};
void PrintTo(const Nests &Case, std::ostream *Stream) { *Stream << Case.Name; }

const char *const Stages = R"(
static inline void along_rows(long n, long m, const double *in, double *out) {
  for (long i = 0; i < n; i++)
    for (long j = 1; j < m - 1; j++)
      out[i * m + j] = in[i * m + j - 1] + in[i * m + j + 1];
}
static inline void along_columns(long n, long m, const double *in, double *out) {
  for (long i = 0; i < n; i++)
    for (long j = 1; j < m - 1; j++)
      out[i * m + j] = in[(i - 1) * m + j] + in[(i + 1) * m + j];
}
static inline void filtered(long n, long m, long r, const double *w, const double *in, double *out) {
  for (long i = 0; i < n; i++)
    for (long j = 1; j < m - 1; j++) {
      double sum = 0;
      for (long k = 0; k < r; k++) sum += w[k] * in[(i + k) * m + j];
      out[i * m + j] = sum;
    }
}
static inline void colour(long n, long m, double *u, long c) {
  for (long i = 0; i < n; i++)
    for (long j = 1 + (i + c) % 2; j < m - 1; j += 2)
      u[i * m + j] = u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1];
}
static inline void transposed(long n, long m, const double *in, double *out) {
  for (long i = 0; i < n; i++)
    for (long j = 1; j < m - 1; j++)
      out[i * m + j] = in[j * m + i] + in[j * m + i + 1];
}
)";

class FollowingNests : public ToolchainTest, public testing::WithParamInterface<Nests> {};

TEST_P(FollowingNests, AreOneRegionAtADistance) {
  write("nests.c", Stages + std::string(GetParam().Source));
  const CommandResult Result = check("$CC -O3 -Rpass=specrt -Rpass-missed=specrt -c nests.c");
  EXPECT_EQ(count(Result.Err, "loop is a region"), GetParam().Regions) << Result.Err;
}

class FollowingNestsAlone : public ToolchainTest {};

INSTANTIATE_TEST_SUITE_P(
    , FollowingNests,
    testing::Values(
        Nests{"TwoStages",
              "void f(long n, long m, double *a, double *restrict t, double *b) {\n"
              "  along_rows(n, m, a, t); along_columns(n, m, t, b); }\n",
              1},
        Nests{"ThreeStages",
              "void f(long n, long m, double *a, double *s, double *t, double *b) {\n"
              "  along_rows(n, m, a, s); along_columns(n, m, s, t); along_columns(n, m, t, b); }\n",
              1},
        Nests{"LoopOverRows",
              "void f(long n, long m, long r, double *w, double *a, double *t, double *b) {\n"
              "  if (r > 0) { along_rows(n, m, a, t); filtered(n, m, r, w, t, b); } }\n",
              1},
        Nests{"TwoColours",
              "void f(long n, long m, double *u) { colour(n, m, u, 0); colour(n, m, u, 1); }\n", 1},
        Nests{"BackAgain",
              "void f(long n, long m, double *a, double *b) {\n"
              "  along_columns(n, m, a, b); along_rows(n, m, b, a); }\n",
              1},
        Nests{"SameRows",
              "void f(long n, long m, double *a, double *t, double *b) {\n"
              "  along_rows(n, m, a, t); along_rows(n, m, t, b); }\n",
              2},
        Nests{"OtherArrays",
              "void f(long n, long m, double *a, double *b, double *c, double *d) {\n"
              "  along_columns(n, m, a, b); along_columns(n, m, c, d); }\n",
              2},
        Nests{"AllOfTheFirst",
              "void f(long n, long m, double *a, double *t, double *b) {\n"
              "  along_columns(n, m, a, t); transposed(n, m, t, b); }\n",
              2},
        Nests{"SomethingBetween",
              "void f(long n, long m, double *a, double *t, double *b) {\n"
              "  along_rows(n, m, a, t); t[5] = 0; along_columns(n, m, t, b); }\n",
              2}),
    [](const testing::TestParamInfo<Nests> &Case) { return std::string(Case.param.Name); });

/// Code generation shares the reciprocal of two divisions, which is settled after regions are made.
TEST_F(FollowingNestsAlone, WhereFlagsLeaveWhatIsBetweenThemOpen) {
  write("nests.c", std::string(Stages) + R"(
static inline void scaled(long n, long m, double u, double v, const double *in, double *out) {
  for (long i = 0; i < n; i++)
    for (long j = 1; j < m - 1; j++) {
      out[i * m + j] = u + in[(i - 1) * m + j];
      out[(i + n) * m + j] = v + in[(i + 1) * m + j];
    }
}
void f(long n, long m, double a, double b, double s, double *in, double *t, double *out) {
  along_rows(n, m, in, t);
  const double u = a / s, v = b / s;
  scaled(n, m, u, v, t, out);
}
)");
  const std::string Command = "$CC -O3 -Rpass=specrt -Rpass-missed=specrt -c nests.c ";
  const CommandResult Strict = check(Command);
  EXPECT_EQ(count(Strict.Err, "loop is a region"), 1u) << Strict.Err;
  const CommandResult Fast = check(Command + "-ffast-math");
  EXPECT_EQ(count(Fast.Err, "loop is a region"), 2u) << Fast.Err;
  EXPECT_THAT(Fast.Err,
              testing::HasSubstr("loop is not in one region with the one before, because of the "
                                 "code between them: its divisions may become products with "
                                 "reciprocals"));
}

/// A region contains no assembly, also not between its loops.
TEST_F(FollowingNestsAlone, WhereWhatIsBetweenThemCannotBeMoved) {
  write("nests.c", std::string(Stages) + R"(
static inline void moved(long n, long m, double by, const double *in, double *out) {
  for (long i = 0; i < n; i++)
    for (long j = 1; j < m - 1; j++)
      out[i * m + j] = by + in[(i - 1) * m + j] + in[(i + 1) * m + j];
}
void f(long n, long m, double by, double *in, double *t, double *out) {
  along_rows(n, m, in, t);
  __asm__("" : "+x"(by));
  moved(n, m, by, t, out);
}
)");
  const CommandResult Result = check("$CC -O3 -Rpass=specrt -Rpass-missed=specrt -c nests.c");
  EXPECT_EQ(count(Result.Err, "loop is a region"), 2u) << Result.Err;
}

class PipelineNests : public ToolchainTest {};

TEST_F(PipelineNests, AreOneRegion) {
  write("nests.cpp", R"(
#include "specrt/pipeline.hpp"
using namespace specrt;
void f(long n, long m, double *a, double *b, double *c, double *d) {
  pipeline(nest(range(n), range(m), [=](long i, long j) { b[i * m + j] = a[i * m + j] + 1; }),
           nest(range(1, n - 1), range(1, m - 1),
                [=](long i, long j) { c[i * m + j] = a[i * m + j] + 1; }).at<2>(),
           nest(range(n), [](long i) { return range(i); },
                [=](long i, long j) { d[i * m + j] = c[i * m + j] - b[i * m + j]; }));
}
)");
  const CommandResult Result =
      check("$CXX -std=c++20 -O3 -I$INC -Rpass=specrt -Rpass-missed=specrt -c nests.cpp");
  EXPECT_EQ(count(Result.Err, "loop is a region"), 1u) << Result.Err;
  EXPECT_EQ(count(Result.Err, "SPECRT_NOINSTRUMENT"), 3u) << Result.Err;
}

/// A body is called from two places, and the compiler would not inline a large one.
TEST_F(PipelineNests, AreOneRegionWithLargeBodies) {
  std::string Body;
  for (int I = 0; I < 200; ++I)
    Body += "x = x * x + a[(i + " + std::to_string(I) + ") * m + j]; ";
  write("nests.cpp", R"(
#include "specrt/pipeline.hpp"
using namespace specrt;
void f(long n, long m, double *a, double *b, double *c) {
  pipeline(nest(range(n), range(m), [=](long i, long j) {
             double x = 1; )" +
                         Body +
                         R"( b[i * m + j] = x; }),
           nest(range(1, n - 1), range(m),
                [=](long i, long j) { c[i * m + j] = b[i * m + j] + 1; }));
}
)");
  for (const std::string Level : {"-O1 ", "-O3 "}) {
    const CommandResult Result = check("$CXX -std=c++20 -I$INC -Rpass=specrt -Rpass-missed=specrt "
                                       "-c nests.cpp " +
                                       Level);
    EXPECT_EQ(count(Result.Err, "loop is a region"), 1u) << Result.Err;
    EXPECT_EQ(count(Result.Err, "loop is not a region"), count(Result.Err, "SPECRT_NOINSTRUMENT"))
        << Result.Err;
  }
}

TEST_F(PipelineNests, ThatAreNoRegionAreReported) {
  write("nests.cpp", R"(
#include "specrt/pipeline.hpp"
using namespace specrt;
void g(double *) noexcept;
void f(long n, long m, double *a, double *b) {
  pipeline(nest(range(n), range(m), [=](long i, long j) { b[i * m + j] = a[i * m + j] + 1; }),
           nest(range(n), [=](long i) { g(a + i); }).at<2>());
}
)");
  const CommandResult Result =
      check("$CXX -std=c++20 -O3 -I$INC -Rpass-missed=specrt -c nests.cpp");
  EXPECT_EQ(count(Result.Err, "the 2 nests of the pipeline do not take turns, because they are not "
                              "one region: it calls _Z1gPd, whose effects are unknown"),
            1u)
      << Result.Err;
  EXPECT_THAT(Result.Err,
              testing::HasSubstr("the offsets and grains that the program gives are not used"));
}

/// Offsets that are not given are -1, and grains 0. The name of the region's file contains the
/// types of all nests, and would be too long with parameters and captures.
TEST_F(PipelineNests, KeepTheirPositions) {
  write("nests.cpp", R"(
#include "specrt/pipeline.hpp"
using namespace specrt;
double a[400], b[400], c[400];
long n = 20;
void f() {
  pipeline(nest(range(n), range(n), [](long i, long j) { b[i * 20 + j] = a[i * 20 + j] + 1; }),
           nest(range(n), range(n), [](long i, long j) { c[i * 20 + j] = b[i * 20 + j]; })
               .at<3>().grain<2>(),
           nest(range(n), range(n), [](long i, long j) { a[i * 20 + j] = c[i * 20 + j]; })
               .at<5, 1>().grain<4, 6>());
}
int main() { f(); }
)");
  check("$CXX -std=c++20 -O3 -I$INC nests.cpp -o nests && SPECRT_STUB_DUMP=. ./nests");
  EXPECT_THAT(check("for region in *.bc; do $TOOLS/llvm-dis \"$region\" -o -; done").Out,
              testing::HasSubstr("\"specrt-pipeline\"=\"-1,3,5,-1,-1,1,0,2,4,0,0,6\""));
}

/// The results are the same without the driver. Some nests have no iterations.
TEST_F(PipelineNests, ComputeWhatTheyComputeOneAfterTheOther) {
  write("nests.cpp", R"(
#include "specrt/pipeline.hpp"
#include <cstdio>
using namespace specrt;
int main() {
  double a[40] = {}, b[40] = {};
  for (const long n : {0L, 1L, 2L, 9L}) {
    pipeline(nest(range(n), [&](long i) { a[i] += double(i); }),
             nest(range(1, n - 1), [&](long i) { b[i] += a[i + 1] - a[i - 1]; }).at<1>(),
             nest(range(n), [](long i) { return range(i); }, [&](long i, long j) { a[i] += b[j]; }));
  }
  double sum = 0;
  for (int i = 0; i < 40; i++) sum = 3 * sum + a[i] + b[i];
  std::printf("%.17g\n", sum);
}
)");
  check("$CXX -std=c++20 -O2 -I$INC nests.cpp -o with && $CLANGXX -std=c++20 -O0 -Wall -Wextra "
        "-Werror -I$INC nests.cpp -o without");
  EXPECT_EQ(run("./with").Out, check("./without").Out);
}

} // namespace
