//===- tests/polyhedral/storage/transient_arrays_test.cpp - arrays for a short time ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each nest leaves in all arrays is compared with the original, byte by byte, beyond the
// arrays as well. Parallel loops run in reversed order.
//
//===----------------------------------------------------------------------===//
#include "specializer/polyhedral/storage/transient_arrays.h"
#include "tests/polyhedral/nest_compiler.h"
#include "tests/polyhedral/nest_operands.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <gmock/gmock.h>
#include <vector>

using namespace llvm;
using namespace specrt;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

namespace {

struct Made : ComparedRun {
  PolyhedralResult Result;
};

/// The same on every machine: vectors of eight doubles decide how many lines live at a time.
TilingTarget processor(unsigned Threads) {
  return {.VectorBytes = 64,
          .NumVectorRegisters = 32,
          .L1Bytes = 48 << 10,
          .L2Bytes = 1 << 20,
          .L3Bytes = 32 << 20,
          .Threads = Threads};
}

Made make(const char *Name, const Sizes &S, unsigned Threads,
          StrategyId Policy = StrategyId::OuterVectors) {
  NestCompiler Compiler(SPECRT_TRANSIENT_NESTS_IR, Name);
  PolyhedralOptions Options;
  Options.Schedule = findStrategy(Policy);
  Options.Parallel = Threads > 1;
  Options.Target = processor(Threads);
  Made All;
  All.Result = Compiler.specialize(S, Options);
  static_cast<ComparedRun &>(All) =
      compareRun(originalNest(SPECRT_TRANSIENT_NESTS_IR, Name), Compiler.compile(), S);
  return All;
}

constexpr Sizes Grid = {100, 100, 9};

class TransientArray : public testing::TestWithParam<const char *> {};

TEST_P(TransientArray, GetsAsMuchMemoryAsItHoldsAtATime) {
  const Made All = make(GetParam(), Grid, 1);
  // Eight lines of 100 doubles at most, in place of 100 lines.
  EXPECT_THAT(All.Result.Notes, ContainsRegex("MemRef[0-9]: [78][0-9].[0-9] KB -> [2-7].[0-9] KB"));
  EXPECT_TRUE(All.IsRight) << All.Result.Notes;
}

TEST_P(TransientArray, ThreadsHaveSuchMemoryOfTheirOwn) {
  const Made All = make(GetParam(), Grid, 2);
  EXPECT_THAT(All.Result.Notes, ContainsRegex("[0-9] private arrays.* -> [2-7].[0-9] KB"));
  EXPECT_GE(All.NumReversed, int(Grid[2])) << "a loop per step";
  EXPECT_TRUE(All.IsRight) << All.Result.Notes;
}

INSTANTIATE_TEST_SUITE_P(, TransientArray,
                         testing::Values("line_solver", "two_directions", "shorter_second_sweep",
                                         "shrinking_lines"));

/// Rows of a table are used until the next row is complete.
TEST(TransientArrays, TablesKeepTheRowsInUse) {
  for (const unsigned Threads : {1, 2}) {
    const Made All = make("tables", {120, 100, 37}, Threads);
    EXPECT_THAT(All.Result.Notes, ContainsRegex("MemRef[0-9]: 96.0 KB -> 8.2 KB"));
    EXPECT_TRUE(All.IsRight) << All.Result.Notes;
  }
}

/// Arrays whose values are needed later, and small ones.
TEST(TransientArrays, OthersStayAsTheyAre) {
  for (const unsigned Threads : {1, 2}) {
    const Made All = make("lines_in_order", Grid, Threads);
    EXPECT_THAT(All.Result.Notes, Not(HasSubstr(" -> ")));
    EXPECT_TRUE(All.IsRight) << All.Result.Notes;
  }
  EXPECT_THAT(make("line_solver", {20, 100, 9}, 1).Result.Notes, Not(HasSubstr(" -> ")));
  // One step: everything is copied.
  EXPECT_THAT(make("line_solver", {100, 100, 1}, 1).Result.Notes, Not(HasSubstr(" -> ")));
}

/// A copy of a final value would be stored as if it were aligned.
TEST(TransientArrays, UnalignedOnesStayAsTheyAre) {
  const Made Aligned = make("line_solver", Grid, 1), All = make("unaligned_line_solver", Grid, 1);
  EXPECT_THAT(Aligned.Result.Notes, HasSubstr(" -> "));
  EXPECT_EQ(All.Result.NumGenerated, Aligned.Result.NumGenerated);
  EXPECT_THAT(All.Result.Notes, Not(HasSubstr(" -> ")));
  EXPECT_TRUE(All.IsRight) << All.Result.Notes;
}

/// Lanes of a vector are all that is left of a place per point.
TEST(ExpandedScalars, ShareMemory) {
  for (const unsigned Threads : {1, 2}) {
    const Made All = make("filtered_recurrence", {120, 200, 5}, Threads);
    EXPECT_THAT(All.Result.Notes, ContainsRegex("MemRef.*: 18[0-9].[0-9] KB -> 64 bytes"));
    EXPECT_TRUE(All.IsRight) << All.Result.Notes;
  }
}

/// With a place per point they take more than MaxExpandedBytes. Where isl gives up, they have the
/// places that fit.
TEST(ExpandedScalars, MayBeLargeUntilTheyShareMemory) {
  constexpr Sizes S = {4200, 2100, 3};
  // Enough to expand a scalar, and not to compute which places can share memory.
  constexpr unsigned long FewOperations = 12'000;
  std::vector<double> A(size_t(S[0] * S[1])), B(size_t(S[2]), 0.25), Expected(A.size());
  for (size_t I = 0; I < A.size(); ++I)
    A[I] = double(I % 1009) / 1009;
  originalNest(SPECRT_TRANSIENT_NESTS_IR, "filtered_recurrence")(S[0], S[1], S[2], A.data(),
                                                                 B.data(), Expected.data());
  for (const bool AreMany : {true, false}) {
    NestCompiler Compiler(SPECRT_TRANSIENT_NESTS_IR, "filtered_recurrence");
    PolyhedralOptions Options;
    Options.Schedule = findStrategy(StrategyId::OuterVectors);
    Options.Target = processor(1);
    Options.MaxTilingOperations = AreMany ? 3'000'000 : FewOperations;
    std::string Trace;
    raw_string_ostream Stream(Trace);
    Options.Dump = &Stream;
    const PolyhedralResult Result = Compiler.specialize(S, Options);
    EXPECT_GT(Result.NumGenerated, 0u) << Result.Notes;
    if (AreMany)
      EXPECT_THAT(Result.Notes, ContainsRegex("MemRef.*: 70.[0-9] MB -> 64 bytes"));
    else
      EXPECT_THAT(Trace, HasSubstr("Not compact"));
    std::vector<double> Actual(A.size());
    Compiler.compile()(S[0], S[1], S[2], A.data(), B.data(), Actual.data());
    EXPECT_EQ(std::memcmp(Actual.data(), Expected.data(), Actual.size() * sizeof(double)), 0)
        << Result.Notes;
  }
}

/// Without memory for it, the original runs.
TEST(TransientArrays, NoMemory) {
  const NoScratch None;
  EXPECT_TRUE(make("line_solver", Grid, 1).IsRight);
  EXPECT_TRUE(NoScratch::wasAsked());
}

} // namespace
