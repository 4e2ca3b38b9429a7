//===- tests/tools/zeros_test.cpp - what tools say about arrays that are mostly zero ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/e2e/harness.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace specrt::e2e;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

const char *const Program = R"(#include <stdio.h>
#include <stdlib.h>
enum { N = 256, M = 32 };
__attribute__((noinline)) void product(int n, int m, const double *a, const double *b, double *c) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < m; ++j)
        c[i * m + j] += a[i * n + k] * b[k * m + j];
}
__attribute__((noinline)) void sum(int n, int m, const double *b, double *c) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      c[i * m + j] += b[i * m + j] * 0.5;
}
int main(void) {
  double *a = calloc(N * N, 8), *b = malloc(N * M * 8), *c = calloc(N * M, 8);
  for (int i = 0; i < N; ++i)
    if (i % 4 != 3) /* every fourth row stays zero */
      a[i * N + i] = a[i * N + (i * 7 + 1) % N] = i + 1;
  for (int i = 0; i < N * M; ++i)
    b[i] = 1.0 / (i + 1);
  for (int r = 0; r < 300; ++r)
    product(N, M, a, b, c);
  for (int r = 0; r < 300; ++r)
    sum(N, M, b, c);
  printf("%a\n", c[77]);
}
)";

class ZerosTools : public testing::Test {
protected:
  void SetUp() override {
    std::ofstream(Box.path("sparse.c")) << Program;
    const Outcome O =
        Box.run("/bin/sh", {"-c", "cd " + Box.path().string() +
                                      " && " SPECRT_TEST_CC " -O3 sparse.c -o sparse"});
    ASSERT_EQ(O.Status, 0) << O.Errors;
  }
  Outcome run() const {
    Outcome O = Box.run(Box.path("sparse"), {},
                        {{"SPECRT_COMPILE", "sync"}, {"SPECRT_HOT", "0"}, {"SPECRT_THREADS", "1"}});
    EXPECT_EQ(O.Status, 0) << O.Errors;
    return O;
  }
  std::string explained(const std::string &Name) const {
    const Outcome O = Box.run(SPECRT_TOOL, {"explain", Name});
    EXPECT_EQ(O.Status, 0) << O.Errors;
    return O.Output;
  }
  /// The version `zeros` that was hit; null when there is none.
  static json zerosVersion(const json &Region) {
    for (const char *Kind : {"versions", "retired"})
      for (const json &V : Region.value(Kind, json::array()))
        if (V.value("candidate", "") == "zeros" &&
            (V.value("hits", 0L) > 0 || V.value("ns", 0.0) > 0))
          return V;
    return {};
  }
  Sandbox Box;
};

TEST_F(ZerosTools, ExplainShowsEquationsAndWhatMaySkip) {
  const json First = run().region("product");
  ASSERT_TRUE(zerosVersion(First).is_object()) << First.dump(2);
  ASSERT_TRUE(First.contains("equations")) << First.dump(2);
  const std::string Text = First["equations"]["text"];
  EXPECT_THAT(Text, HasSubstr("S1: c["));
  EXPECT_THAT(Text, HasSubstr("nonzero only where (a["));
  EXPECT_THAT(Text, HasSubstr("S1 = "));
  EXPECT_THAT(Text, HasSubstr("*")); // the closed form: sums go on
  EXPECT_THAT(First["equations"]["skips"].get<std::string>(),
              AllOf(HasSubstr("where a["),
                    HasSubstr("is zero, an iteration of loop 2 (j) does nothing, if b["),
                    HasSubstr("] is finite")));
  const std::string Explained = explained("product");
  EXPECT_THAT(Explained, AllOf(HasSubstr("Where values can be nonzero"), HasSubstr("-> where a["),
                               HasSubstr("S1: c["), HasSubstr("nonzero only where")));

  const json &Listed = First["nonzeros"]["lists"][0];
  EXPECT_EQ(Listed["array"], "a");
  EXPECT_EQ(Listed["elements"], 256 * 256);
  EXPECT_EQ(Listed["listed"], 2 * 192);
  EXPECT_EQ(Listed["rows"], 256);
  const json &Picture = Listed["picture"];
  EXPECT_EQ(Picture["width"], 200);
  EXPECT_EQ(Picture["lines"].size(), 200U);
  EXPECT_EQ(Picture["lines"][0], json::array({0})); // elements 0 and 1

  // Three quarters of the rows, as the program leaves them.
  const json &Predicted = First["nonzeros"]["predicted"][0];
  EXPECT_EQ(Predicted["array"], "c");
  EXPECT_EQ(Predicted["elements"], 256 * 32);
  EXPECT_EQ(Predicted["nonzero"], 192 * 32);
  EXPECT_EQ(Predicted["if_zero_before"], true);
  ASSERT_GT(Predicted["words"], 0);
  EXPECT_GT(Predicted["zero"], 0);
  EXPECT_LT(Predicted["zero"], Predicted["words"]);
  EXPECT_THAT(Explained, AllOf(HasSubstr("a: 384 of 65,536 elements are not zero, 0.586 %"),
                               HasSubstr("c: of 8,192 elements that the loops write 6,144 may be "
                                         "nonzero, 75 %, if all were zero before; ")));

  // A run that compiles nothing knows it, too.
  const Outcome Second = run();
  EXPECT_EQ(compiles(Second), 0);
  EXPECT_EQ(Second.region("product")["equations"], First["equations"]);
}

TEST_F(ZerosTools, NothingIsToldWhereNothingIsZero) {
  const json Region = run().region("sum");
  ASSERT_TRUE(Region.is_object());
  EXPECT_FALSE(Region.contains("equations"));
  EXPECT_THAT(explained("sum"), Not(HasSubstr("Where values can be nonzero")));
}

} // namespace
