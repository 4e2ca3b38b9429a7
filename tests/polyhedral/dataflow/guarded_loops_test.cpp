//===- tests/polyhedral/dataflow/guarded_loops_test.cpp - arrays under conditions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops run with random flags, their iterations in reversed order, once with all flags set and once
// with some missing. The code before the loop must find the difference.
//
//===----------------------------------------------------------------------===//
#include "tests/polyhedral/nest_compiler.h"
#include "tests/polyhedral/nest_operands.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include <gmock/gmock.h>
#include <random>

using namespace llvm;
using namespace specrt;
using testing::HasSubstr;

namespace {

constexpr Sizes Rows = {24, 20, 16};

/// How many of the flags are set.
enum class Flags { All, Most, Last, None };

/// Sets or clears the elements of A at random. Last: those of the last iteration are set.
void setFlags(Operands &Of, Flags Which, const Sizes &S, std::mt19937 &Random) {
  auto *A = reinterpret_cast<double *>(Of.A.data());
  for (long E = 0; E < S[0] * S[1]; ++E) {
    bool IsSet = Which == Flags::All || (Which != Flags::None && Random() % 8 != 0);
    if (Which == Flags::Last && (E >= (S[0] - 1) * S[1] || E == S[0] - 1))
      IsSet = true;
    A[E] = IsSet ? 1 + double(Random() % 100) : -1 - double(Random() % 100);
  }
}

class GuardedNest {
public:
  explicit GuardedNest(const char *Name, unsigned NumKnown = 3)
      : Compiler(SPECRT_GUARDED_NESTS_IR, Name), Outcome(Compiler.share(Rows, NumKnown)),
        Code(Compiler.compile()), Original(originalNest(SPECRT_GUARDED_NESTS_IR, Name)) {}

  const SharingOutcome &outcome() const { return Outcome; }
  /// Returns whether threads shared a loop; a failure of the test if the results differ.
  bool runsInParallel(Flags Which, unsigned Seed = 1) {
    std::mt19937 Random(Seed);
    Operands First = Operands::filledFor(Rows), Second = Operands::filledFor(Rows);
    setFlags(First, Which, Rows, Random);
    Second.copyFrom(First);
    // Each call finds in the array what the one before has left there.
    First.run(Original, Rows);
    const int Before = LoopEntries::numReversed();
    Second.run(Code, Rows);
    EXPECT_TRUE(First.identical(Second)) << "seed " << Seed;
    return LoopEntries::numReversed() > Before;
  }
  void matchesForRandomFlags() {
    for (unsigned Seed = 1; Seed <= 40; ++Seed)
      for (const Flags Which : {Flags::Most, Flags::All, Flags::Last, Flags::None})
        runsInParallel(Which, Seed);
  }

private:
  NestCompiler Compiler;
  SharingOutcome Outcome;
  Nest *Code, *Original;
};

TEST(GuardedLoops, OneOfTwoWritesNeedsNoCheck) {
  GuardedNest Nest("either_side");
  ASSERT_EQ(Nest.outcome().Shared.Outermost, 1u) << Nest.outcome().Note;
  EXPECT_EQ(Nest.outcome().Shared.Guards, "");
  EXPECT_TRUE(Nest.runsInParallel(Flags::All));
  EXPECT_TRUE(Nest.runsInParallel(Flags::Most));
  EXPECT_TRUE(Nest.runsInParallel(Flags::None));
  Nest.matchesForRandomFlags();
}

TEST(GuardedLoops, AFlagThatAllRowsNeed) {
  GuardedNest Nest("flagged_rows");
  ASSERT_EQ(Nest.outcome().Shared.Outermost, 1u) << Nest.outcome().Note;
  EXPECT_THAT(Nest.outcome().Shared.Guards, HasSubstr("line is private if the condition"));
  EXPECT_TRUE(Nest.runsInParallel(Flags::All));
  EXPECT_FALSE(Nest.runsInParallel(Flags::Most));
  EXPECT_FALSE(Nest.runsInParallel(Flags::None));
  Nest.matchesForRandomFlags();
}

TEST(GuardedLoops, AFlagThatTheLastRowNeeds) {
  GuardedNest Nest("masked_twice");
  ASSERT_EQ(Nest.outcome().Shared.Outermost, 1u) << Nest.outcome().Note;
  EXPECT_THAT(Nest.outcome().Shared.Guards, HasSubstr("in the last iteration"));
  EXPECT_TRUE(Nest.runsInParallel(Flags::All));
  EXPECT_TRUE(Nest.runsInParallel(Flags::Last));
  EXPECT_FALSE(Nest.runsInParallel(Flags::None));
  Nest.matchesForRandomFlags();
}

TEST(GuardedLoops, TheLastRowThatWritesIsFound) {
  GuardedNest Nest("skipped_rows");
  ASSERT_EQ(Nest.outcome().Shared.Outermost, 1u) << Nest.outcome().Note;
  EXPECT_EQ(Nest.outcome().Shared.Guards, "");
  EXPECT_TRUE(Nest.runsInParallel(Flags::All));
  EXPECT_TRUE(Nest.runsInParallel(Flags::Most));
  EXPECT_TRUE(Nest.runsInParallel(Flags::None));
  Nest.matchesForRandomFlags();
}

TEST(GuardedLoops, WhatNothingReadsBehindTheLoop) {
  GuardedNest Nest("masked_stack");
  ASSERT_GE(Nest.outcome().Shared.Outermost, 1u) << Nest.outcome().Note;
  EXPECT_EQ(Nest.outcome().Shared.Guards, "");
  EXPECT_TRUE(Nest.runsInParallel(Flags::Most));
  Nest.matchesForRandomFlags();
}

TEST(GuardedLoops, TwoConditionsOneInTheOther) {
  GuardedNest Nest("two_conditions");
  ASSERT_EQ(Nest.outcome().Shared.Outermost, 1u) << Nest.outcome().Note;
  EXPECT_TRUE(Nest.runsInParallel(Flags::All));
  EXPECT_FALSE(Nest.runsInParallel(Flags::Most));
  Nest.matchesForRandomFlags();
}

TEST(GuardedLoops, TwoConditionsBesideEachOther) {
  GuardedNest Nest("two_halves");
  ASSERT_EQ(Nest.outcome().Shared.Outermost, 1u) << Nest.outcome().Note;
  EXPECT_TRUE(Nest.runsInParallel(Flags::All));
  EXPECT_FALSE(Nest.runsInParallel(Flags::Most));
  Nest.matchesForRandomFlags();
}

TEST(GuardedLoops, VariablesAreLikeArrays) {
  GuardedNest Nest("flagged_variable");
  ASSERT_EQ(Nest.outcome().Shared.Outermost, 1u) << Nest.outcome().Note;
  EXPECT_TRUE(Nest.runsInParallel(Flags::All));
  EXPECT_FALSE(Nest.runsInParallel(Flags::Most));
  Nest.matchesForRandomFlags();
}

TEST(GuardedLoops, VariablesThatSelectionsSet) {
  for (const char *Name : {"selected_variable", "twice_selected"}) {
    SCOPED_TRACE(Name);
    GuardedNest Nest(Name);
    ASSERT_EQ(Nest.outcome().Shared.Outermost, 1u) << Nest.outcome().Note;
    EXPECT_TRUE(Nest.runsInParallel(Flags::All));
    EXPECT_FALSE(Nest.runsInParallel(Flags::Most));
    Nest.matchesForRandomFlags();
  }
}

/// A check before the loop would read flags that the iterations have not computed yet.
TEST(GuardedLoops, FlagsThatTheLoopWritesKeepTheOrder) {
  GuardedNest Written("written_flags"), Read("read_flags");
  EXPECT_EQ(Written.outcome().Shared.Outermost, 0u);
  Written.matchesForRandomFlags();
  EXPECT_EQ(Read.outcome().Shared.Outermost, 1u) << Read.outcome().Note;
  Read.matchesForRandomFlags();
}

TEST(GuardedLoops, FlagsThatChangeWithinAnIterationKeepTheOrder) {
  GuardedNest Nest("changed_flags");
  EXPECT_EQ(Nest.outcome().Shared.Outermost, 0u);
  Nest.matchesForRandomFlags();
}

TEST(GuardedLoops, NarrowCountersHaveNoSign) {
  GuardedNest Nest("narrow_counter");
  ASSERT_EQ(Nest.outcome().Shared.Outermost, 1u) << Nest.outcome().Note;
  EXPECT_TRUE(Nest.runsInParallel(Flags::All));
  EXPECT_FALSE(Nest.runsInParallel(Flags::Most));
  Nest.matchesForRandomFlags();
}

/// Returns the number of loops that are shared in the nest of which all operations have the flag.
unsigned numSharedWith(const char *Name, void (Instruction::*Flag)(bool)) {
  NestCompiler Compiler(SPECRT_GUARDED_NESTS_IR, Name);
  Function &F = Compiler.withSizes(Rows);
  if (Flag)
    for (Instruction &I : instructions(F))
      if (isa<FPMathOperator>(I))
        (I.*Flag)(true);
  return shareLoops(F, Compiler.functions(), /*NsPerCall=*/1e9, 2, nullptr).Shared.Outermost;
}

/// The inspector and both loops compute the condition.
TEST(GuardedLoops, ConditionsThatMayRoundDifferentlyKeepTheOrder) {
  GuardedNest Nest("computed_masks");
  ASSERT_EQ(Nest.outcome().Shared.Outermost, 1u) << Nest.outcome().Note;
  Nest.matchesForRandomFlags();
  EXPECT_EQ(numSharedWith("computed_masks", nullptr), 1u);
  EXPECT_EQ(numSharedWith("computed_masks", &Instruction::setHasAllowReassoc), 0u);
  EXPECT_EQ(numSharedWith("computed_masks", &Instruction::setHasAllowContract), 0u);
}

TEST(GuardedLoops, ValuesOfEarlierRowsKeepTheOrder) {
  GuardedNest Nest("kept_rows");
  EXPECT_EQ(Nest.outcome().Shared.Outermost, 0u);
  EXPECT_THAT(Nest.outcome().Note, HasSubstr("iterations share line: reads before writes"));
  Nest.matchesForRandomFlags();
}

} // namespace
