//===- tests/polyhedral/private_arrays_test.cpp - work arrays of iterations ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parallel loops run in reversed order here, each iteration by itself: results are right only if
// iterations share nothing but what is private, and if the last one uses the program's array.
//
//===----------------------------------------------------------------------===//
#include "specializer/polyhedral/storage/private_arrays.h"
#include "tests/polyhedral/nest_compiler.h"
#include "tests/polyhedral/nest_operands.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include <gmock/gmock.h>

using namespace llvm;
using namespace specrt;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr Sizes Rows = {13, 97, 11};

/// The result of optimizing a nest with parallel loops, and of one run of its code.
struct Made : ComparedRun {
  PolyhedralResult Result;
};

Made make(const char *Name, StrategyId Policy, const Sizes &S = Rows, double WorkNs = 0) {
  NestCompiler Compiler(SPECRT_NESTS_IR, Name);
  PolyhedralOptions Options;
  Options.Schedule = findStrategy(Policy);
  Options.Parallel = true;
  Options.Target = describeHost(Compiler.costs(), 2);
  Options.Target.ParallelWorkNs = WorkNs;
  Made All;
  All.Result = Compiler.specialize(S, Options);
  static_cast<ComparedRun &>(All) =
      compareRun(originalNest(SPECRT_NESTS_IR, Name), Compiler.compile(), S);
  return All;
}

TEST(PrivateArrays, ThreadsHaveWorkArraysOfTheirOwn) {
  const Made All = make("row_buffer", StrategyId::SourceOrder);
  EXPECT_THAT(All.Result.Notes, HasSubstr("1 private arrays"));
  EXPECT_EQ(All.NumReversed, 1);
  EXPECT_TRUE(All.IsRight);
}

TEST(PrivateArrays, LoopsThatUseTheSameArrayOneAfterTheOther) {
  const Made All = make("two_row_buffers", StrategyId::SourceOrder);
  EXPECT_EQ(All.NumReversed, 2) << All.Result.Notes;
  EXPECT_TRUE(All.IsRight);
}

TEST(PrivateArrays, RecurrencesInsideOfAnIteration) {
  const Made All = make("buffer_recurrence", StrategyId::SourceOrder);
  EXPECT_THAT(All.Result.Notes, HasSubstr("1 private arrays"));
  EXPECT_EQ(All.NumReversed, 1);
  EXPECT_TRUE(All.IsRight);
}

/// The first loop of the nest is too short for threads, the second one is not.
TEST(PrivateArrays, LoopsTooShortForThreadsRunSerially) {
  const Made All = make("short_rows", StrategyId::SourceOrder, {200, 4, 300}, 10'000);
  EXPECT_EQ(All.NumReversed, 1) << All.Result.Notes;
  EXPECT_EQ(All.Result.NumTooShort, 1u);
  EXPECT_TRUE(All.IsRight) << All.Result.Notes;
}

/// A loop that runs serially uses the program's array, so its iterations depend on each other, even
/// if they are independent with private arrays.
TEST(PrivateArrays, SerialLoopsAreNotIndependent) {
  NestCompiler Compiler(SPECRT_NESTS_IR, "short_rows");
  Function &F = Compiler.withSizes({200, 4, 300});
  PolyhedralOptions Options;
  Options.Schedule = findStrategy(StrategyId::SourceOrder);
  Options.Parallel = true;
  Options.Target = describeHost(Compiler.costs(), 2);
  Options.Target.ParallelWorkNs = 10'000;
  const PolyhedralResult Result = optimizeScops(F, Compiler.functions(), Options);
  ASSERT_EQ(Result.NumTooShort, 1u) << Result.Notes;
  DominatorTree Tree(F);
  const LoopInfo Loops(Tree);
  ASSERT_FALSE(Loops.empty());
  for (const Loop *L : Loops)
    EXPECT_FALSE(L->isAnnotatedParallel()) << L->getName().str();
}

/// Otherwise LLVM would expect that indices overflow.
TEST(ParallelLoops, TellWhereTheirChunksLie) {
  NestCompiler Compiler(SPECRT_NESTS_IR, "row_buffer");
  Function &F = Compiler.withSizes(Rows);
  PolyhedralOptions Options;
  Options.Schedule = findStrategy(StrategyId::SourceOrder);
  Options.Parallel = true;
  Options.Target = describeHost(Compiler.costs(), 2);
  Options.Target.ParallelWorkNs = 0;
  const PolyhedralResult Result = optimizeScops(F, Compiler.functions(), Options);
  ASSERT_EQ(Result.NumParallel, 1u) << Result.Notes;
  unsigned NumBounds = 0;
  for (const Function &Body : *F.getParent())
    for (const Instruction &I : instructions(Body))
      if (const MDNode *Range = I.getMetadata(LLVMContext::MD_range);
          Range && I.getType()->isIntegerTy(64)) {
        ++NumBounds;
        const ConstantRange Values = getConstantRangeFromMetadata(*Range);
        EXPECT_EQ(Values.getSignedMin().getSExtValue(), 0);
        EXPECT_EQ(Values.getSignedMax().getSExtValue(), Rows[0]);
      }
  EXPECT_EQ(NumBounds, 2u);
}

class SharedArray : public testing::TestWithParam<const char *> {};

TEST_P(SharedArray, OrdersTheIterations) {
  const Made All = make(GetParam(), StrategyId::SourceOrder);
  EXPECT_THAT(All.Result.Notes, Not(HasSubstr("private")));
  EXPECT_TRUE(All.IsRight) << All.Result.Notes;
}

INSTANTIATE_TEST_SUITE_P(, SharedArray,
                         testing::Values("kept_element", "shrinking_buffer", "passed_buffer"));

} // namespace
