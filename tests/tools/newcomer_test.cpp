//===- tests/tools/newcomer_test.cpp - what tools say about usual programs ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs as people write them: a solver class that is inlined, an OpenMP loop, templates. What
// the driver, the report, explain and the list of the cache say must be what a person would say.
//
//===----------------------------------------------------------------------===//
#include "tests/e2e/harness.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace specrt::e2e;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace {

const char *const Solver = R"(#include <cstdio>
#include <utility>
#include <vector>
class Heat {
  int nx, ny;
  std::vector<double> now, then;
public:
  Heat(int x, int y) : nx(x), ny(y), now(x * y), then(x * y) {}
  double &at(int j, int i) { return now[j * nx + i]; }
  void step(double k) {
    for (int j = 1; j < ny - 1; j++)
      for (int i = 1; i < nx - 1; i++)
        then[j * nx + i] = at(j, i) + k * (at(j, i - 1) + at(j, i + 1) - 2 * at(j, i));
    std::swap(now, then);
  }
};
template <class T> struct Grid {
  int n;
  T *a, *b;
  void relax();
};
template <class T> __attribute__((noinline)) void Grid<T>::relax() {
  for (int i = 1; i < n - 1; i++)
    b[i] = T(0.5) * (a[i - 1] + a[i + 1]);
}
void jacobi(int n, const double *a, double *b) {
#pragma omp parallel for
  for (int i = 1; i < n - 1; i++)
    for (int k = 0; k < n; k++)
      b[i * n + k] += 0.25 * a[k];
}
int main() {
  volatile int size = 100;
  int n = size;
  Heat heat(n, n);
  heat.at(3, 4) = 1;
  for (int t = 0; t < 2000; t++)
    heat.step(0.1);
  std::vector<double> a(40000, 1), b(40000);
  Grid<double> grid{20000, a.data(), b.data()};
  for (int t = 0; t < 2000; t++)
    grid.relax();
  for (int t = 0; t < 2000; t++)
    jacobi(100, a.data(), b.data());
  std::printf("%a %a\n", heat.at(3, 4), b[7]);
}
)";

class Newcomer : public testing::Test {
protected:
  /// Compiles the program; returns what the driver said.
  std::string compile(const std::string &Flags) const {
    std::ofstream(Box.path("solver.cpp")) << Solver;
    Outcome O = Box.run("/bin/sh", {"-c", "cd " + Box.path().string() +
                                              " && " SPECRT_TEST_CXX " -O3 -fopenmp " + Flags +
                                              " solver.cpp -o solver"});
    EXPECT_EQ(O.Status, 0) << O.Errors;
    return O.Errors;
  }
  Outcome runProgram(const Environment &More = {}) const {
    Environment Settings = {
        {"SPECRT_COMPILE", "sync"}, {"SPECRT_HOT", "0.2"}, {"OMP_NUM_THREADS", "1"}};
    Settings.insert(More.begin(), More.end());
    Outcome O = Box.run(Box.path("solver"), {}, Settings);
    EXPECT_EQ(O.Status, 0) << O.Errors;
    return O;
  }
  Outcome specrt(const std::vector<std::string> &Arguments) const {
    return Box.run(SPECRT_TOOL, Arguments);
  }
  /// All of explain on one line.
  std::string explained(const std::string &Name) const {
    Outcome O = specrt({"explain", Name});
    EXPECT_EQ(O.Status, 0) << Name << ": " << O.Errors;
    return O.Output;
  }

  Sandbox Box;
};

TEST_F(Newcomer, RemarksNameRegionsAsReportsDo) {
  EXPECT_THAT(compile("-Rpass=specrt"),
              AllOf(HasSubstr("loop is a region: Heat::step:11, inlined into main:38 ("),
                    HasSubstr("loop is a region: Grid<double>::relax:23 ("),
                    HasSubstr("loop is a region: jacobi (OpenMP loop, solver.cpp:29) (")));
}

TEST_F(Newcomer, NamesAreThoseOfTheSource) {
  compile("-g");
  Outcome Run = runProgram({{"SPECRT_LOG", "info"}});
  ASSERT_GT(versionsRan(Run), 0u) << Run.Report.dump(1);
  EXPECT_THAT(Run.Errors, HasSubstr("Heat::step:11 "));
  for (const std::string &Text : {specrt({"report"}).Output, specrt({"explain", "--list"}).Output,
                                  specrt({"cache", "list"}).Output})
    EXPECT_THAT(Text, AllOf(HasSubstr("Heat::step:11"), HasSubstr("Grid<double>::relax:23"),
                            HasSubstr("jacobi ("), Not(HasSubstr("arg0")), Not(HasSubstr("_Z"))));
  EXPECT_THAT(specrt({"report", "--html", "-"}).Output,
              AllOf(HasSubstr("Heat::step:11"), HasSubstr("Grid\\u003cdouble\\u003e::relax:23"),
                    HasSubstr("jacobi ("), Not(HasSubstr("arg0"))));
  EXPECT_THAT(explained("Grid<double>::relax"),
              AllOf(HasSubstr("this->n: 20000"), HasSubstr("this->a: addresses are multiples")));
  EXPECT_THAT(explained("Heat::step"),
              AllOf(ContainsRegex("heat.n[xy]: 100"), HasSubstr("heat.now["),
                    HasSubstr("an index of heat.now is not a linear function"),
                    HasSubstr("; loop of line 11: no contraction"), Not(ContainsRegex("__[^r]"))))
      << "but for __restrict, names of the library's own";
}

TEST_F(Newcomer, WithoutDebugInfoArgumentsAreCalledWhatTheyAre) {
  compile("");
  runProgram();
  EXPECT_THAT(explained("Heat::step"),
              AllOf(HasSubstr("size 1: "), HasSubstr("1st array[8*size1, "), HasSubstr("2nd array"),
                    Not(ContainsRegex("arg[0-9]"))));
}

TEST_F(Newcomer, SettingsTakeTheNamesOfReports) {
  compile("-g");
  for (const char *Wanted : {"Heat::step:11, inlined into main:38", "Heat::step", "main:11"}) {
    Outcome Run = runProgram({{"SPECRT_REGIONS", Wanted}, {"SPECRT_PROFILE", "off"}});
    for (const auto &Region : Run.Report["regions"])
      EXPECT_EQ(Region["state"] == "blocked", Region["name"] != "main:11")
          << Wanted << Region["title"] << Region["reason"];
    EXPECT_GT(versionsRan(Run), 0u) << Wanted;
  }
}

TEST_F(Newcomer, ExplainTakesEveryLineAndEveryFunctionOfARegion) {
  compile("");
  runProgram();
  for (const char *Wanted :
       {"solver.cpp:11", "solver.cpp:12", "solver.cpp:13", "Heat::step", "step", "step:12",
        "Heat::at", "at", "main:11", "Heat::step:11", "Heat::step:11, inlined into main:38"})
    EXPECT_THAT(explained(Wanted), HasSubstr("Heat::step:11, inlined into main:38  ")) << Wanted;
  for (const char *Wanted : {"jacobi", "solver.cpp:30", "jacobi (OpenMP loop, solver.cpp:29)"})
    EXPECT_THAT(explained(Wanted), HasSubstr("jacobi (OpenMP loop, solver.cpp:29)  ")) << Wanted;
  EXPECT_THAT(explained("relax"), HasSubstr("in the function Grid<double>::relax()"));
}

TEST_F(Newcomer, ExplainSuggestsWhatIsNearInTheSource) {
  compile("");
  runProgram();
  Outcome O = specrt({"explain", "solver.cpp:20"});
  EXPECT_EQ(O.Status, 1);
  EXPECT_THAT(O.Errors, AllOf(HasSubstr("contains 'solver.cpp:20'"),
                              HasSubstr("'Grid<double>::relax:23', solver.cpp:23 to 24"),
                              HasSubstr("-Rpass-missed=specrt")));
  EXPECT_THAT(specrt({"explain", "Heat::step:16"}).Errors,
              HasSubstr("'Heat::step:11', solver.cpp:11 to 1"));
  EXPECT_THAT(specrt({"explain", "Heat::stp"}).Errors, HasSubstr("did you mean 'Heat::step:11'?"));
}

TEST_F(Newcomer, ACacheThatOthersMayReadIsUsed) {
  compile("");
  std::filesystem::create_directory(Box.path("cache"));
  std::filesystem::permissions(Box.path("cache"), std::filesystem::perms(0755));
  EXPECT_EQ(runProgram().Errors, "");
  EXPECT_THAT(specrt({"cache", "list"}).Output, HasSubstr("profiles"));
  std::filesystem::permissions(Box.path("cache"), std::filesystem::perms(0775));
  EXPECT_THAT(runProgram().Errors,
              HasSubstr("must belong to the user and be writable by nobody else"));
}

TEST_F(Newcomer, WithoutAHomeOneLineSaysThatNothingIsKept) {
  compile("");
  const Environment Nowhere = {{"SPECRT_CACHE_DIR", ""}, {"XDG_CACHE_HOME", ""}, {"HOME", ""}};
  EXPECT_EQ(
      runProgram(Nowhere).Errors,
      "specrt: warning: nothing is kept between runs: neither SPECRT_CACHE_DIR, XDG_CACHE_HOME "
      "nor HOME is set (SPECRT_PROFILE=off means that)\n");
  Environment Meant = Nowhere;
  Meant["SPECRT_PROFILE"] = "off";
  EXPECT_EQ(runProgram(Meant).Errors, "");
}

TEST_F(Newcomer, ListingAProgramThatLeftNothingIsNoSuccess) {
  compile("");
  runProgram();
  EXPECT_EQ(specrt({"cache", "list", "--program", "solver"}).Status, 0);
  Outcome O = specrt({"cache", "list", "--program", "nosuch"});
  EXPECT_EQ(O.Status, 1);
  EXPECT_THAT(O.Errors, HasSubstr("nothing is kept of a program 'nosuch'"));
}

/// Without OpenMP, whose runtime loses blocks of its own.
TEST_F(Newcomer, ValgrindHasNothingToSayWithTheSuppressions) {
  if (Box.run("/bin/sh", {"-c", "command -v valgrind"}).Status != 0)
    GTEST_SKIP() << "valgrind is not installed";
  compile("-fno-openmp");
  Outcome O = Box.run("/bin/sh",
                      {"-c", "exec valgrind -q --leak-check=full "
                             "--error-exitcode=7 --suppressions=" SPECRT_SUPPRESSIONS " " +
                                 Box.path("solver").string()},
                      {{"SPECRT_COMPILE", "sync"}, {"SPECRT_HOT", "1"}});
  EXPECT_EQ(O.Status, 0) << O.Errors;
}

} // namespace
