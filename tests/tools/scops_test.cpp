//===- tests/tools/scops_test.cpp - specrt scops on small files -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/e2e/harness.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace specrt::e2e;
using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

class ScopsTest : public testing::Test {
protected:
  /// The path of the bitcode.
  std::string compile(const std::string &Name, const std::string &Source,
                      const std::string &Level = "-O2") const {
    const std::string File = Box.write(Name + ".c", Source),
                      Bitcode = Box.path(Name + ".bc").string();
    std::vector<std::string> Arguments = {Level, "-emit-llvm", "-c", File, "-o", Bitcode};
    if (Level == "-O2")
      Arguments.insert(Arguments.end(), {"-Xclang", "-disable-llvm-passes"});
    const Outcome O = Box.run(SPECRT_TEST_CLANG, Arguments);
    EXPECT_EQ(O.Status, 0) << O.Errors;
    return Bitcode;
  }
  Outcome scops(std::vector<std::string> Arguments) const {
    Arguments.insert(Arguments.begin(), "scops");
    return Box.run(SPECRT_TOOL, Arguments);
  }
  json total(const std::string &Source) const {
    const Outcome O = scops({"--json", compile("one", Source)});
    EXPECT_EQ(O.Status, 0) << O.Errors;
    return json::parse(O.Output)["total"];
  }
  Sandbox Box;
};

json cause(const json &Of, const std::string &Name) {
  for (const json &Cause : Of["causes"])
    if (Cause["name"] == Name)
      return Cause;
  ADD_FAILURE() << "no cause is called " << Name;
  return {};
}

struct Case {
  const char *Cause; ///< the only one; null: it is a Scop as it is
  bool Answered;
  const char *Source;
};

/// One loop each, so that there is one candidate.
const Case OneCauseEach[] = {
    {nullptr, true, "void f(double *a, long n) { for (long i = 0; i < n; ++i) a[i] *= 2; }"},
    {"alias", true,
     "void f(double *a, double *b, long n) { for (long i = 0; i < n; ++i) a[i] = b[i] * 2; }"},
    {"row pointers", true,
     "void f(double **restrict a, long n) { for (long i = 0; i < n; ++i) a[i][5] *= 2; }"},
    {"index array", true,
     "void f(double *restrict a, const long *restrict x, long n) {"
     "  for (long i = 0; i < n; ++i) a[x[i]] *= 2; }"},
    {"call", false,
     "double g(double); void f(double *a, long n) { for (long i = 0; i < n; ++i) a[i] = g(i); }"},
    {"non-linear", false,
     "void f(double *a, long n) { for (long i = 0; i < n; ++i) a[i * i] *= 2; }"},
    {"volatile or atomic", false,
     "void f(volatile int *a, long n) { for (long i = 0; i < n; ++i) a[i] = 1; }"},
    {"data-dependent access", false,
     "void f(double *restrict a, const int *restrict x, const double *restrict y, long n) {"
     "  for (long i = 0; i < n; ++i) a[(long)y[i]] += 2; }"},
    // What is read may have been written an iteration before.
    {"data-dependent access", false,
     "void f(long *a, long n) { for (long i = 0; i < n; ++i) a[a[i]] = i; }"},
    // Not every call reads all indices.
    {"data-dependent access", false,
     "void f(double *restrict a, const long *restrict x, const double *restrict y, long n) {"
     "  for (long i = 0; i < n; ++i) if (y[i] > 0) a[x[i]] *= 2; }"},
};

TEST_F(ScopsTest, EachCauseIsCounted) {
  for (const Case &C : OneCauseEach) {
    SCOPED_TRACE(C.Source);
    const json Total = total(C.Source);
    EXPECT_EQ(Total["scops"], C.Cause ? 0 : 1);
    EXPECT_EQ(Total["rejected"], C.Cause ? 1 : 0) << Total.dump(1);
    EXPECT_EQ(Total["speculative"], C.Answered ? 1 : 0) << Total.dump(1);
    for (const json &Cause : Total["causes"]) {
      const bool IsIt = C.Cause && Cause["name"] == C.Cause;
      EXPECT_EQ(Cause["affected"], IsIt ? 1 : 0) << Cause.dump();
      EXPECT_EQ(Cause["sole"], IsIt ? 1 : 0) << Cause.dump();
      if (IsIt)
        EXPECT_EQ(Cause["speculative"], C.Answered);
    }
    if (C.Cause) {
      EXPECT_EQ(cause(Total, C.Cause)["cumulative"], 1);
      EXPECT_EQ(Total["causes"].back()["cumulative"], 1) << "all causes lifted, all are Scops";
    }
  }
}

TEST_F(ScopsTest, ParametersBecomeConstants) {
  const json Total = total("void f(double *a, long n, long m) {"
                           "  for (long i = 0; i < n; ++i)"
                           "    for (long j = 0; j < m; ++j) a[j * n + i] *= 2; }");
  EXPECT_EQ(Total["scops"], 0);
  EXPECT_EQ(Total["checked"], 1) << "Polly guesses the shape";
  EXPECT_EQ(Total["speculative"], 1) << "only the outermost region counts";
  EXPECT_EQ(cause(Total, "non-affine access")["sole"], Total["rejected"]);
}

/// What a loop around a region changes is no parameter that recurs.
TEST_F(ScopsTest, PackedTrianglesAreNotAnswered) {
  const json Total = total("void f(double *a, long n) {"
                           "  for (long i = 0; i < n; ++i)"
                           "    for (long j = 0; j <= i; ++j) a[i * (i + 1) / 2 + j] *= 2; }");
  EXPECT_EQ(Total["speculative"], 0) << Total.dump(1);
  EXPECT_EQ(cause(Total, "non-linear")["affected"], Total["rejected"]);
}

TEST_F(ScopsTest, SearchesAreNotAnswered) {
  const json Total =
      total("long f(const long *a, long x) { long i = 0; while (a[i] != x) ++i; return i; }");
  EXPECT_EQ(Total["speculative"], 0) << Total.dump(1);
  EXPECT_EQ(cause(Total, "data-dependent bound")["affected"], 1);
}

TEST_F(ScopsTest, CausesThatComeTogetherAreCumulative) {
  const json Total = total("double g(double);"
                           "void f(double *a, double *b, long n) {"
                           "  for (long i = 0; i < n; ++i) a[i] = g(b[i]); }");
  EXPECT_EQ(cause(Total, "alias")["affected"], 1);
  EXPECT_EQ(cause(Total, "alias")["sole"], 0);
  EXPECT_EQ(cause(Total, "alias")["cumulative"], 0);
  EXPECT_EQ(cause(Total, "call")["affected"], 1);
  EXPECT_EQ(cause(Total, "call")["sole"], 0);
  EXPECT_EQ(cause(Total, "call")["cumulative"], 1);
  EXPECT_EQ(Total["speculative"], 0);
}

TEST_F(ScopsTest, FilesAddUp) {
  const std::string A = compile("a", OneCauseEach[0].Source),
                    B = compile("b", OneCauseEach[1].Source);
  const std::string C = compile("c", OneCauseEach[4].Source, "-O0");
  const Outcome O = scops({"--from", Box.write("names", A + "\n" + B + "\n"), C});
  EXPECT_EQ(O.Status, 0) << O.Errors;
  EXPECT_THAT(O.Errors, IsEmpty());
  EXPECT_THAT(O.Output, HasSubstr("3 regions with loops in 3 files"));
  EXPECT_THAT(O.Output, ContainsRegex("as the code is: +1\n"));
  EXPECT_THAT(O.Output, ContainsRegex("with speculation: +2 \\(\\+100 %\\)\n"));
  EXPECT_THAT(O.Output, ContainsRegex("alias +1 +1 +1 +yes"));
  EXPECT_THAT(O.Output, ContainsRegex("call +1 +1 +2 +no"));
}

TEST_F(ScopsTest, BadFilesAreNamedAndCostNoOther) {
  const std::string Good = compile("good", OneCauseEach[1].Source);
  const std::string Text = Box.write("text.bc", "not bitcode"), Empty = Box.write("empty.bc", "");
  std::ifstream Whole(Good, std::ios::binary);
  std::string Half(600, '\0');
  Whole.read(Half.data(), 600);
  const Outcome O = scops({Text, Good, Box.write("half.bc", Half), Empty,
                           Box.path("absent.bc").string(), Box.path().string()});
  EXPECT_EQ(O.Status, 2);
  EXPECT_THAT(O.Output, HasSubstr("1 region with loops in 1 file\n"));
  EXPECT_THAT(O.Errors, ContainsRegex("text.bc: it holds no bitcode"));
  EXPECT_THAT(O.Errors, ContainsRegex("half.bc: "));
  EXPECT_THAT(O.Errors, ContainsRegex("empty.bc: it holds no bitcode"));
  EXPECT_THAT(O.Errors, ContainsRegex("absent.bc: No such file"));
  EXPECT_THAT(O.Errors, HasSubstr("it is a directory"));
}

TEST_F(ScopsTest, NothingToCount) {
  EXPECT_EQ(scops({compile("none", "int f(int x) { return x + 1; }")}).Status, 1);
  const Outcome O = scops({});
  EXPECT_EQ(O.Status, 2);
  EXPECT_THAT(O.Errors, HasSubstr("no files are named"));
  EXPECT_EQ(scops({"--from", Box.path("absent").string()}).Status, 2);
}

} // namespace
