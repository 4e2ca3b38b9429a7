//===- tests/soundness/rounding/extrema_test.cpp - the sign of fmin's zeros --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/soundness/program_pair.h"
#include <gmock/gmock.h>

using namespace specrt::soundness;
using testing::HasSubstr;
using testing::Not;

namespace {

const char *const Refused = "only code generation knows which of two equal zeros";

/// Calls \p Nest with every kind of number, and recurring ones for c.
std::string program(const std::string &Type, const std::string &Nest) {
  return "#include <math.h>\n#include <stdio.h>\ntypedef " + Type + R"( T;
enum { N = 1000 };
T A[N], B[N], R[N];
)" + Nest +
         R"(
int main(void) {
  static const double Kinds[] = {0.0, -0.0, 1.5, -2.5, 1e-310, -INFINITY, INFINITY};
  static const double Recurring[] = {0.0, -0.0, 1.0, NAN};
  for (int i = 0; i < N; ++i) {
    A[i] = Kinds[i % 7];
    B[i] = i % 11 == 3 ? NAN : Kinds[i / 7 % 7];
  }
  for (int c = 0; c < 600; ++c) {
    nest(N - (c % 150 == 149), Recurring[c / 150]);
    for (int i = c % 31; i < N; i += 31)
      if (isnan(R[i]))
        printf("nan ");
      else
        printf("%a ", (double)R[i]);
    printf("\n");
  }
}
)";
}

struct Sample {
  const char *Type, *Nest, *Flags;
};

class Extremum : public testing::TestWithParam<Sample> {};

TEST_P(Extremum, HasTheSameSign) {
  const Sample &S = GetParam();
  ProgramPair Program(program(S.Type, std::string("__attribute__((noinline)) void nest(int n, T c) "
                                                  "{\n  for (int i = 0; i < n; ++i)\n    ") +
                                          S.Nest + ";\n}\n"),
                      S.Flags);
  EXPECT_THAT(Program.remarks(), Not(HasSubstr(Refused)));
  Program.expectSameBits();
}

INSTANTIATE_TEST_SUITE_P(
    , Extremum,
    testing::Values(Sample{"double", "R[i] = fmin(A[i], c)", "-O2"},
                    Sample{"double", "R[i] = fmin(c, A[i])", "-O2"},
                    Sample{"double", "R[i] = fmax(c, B[i])", "-O3 -march=native"},
                    Sample{"double", "R[i] = fmax(B[i], c)", "-O1"},
                    Sample{"float", "R[i] = fmaxf(A[i], c) + fminf(c, B[i])", "-O2"},
                    Sample{"float", "R[i] = fminf(fmaxf(A[i], 0.0f), 1.0f)", "-O3"},
                    Sample{"double", "R[i] = fmax(-0.0, A[i])", "-O3 -march=native"},
                    Sample{"double", "R[i] = fmin(A[i] * c, B[i] + A[i])", "-O3"}));

/// Of several elements at once code generation may know of each what it knows of none together.
TEST(Extrema, OfVectorsAreLeftAlone) {
  for (const char *Body :
       {"*(V *)&R[i] = __builtin_elementwise_minnum(*(V *)&A[i], (V){c, c, c, c})",
        "*(V *)&R[0] = __builtin_elementwise_maxnum(*(V *)&R[0], "
        "__builtin_elementwise_abs(*(V *)&A[i] + c))"}) {
    ProgramPair Program(program("double", std::string(R"(
typedef T V __attribute__((vector_size(32), aligned(8)));
__attribute__((noinline)) void nest(int n, T c) {
  *(V *)&R[0] = (V){0.0, 0.0, 0.0, 0.0};
  for (int i = 0; i + 4 <= n; i += 4)
    )") + Body + R"(;
}
)"),
                        "-O3 -march=native");
    EXPECT_THAT(Program.remarks(), HasSubstr(Refused)) << Body;
    Program.expectSameBits({}, /*NeedsVersion=*/false);
  }
}

/// One reduction of vectors, of which width decides the sign.
TEST(Extrema, OfReductionsAreLeftAlone) {
  ProgramPair Program(program("double", R"(
__attribute__((noinline)) void nest(int n, T c) {
  double m = c;
  for (int i = 0; i < n; ++i)
    m = fmin(m, A[i] * A[i] * (i % 3 ? 1.0 : -0.0));
  R[0] = m;
}
)"),
                      "-O3 -march=native");
  EXPECT_THAT(Program.remarks(), HasSubstr(Refused));
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

/// How far two fields are apart, as tests of convergence ask: no zero has a sign, no order is
/// changed.
TEST(Extrema, OfAbsoluteValuesAreRegions) {
  for (const char *Greatest :
       {"fmax(m, fabs(A[i] - B[i]))", "m < fabs(A[i] - B[i]) ? fabs(A[i] - B[i]) : m",
        "fabs(A[i]) > m ? fabs(A[i]) : m", "fmin(m, A[i] * A[i])"}) {
    ProgramPair Program(program("double", std::string(R"(
__attribute__((noinline)) void nest(int n, T c) {
  double m = 0.0;
  for (int i = 0; i < n; ++i) {
    R[i] = 0.5 * (A[i] + c * B[i]);
    m = )") + Greatest + R"(;
  }
  R[0] = m;
}
)"),
                        "-O3 -march=native");
    EXPECT_THAT(Program.remarks(), Not(HasSubstr(Refused))) << Greatest;
    // Where it stands by its line, not those of main.
    EXPECT_THAT(Program.remarks(), HasSubstr("program.c:9:3: remark: loop is a region"))
        << Greatest;
    Program.expectSameBits({}, /*NeedsVersion=*/false);
  }
}

/// Conversions of integers are never NaNs, where code generation still sees them.
TEST(Extrema, OfWhatBecomesKnownAreLeftAlone) {
  ProgramPair Program(program("double", R"(
__attribute__((noinline)) void nest(int n, T c) {
  for (int i = 0; i < n; ++i)
    R[i] = fmin(A[i], i % 3) + c;
}
)"),
                      "-O2");
  EXPECT_THAT(Program.remarks(), HasSubstr(Refused));
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

TEST(Extrema, BeforeLinkTimeAreLeftAlone) {
  ProgramPair Program(program("double", R"(
__attribute__((noinline)) void nest(int n, T c) {
  for (int i = 0; i < n; ++i)
    R[i] = fmin(A[i], c);
}
)"),
                      "-O2 -flto -fuse-ld=lld");
  EXPECT_THAT(Program.remarks(), HasSubstr(Refused));
  Program.expectSameBits({}, /*NeedsVersion=*/false);
}

} // namespace
