//===- tests/soundness/limits_test.cpp - programs under resource limits ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that gets by with what it is allowed gets by with libspecrt, too: what we cannot write,
// start or map is left out.
//
//===----------------------------------------------------------------------===//
#include "tests/soundness/program_pair.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace specrt::soundness;
using testing::HasSubstr;
using testing::Not;

namespace {

/// Contractions, tiles in time and parallel loops are worth trying, and one nest is handed over.
constexpr const char *Kernels = R"(
#include <stdio.h>
enum { N = 160, Cells = 60000 };
static double A[N][N], B[N][N], C[N][N], X[Cells], Y[Cells];
__attribute__((noinline)) static void product(int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        C[i][j] += A[i][k] * B[k][j];
}
__attribute__((noinline)) static void smooth(int steps, int n) {
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i)
      Y[i] = 0.25 * (X[i - 1] + 2 * X[i] + X[i + 1]);
    for (int i = 1; i < n - 1; ++i)
      X[i] = Y[i];
  }
}
int main(void) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      A[i][j] = (i * j) % 7 * 0.3, B[i][j] = (i + 2 * j) % 5 - 1.5;
  for (int i = 0; i < Cells; ++i)
    X[i] = i % 23;
  for (int call = 0; call < 12; ++call) {
    product(N);
    smooth(40, Cells);
  }
  for (int i = 0; i < N; i += 3)
    printf("%a %a\n", C[i][N - 1 - i], X[17 * i]);
}
)";

class Limits : public testing::Test {
protected:
  /// Runs one half under \p Limit (of the shell's ulimit). Both streams go through a pipe: a limit
  /// on files is none on the program's own output.
  Outcome run(const char *Half, const std::string &Limit,
              const specrt::soundness::Environment &Extra = {}) const {
    specrt::soundness::Environment All = AtOnce;
    All["SPECRT_THREADS"] = "2";
    for (const auto &[Name, Value] : Extra)
      All[Name] = Value;
    const std::string Command = "set -o pipefail; { ( exec 3>&-; ulimit " + Limit +
                                " && exec \"$0\" ) 2>&1 1>&3 | cat >&2; } 3>&1 | cat";
    return Program.box().run("/bin/bash", {"-c", Command, Program.box().path(Half).string()}, All);
  }

  void expectSame(const std::string &Limit,
                  const specrt::soundness::Environment &Extra = {}) const {
    SCOPED_TRACE("ulimit " + Limit);
    const Outcome Plain = run("plain", Limit);
    ASSERT_EQ(Plain.Status, 0) << Plain.Errors;
    ASSERT_FALSE(Plain.Output.empty());
    for (int Run = 1; Run <= 3; ++Run) {
      SCOPED_TRACE("run " + std::to_string(Run));
      Outcome With = run("with", Limit, Extra);
      specrt::e2e::expectSame(With, Plain);
    }
  }

  const ProgramPair Program{Kernels, "-O2"};
};

TEST_F(Limits, NoFileMayBeWritten) {
  expectSame("-f 0",
             {{"SPECRT_LOG", "debug"}, {"SPECRT_DUMP", Program.box().path("dump").string()}});
}

TEST_F(Limits, SmallFiles) {
  expectSame("-f 4", {{"SPECRT_REPORT", Program.box().path("r.html").string()}});
}

TEST_F(Limits, SmallStacks) {
  for (const char *Limit : {"-s 64", "-s 128", "-s 256"})
    expectSame(Limit);
}

TEST_F(Limits, LittleMemory) {
  for (int Megabytes : {40, 120, 200, 300, 600})
    expectSame("-v " + std::to_string(Megabytes << 10));
}

TEST_F(Limits, FewFiles) {
  for (int Files : {6, 7, 8, 12})
    expectSame("-n " + std::to_string(Files));
}

} // namespace
