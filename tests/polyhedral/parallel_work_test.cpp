//===- tests/polyhedral/parallel_work_test.cpp - parallel loops with too little to do ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/schedule/parallel_work.h"
#include "tests/polyhedral/nest_operands.h"
#include <gmock/gmock.h>

using namespace llvm;
using namespace specrt;

namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Compiler : NestCompiler {
  explicit Compiler(const char *Name) : NestCompiler(SPECRT_NESTS_IR, Name) {}
};

PolyhedralOptions inParallel(StrategyId Schedule) {
  PolyhedralOptions Options;
  Options.Schedule = findStrategy(Schedule);
  Options.Parallel = true;
  Options.Target.Threads = 2;
  Options.Target.ParallelWorkNs = MinParallelWorkNs;
  return Options;
}

PolyhedralResult specialized(const char *Nest, const Sizes &S,
                             StrategyId Schedule = StrategyId::SourceOrder) {
  return Compiler(Nest).specialize(S, inParallel(Schedule));
}

/// Of parallel loops since the last look: how many threads each start asked for; 0: any number.
std::vector<unsigned> Starts;

LoopEntries recording() {
  LoopEntries Entries = LoopEntries::reversed();
  Entries.Start = [](void (*Body)(void *), void *Data, unsigned Threads, long Begin, long End,
                     long Step) {
    Starts.push_back(Threads);
    LoopEntries::reversed().Start(Body, Data, Threads, Begin, End, Step);
  };
  return Entries;
}

/// Runs \p Nest for \p S, of which the first \p NumKnown are known when it is compiled; compares
/// results with the original and returns the starts.
std::vector<unsigned> startsOf(const char *Nest, const Sizes &S, unsigned NumKnown) {
  Compiler Reference(Nest), Candidate(Nest);
  PolyhedralResult Result = Candidate.specialize(S, inParallel(StrategyId::SourceOrder), NumKnown);
  EXPECT_EQ(Result.NumParallel, 1u) << Result.Notes;
  ::Nest *Original = Reference.compile();
  Starts.clear();
  EXPECT_TRUE(haveSameResults(Original, Candidate.compile(recording()), S));
  return std::exchange(Starts, {});
}

TEST(ParallelWork, FewIterationsInsideOfManyAreNoParallelLoop) {
  for (StrategyId Schedule : {StrategyId::SourceOrder, StrategyId::IslSchedule}) {
    PolyhedralResult Result = specialized("sums_of_rows", {120'000, 6, 12}, Schedule);
    EXPECT_EQ(Result.NumParallel, 0u) << Result.Notes;
  }
  PolyhedralResult Result = specialized("sums_of_rows", {120'000, 6, 12});
  EXPECT_EQ(Result.NumGenerated, 1u) << Result.Notes;
  EXPECT_EQ(Result.NumTooShort, 1u);
}
TEST(ParallelWork, ManyIterationsInsideOfManyAreOne) {
  PolyhedralResult Result = specialized("sums_of_rows", {1000, 300, 300});
  EXPECT_EQ(Result.NumParallel, 1u) << Result.Notes;
  EXPECT_EQ(Result.NumTooShort, 0u);
  EXPECT_THAT(startsOf("sums_of_rows", {10, 300, 300}, 3), AllOf(SizeIs(10), Each(0u)));
}
TEST(ParallelWork, AnOuterLoopHasTheWorkOfAllInside) {
  // The same iterations: here they wait for each other, there they do not.
  EXPECT_EQ(specialized("jacobi_2d", {30, 30, 1000}).NumParallel, 0u);
  EXPECT_EQ(specialized("product", {1000, 30, 30}).NumParallel, 1u);
}
TEST(ParallelWork, WhatIsTooSmallAsAWholeIsNotModelled) {
  constexpr StrategyId All[] = {StrategyId::Contraction, StrategyId::TimeTiles,
                                StrategyId::OuterVectors, StrategyId::IslSchedule,
                                StrategyId::SourceOrder};
  for (StrategyId Schedule : All) {
    PolyhedralResult Result = specialized("product", {12, 6, 8}, Schedule);
    EXPECT_EQ(Result.NumGenerated, 0u);
    EXPECT_THAT(Result.Notes, HasSubstr("no parallel loop with enough work"));
    EXPECT_TRUE(Result.DependsOnWorkers) << "serially it may pay";
  }
  PolyhedralOptions Options = inParallel(StrategyId::Contraction);
  const SchedulePolicy *Others[] = {findStrategy(StrategyId::OuterVectors),
                                    findStrategy(StrategyId::SourceOrder)};
  Options.Otherwise = Others;
  PolyhedralResult Result = Compiler("product").specialize({12, 6, 8}, Options);
  EXPECT_THAT(Result.Passed, SizeIs(2));
  Options.Parallel = false;
  EXPECT_THAT(Compiler("product").specialize({12, 6, 8}, Options).NumKernels, 1u);
}
TEST(ParallelWork, KernelsHaveLessToDoThanOtherCode) {
  const Sizes S = {40, 40, 40};
  EXPECT_EQ(specialized("product", S, StrategyId::SourceOrder).NumParallel, 1u);
  EXPECT_EQ(specialized("product", S, StrategyId::Contraction).NumParallel, 0u);
  EXPECT_EQ(specialized("product", {80, 80, 80}, StrategyId::Contraction).NumParallel, 1u);
}
TEST(ParallelWork, UnknownSizesAreLookedAtInEachCall) {
  EXPECT_THAT(startsOf("sums_of_rows", {10, 100, 5}, 2), AllOf(SizeIs(10), Each(1u)));
  EXPECT_THAT(startsOf("sums_of_rows", {10, 100, 800}, 2), AllOf(SizeIs(10), Each(0u)));
}
TEST(ParallelWork, ATriangleEndsOnOneThread) {
  const std::vector<unsigned> Threads = startsOf("elimination", {600, 100, 1}, 3);
  EXPECT_THAT(Threads, AllOf(Contains(0u), Contains(1u)));
  EXPECT_TRUE(std::is_sorted(Threads.begin(), Threads.end()));
}

} // namespace
