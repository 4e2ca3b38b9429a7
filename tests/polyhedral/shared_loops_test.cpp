//===- tests/polyhedral/shared_loops_test.cpp - loops that threads share --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tests run the iterations of parallel loops one by one in reversed order. With one thread
// loops run in the order of the source.
//
//===----------------------------------------------------------------------===//
#include "specializer/loops/loop_shape.h"
#include "specializer/loops/shareable_loops.h"
#include "tests/polyhedral/nest_compiler.h"
#include "tests/polyhedral/nest_operands.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "gtest/gtest.h"

using namespace specrt;

namespace {

/// The result of sharing the loops of a nest, and of one run of its code.
struct Made : ComparedRun {
  SharingOutcome Outcome;
};

Made make(const char *Name, const Sizes &S, unsigned NumKnown = 3,
          const char *File = SPECRT_SHARED_NESTS_IR) {
  NestCompiler Compiler(File, Name);
  Made All;
  All.Outcome = Compiler.share(S, NumKnown);
  static_cast<ComparedRun &>(All) = compareRun(originalNest(File, Name), Compiler.compile(), S);
  return All;
}

struct Case {
  const char *Name;
  const char *File = SPECRT_SHARED_NESTS_IR;
};
void PrintTo(const Case &Of, std::ostream *To) { *To << Of.Name; }

class SharedNests : public testing::TestWithParam<Case> {};

TEST_P(SharedNests, RunInAnyOrder) {
  const Made All = make(GetParam().Name, {24, 20, 16}, 3, GetParam().File);
  EXPECT_GE(All.Outcome.Shared.Outermost, 1u) << All.Outcome.Note;
  EXPECT_GE(All.NumReversed, 1);
  EXPECT_TRUE(All.IsRight);
}

INSTANTIATE_TEST_SUITE_P(, SharedNests,
                         testing::Values(Case{"data_bound_rows"}, Case{"sum_of_rows"},
                                         Case{"counted_rows"}, Case{"strided_lines"},
                                         Case{"local_array"}, Case{"eliminated_lines"},
                                         Case{"descending_line"}, Case{"first_and_last_plane"},
                                         Case{"row_buffer", SPECRT_NESTS_IR},
                                         Case{"two_row_buffers", SPECRT_NESTS_IR},
                                         Case{"buffer_recurrence", SPECRT_NESTS_IR}),
                         [](const auto &Info) { return std::string(Info.param.Name); });

TEST(SharedLoops, ValuesThatWereReadAheadAreReadAgain) {
  for (const unsigned NumKnown : {3U, 0U}) {
    const Made All = make("compressed_rows", {24, 20, 16}, NumKnown);
    EXPECT_EQ(All.Outcome.Shared.Outermost, 1u) << All.Outcome.Note;
    EXPECT_EQ(All.NumReversed, 1);
    EXPECT_TRUE(All.IsRight);
  }
  for (const char *Name : {"overwritten_ends", "widened_ends"}) {
    SCOPED_TRACE(Name);
    const Made Overwritten = make(Name, {24, 20, 16});
    EXPECT_EQ(Overwritten.Outcome.Shared.Outermost, 0u);
    EXPECT_TRUE(Overwritten.IsRight);
  }
}

/// The inspector compares the addresses behind the pointers.
TEST(SharedLoops, RowsBehindPointersAreWrittenInAnyOrderIfTheyAscend) {
  for (const auto &[Name, NumReversed] :
       {std::pair("stencil_of_rows", 1), std::pair("descending_rows", 0)}) {
    SCOPED_TRACE(Name);
    const Made All = make(Name, {24, 20, 16});
    EXPECT_GE(All.Outcome.Shared.Outermost, 1u) << All.Outcome.Note;
    EXPECT_GE(All.NumReversed, NumReversed);
    EXPECT_TRUE(All.IsRight);
  }
}

/// The inspector finds at run time that rows overlap.
TEST(SharedLoops, RowsThatMeetKeepTheirOrder) {
  const Made All = make("overlong_rows", {24, 20, 16});
  EXPECT_EQ(All.Outcome.Shared.Outermost, 1u);
  EXPECT_EQ(All.NumReversed, 0);
  EXPECT_TRUE(All.IsRight);
}

/// The first loop fills the list of the cells.
TEST(SharedLoops, CellsThatAscendAreWrittenInAnyOrder) {
  for (const char *Name : {"ascending_cells", "some_parts_of_cells"}) {
    SCOPED_TRACE(Name);
    const Made All = make(Name, {24, 20, 16});
    EXPECT_EQ(All.Outcome.Shared.Outermost, 2u) << All.Outcome.Note;
    EXPECT_EQ(All.NumReversed, 2);
    EXPECT_TRUE(All.IsRight);
  }
}

/// The inspector finds at run time that iterations meet.
TEST(SharedLoops, CellsThatComeTwiceKeepTheirOrder) {
  const Made All = make("repeated_cell", {24, 20, 16});
  EXPECT_EQ(All.Outcome.Shared.Outermost, 2u) << All.Outcome.Note;
  EXPECT_EQ(All.NumReversed, 1); // the loop that fills the list
  EXPECT_TRUE(All.IsRight);
}

TEST(SharedLoops, CellsThatReadOtherCellsKeepTheirOrder) {
  const Made All = make("neighbours_of_cells", {24, 20, 16});
  EXPECT_EQ(All.Outcome.Shared.Outermost, 1u);
  EXPECT_TRUE(All.IsRight);
}

TEST(SharedLoops, GathersFromWrittenMemoryKeepTheOrder) {
  EXPECT_TRUE(make("gathers_from_written", {24, 20, 16}).IsRight);
}

/// An inspector needs to know the distance of the rows.
TEST(SharedLoops, RowsOfUnknownLengthKeepTheirOrder) {
  const Made All = make("data_bound_rows", {24, 20, 16}, /*NumKnown=*/0);
  EXPECT_EQ(All.Outcome.Shared.Outermost, 0u);
  EXPECT_TRUE(All.IsRight);
}

TEST(SharedLoops, TermsThatChangeLaterAreSummedAtOnce) {
  const Made All = make("sum_of_old_rows", {24, 20, 16});
  EXPECT_EQ(All.Outcome.Shared.Outermost, 0u);
  EXPECT_TRUE(All.IsRight);
}

TEST(SharedLoops, CountersOfLoopsThatAreOverAreNotKnown) {
  EXPECT_TRUE(make("searched_rows", {100, 4, 1}).IsRight);
}

TEST(SharedLoops, WhatDependsOnTheThreadStaysWhereItIs) {
  EXPECT_EQ(make("errors_of_rows", {24, 20, 16}).Outcome.Shared.Outermost, 0u);
}

TEST(SharedLoops, TypesDoNotKeepIterationsApart) {
  EXPECT_TRUE(make("narrowed_in_place", {400, 1, 1}).IsRight);
}

TEST(SharedLoops, PointersThatAreExchangedMayBeTheSameInOtherIterations) {
  EXPECT_TRUE(make("exchanged_rows", {200, 1, 1}).IsRight);
}

TEST(SharedLoops, AddressesBasedOnArgumentsAreNotTakenForOtherArrays) {
  const Made All = make("shifted_rows", {24, 20, 16});
  EXPECT_EQ(All.Outcome.Shared.Outermost, 1u) << All.Outcome.Note;
  EXPECT_TRUE(All.IsRight);
}

TEST(SharedLoops, TwoLoopsAreInspected) {
  const Made All = make("two_inspected_loops", {24, 20, 16});
  EXPECT_EQ(All.Outcome.Shared.Outermost, 2u) << All.Outcome.Note;
  EXPECT_EQ(All.NumReversed, 2);
  EXPECT_TRUE(All.IsRight);
}

TEST(SharedLoops, SwitchesAreExecutedAsWritten) {
  EXPECT_TRUE(make("switched_rows", {24, 20, 16}).IsRight);
}

TEST(SharedLoops, DataThatAnotherIterationUsesKeepLoopsSerial) {
  for (const char *Name : {"late_first_element", "published_line"}) {
    SCOPED_TRACE(Name);
    const Made All = make(Name, {24, 20, 16});
    EXPECT_EQ(All.Outcome.Shared.Outermost, 0u);
    EXPECT_TRUE(All.IsRight);
  }
}

/// The condition that adds elements does not hold in the last iteration.
TEST(SharedLoops, ElementsThatTheLastIterationDoesNotWriteKeepTheOrder) {
  const Made All = make("sometimes_longer", {24, 20, 16});
  EXPECT_EQ(All.Outcome.Shared.Outermost, 1u);
  EXPECT_EQ(All.NumReversed, 0);
  EXPECT_TRUE(All.IsRight);
}

/// With more loops the ends of a row might overflow.
TEST(SharedLoops, RowsOfAtMostSevenLoops) {
  const Made Seven = make("seven_loops_inside", {6, 20, 2}, /*NumKnown=*/0);
  EXPECT_EQ(Seven.Outcome.Shared.Outermost, 1u) << Seven.Outcome.Note;
  EXPECT_EQ(Seven.NumReversed, 1);
  EXPECT_TRUE(Seven.IsRight);
  EXPECT_EQ(make("eight_loops_inside", {6, 20, 2}, /*NumKnown=*/0).Outcome.Shared.Outermost, 0u);
}

/// An inspected loop that is changed before threads can share it is not counted.
TEST(SharedLoops, LoopsThatCannotBeInspectedAnyMoreAreNotShared) {
  for (const bool IsChanged : {false, true}) {
    NestCompiler Compiler(SPECRT_SHARED_NESTS_IR, "data_bound_rows");
    llvm::Function &F = Compiler.withSizes({24, 20, 16});
    hoistInvariants(F, Compiler.functions());
    ShareableLoops Loops(F, Compiler.functions(), /*MayTransform=*/true, nullptr);
    if (IsChanged)
      for (llvm::Instruction &I : instructions(F))
        if (auto *Load = llvm::dyn_cast<llvm::LoadInst>(&I))
          Load->setVolatile(true);
    const SharedLoops Shared = Loops.share([](const auto &...) { return true; });
    EXPECT_EQ(Shared.Outermost, IsChanged ? 0u : 1u);
    EXPECT_EQ(Shared.All, IsChanged ? 0u : 1u);
  }
}

/// Returns how many minima of offsets the inspector of the nest \p Name computes.
long numMinima(const char *Name) {
  NestCompiler Compiler(SPECRT_SHARED_NESTS_IR, Name);
  llvm::Function &F = Compiler.withSizes({24, 20, 16});
  hoistInvariants(F, Compiler.functions());
  ShareableLoops Loops(F, Compiler.functions(), /*MayTransform=*/true, nullptr);
  EXPECT_GE(Loops.share([](const auto &...) { return true; }).Outermost, 1u);
  return llvm::count_if(instructions(F), [](const llvm::Instruction &I) {
    const auto *Call = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&I);
    return Call && Call->getIntrinsicID() == llvm::Intrinsic::smin;
  });
}

TEST(SharedLoops, ArraysThatAreReadAtTheSamePlacesAreInspectedOnce) {
  const long Once = numMinima("corners_in_a_line");
  EXPECT_GT(Once, 0);
  EXPECT_EQ(numMinima("corners_in_space"), Once);
  const Made All = make("corners_in_space", {24, 20, 16});
  EXPECT_EQ(All.NumReversed, 2);
  EXPECT_TRUE(All.IsRight);
}

class PipelinedNests : public testing::TestWithParam<const char *> {};

/// Each column executes all steps before the next one begins.
TEST_P(PipelinedNests, RunColumnByColumn) {
  const Made All = make(GetParam(), {24, 20, 16});
  EXPECT_EQ(All.Outcome.Shared.Outermost, 1u) << All.Outcome.Note;
  EXPECT_EQ(All.NumReversed, 1);
  EXPECT_TRUE(All.IsRight);
}

INSTANTIATE_TEST_SUITE_P(, PipelinedNests,
                         testing::Values("lower_sweep", "upper_sweep", "edit_distances",
                                         "accumulated_row", "sweep_with_line", "relaxed_in_place",
                                         "rarely_written", "meeting_planes"),
                         [](const auto &Info) { return std::string(Info.param); });

/// Steps of 30 ns are shorter than a hand-over.
TEST(SharedLoops, PipelinesOfShortStepsDoNotPay) {
  for (const auto &[Ns, NumShared] : {std::pair(30e3, 0U), std::pair(3e6, 1U)}) {
    NestCompiler Compiler(SPECRT_SHARED_NESTS_IR, "accumulated_row");
    EXPECT_EQ(Compiler.share({1000, 20, 1}, 3, Ns).Shared.Outermost, NumShared) << Ns;
  }
}

TEST(SharedLoops, WhatComesFromColumnsBehindKeepsTheOrder) {
  for (const char *Name :
       {"read_to_the_right", "second_loop_looks_ahead", "rows_reach_over", "pivot_of_row"}) {
    SCOPED_TRACE(Name);
    const Made All = make(Name, {24, 20, 16});
    EXPECT_EQ(All.Outcome.Shared.Outermost, 0u);
    EXPECT_TRUE(All.IsRight);
  }
}

TEST(SharedLoops, LinesThatTouchKeepTheirOrder) {
  const Made All = make("touching_lines", {12, 10, 8});
  EXPECT_EQ(All.Outcome.Shared.Outermost, 0u);
  EXPECT_TRUE(All.IsRight);
}

} // namespace
