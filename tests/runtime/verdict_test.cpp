//===- tests/runtime/verdict_test.cpp - what is made of a trial ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/clock.h"
#include "runtime/base/reasons.h"
#include "runtime/decide/registry.h"
#include "runtime/decide/verdict.h"
#include "runtime/rows/row_tables.h"

#include <gtest/gtest.h>

namespace specrt {
namespace {

Verdict wonBy(int Winner) {
  Verdict V;
  V.Winner = V.Best = Winner;
  return V;
}

TEST(Verdict, RowsThatNeverHadATableDoNotWin) {
  Trial T;
  for (int I = 0; I < 3; ++I)
    T.Candidates.push_back(std::make_unique<Candidate>());
  specrt_sparse_loop Rows{};
  Rows.inspect = [](const uint64_t *, specrt_row_trace *Into) {
    Into->trouble = SPECRT_ROWS_CIRCULAR;
  };
  ownRows(&Rows, &Rows);
  T.Candidates[2]->Rows = &Rows;
  Verdict V = wonBy(2);
  refuseWithoutTable(T, V);
  EXPECT_EQ(V.Winner, 2) << "nothing is known of it";
  EXPECT_EQ(beginRows(&Rows, nullptr, 1), nullptr);
  refuseWithoutTable(T, V);
  EXPECT_EQ(V.Winner, -1);
  EXPECT_EQ(V.Best, 2);
  V = wonBy(1); // has none
  refuseWithoutTable(T, V);
  EXPECT_EQ(V.Winner, 1);
  forgetRows(&Rows);
}

TEST(VerdictTest, ASiblingThatCannotWinIsNotTried) {
  TrialRecord R;
  ruleOutSibling(R, "vector", 280e6, 100e6, /*Threads=*/2);
  EXPECT_TRUE(R.knows("vector-parallel")) << "half of it is still far behind";
  ruleOutSibling(R, "isl-schedule", 250e6, 100e6, /*Threads=*/2);
  EXPECT_FALSE(R.knows("isl-schedule-parallel"));
  ruleOutSibling(R, "time-tiled-parallel", 140e6, 100e6, /*Threads=*/2);
  EXPECT_TRUE(R.knows("time-tiled")) << "one thread takes no less";
  ruleOutSibling(R, "source-order-parallel", 14e6, 10e6, /*Threads=*/2);
  EXPECT_FALSE(R.knows("source-order")) << "short calls vary by more";
  R.add("contraction", 50e6);
  ruleOutSibling(R, "contraction-parallel", 200e6, 100e6, /*Threads=*/2);
  EXPECT_EQ(R.Candidates.back().Ns, 50e6) << "it was measured";
}

/// A region with the trial of an original and other candidates.
struct RegionOnTrial {
  RegistryLock Guard{Registry::get()};
  specrt_region Region{};
  RegionState State{};
  RegionDetail D;
  Trial &T;

  explicit RegionOnTrial(size_t NumCandidates) : D(State, named(Region)), T(begin(D)) {
    for (size_t I = 0; I < NumCandidates; ++I)
      T.Candidates.push_back(std::make_unique<Candidate>());
  }

private:
  static specrt_region &named(specrt_region &Region) {
    Region.name = Region.function = Region.file = Region.pipeline = Region.entry_symbol = "r";
    return Region;
  }
  static Trial &begin(RegionDetail &D) {
    D.Work.OnTrial = std::make_unique<Trial>();
    return *D.Work.OnTrial;
  }
};

/// A trial whose program ends when each candidate has so many samples of the nine that are wanted.
std::vector<StoredDecision> decisionsAfter(uint32_t Samples, std::vector<uint64_t> Us) {
  RegionOnTrial Of(Us.size());
  Trial &T = Of.T;
  planSamples(T, 1e-3, /*Varying=*/true);
  EXPECT_EQ(T.Needed, 9U);
  for (uint32_t Sample = 0; Sample < Samples; ++Sample)
    for (uint32_t I = 0; I < T.size(); ++I)
      addTrialSample(
          T, I, 0,
          {.Ticks = static_cast<uint64_t>(static_cast<double>(Us[I]) * 1e3 / nsPerTick())});
  EXPECT_FALSE(T.Done);
  addUnfinishedDecision(Of.Guard, Of.D);
  return Of.D.History.Decisions;
}

/// Data had the value of the plan in a few calls only, none of which ran the original.
TEST(VerdictTest, ValuesThatMovedOnAreNoLoss) {
  Trial T;
  for (int I = 0; I < 2; ++I)
    T.Candidates.push_back(std::make_unique<Candidate>());
  planSamples(T, 1e-4, /*Varying=*/false);
  for (int Call = 0; Call < 3; ++Call)
    addTrialSample(T, 1, 0, {.Ticks = 1000});
  const specrt_region Region{};
  EXPECT_FALSE(wereValuesMissed(T, judge(T)));
  T.Misses = T.MaxMisses;
  const Verdict V = judge(T);
  ASSERT_EQ(V.Best, 1);
  EXPECT_TRUE(wereValuesMissed(T, V));
  EXPECT_EQ(explain(V, T, Region), words(Reason::FewCallsMetGuards));
}

/// Times of short calls scatter by more than they differ; these versions are compared in place.
TEST(VerdictTest, SingleSamplesDoNotRefuseWhatIsTooShortToTime) {
  for (const double NsPerTick : {1.0, 100.0}) {
    Trial T;
    for (int I = 0; I < 2; ++I)
      T.Candidates.push_back(std::make_unique<Candidate>());
    planSamples(T, 100 * NsPerTick * 1e-9, /*Varying=*/false);
    T.SecondsPerTick = NsPerTick * 1e-9;
    for (uint32_t I = 0; I < T.size(); ++I)
      for (uint32_t Call = 0; Call < 9; ++Call)
        addTrialSample(T, I, 0, {.Ticks = (I == 0 ? 100U : 80U) + Call % 3 * 40});
    const Verdict V = judge(T);
    EXPECT_EQ(V.Best, 1);
    EXPECT_TRUE(V.IsUnsure);
    EXPECT_EQ(V.Winner, NsPerTick == 1 ? 1 : -1);
  }
}

/// A trial of a serial and a parallel candidate that are slower than the original, which takes 1
/// ms. In each second call of the parallel one, others took its processor.
TrialRecord recordOfABusyMachine(bool IsBusy) {
  RegionOnTrial Of(3);
  Trial &T = Of.T;
  T.Candidates[1]->Name = "vector";
  T.Candidates[2]->Name = "vector-parallel";
  T.Candidates[2]->Parallel = true;
  planSamples(T, 1e-3, /*Varying=*/false);
  for (uint32_t I = 0; I < T.size(); ++I)
    for (uint32_t Call = 0; Call < 8; ++Call) // the first one of a turn does not count
      addTrialSample(T, I, 0,
                     {.Ticks = static_cast<uint64_t>((1e6 + 1e5 * I) / nsPerTick()),
                      .Preempted = I == 2 && Call % 2 == 1});
  T.LackedProcessors = IsBusy;
  EXPECT_EQ(isUndecided(T), IsBusy);
  EXPECT_EQ(T.isUnmeasured(2), IsBusy);
  EXPECT_FALSE(T.isUnmeasured(1));
  recordTimes(Of.Guard, Of.D);
  return Of.D.Work.Records[T.Assumed.id()];
}

TEST(VerdictTest, AParallelCandidateWithoutAProcessorIsNotMeasured) {
  TrialRecord Record = recordOfABusyMachine(false);
  EXPECT_TRUE(Record.knows("vector"));
  EXPECT_TRUE(Record.knows("vector-parallel"));
  Record = recordOfABusyMachine(true);
  EXPECT_TRUE(Record.knows("vector"));
  EXPECT_FALSE(Record.knows("vector-parallel")) << "a later run measures it";
}

TEST(VerdictTest, ATrialThatAFewCallsMoreWouldHaveEndedIsDecided) {
  EXPECT_TRUE(decisionsAfter(2, {1000, 1200, 1100}).empty());
  auto Found = decisionsAfter(4, {1000, 1200, 1100});
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(Found[0].Result, StoredDecision::Outcome::Retired);
  Found = decisionsAfter(4, {1000, 1200, 600});
  ASSERT_EQ(Found.size(), 1U);
  EXPECT_EQ(Found[0].Result, StoredDecision::Outcome::Won);
}

} // namespace
} // namespace specrt
