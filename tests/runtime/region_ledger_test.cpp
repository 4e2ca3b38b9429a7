//===- tests/runtime/region_ledger_test.cpp - what optimising a region may cost ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/clock.h"
#include "runtime/base/policy/ledger.h"
#include "runtime/decide/osr/osr_report.h"
#include "runtime/decide/region_ledger.h"
#include "runtime/decide/registry.h"
#include "runtime/decide/verdict.h"
#include "tests/runtime/rows/row_loop.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace specrt {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Gt;
using testing::Lt;

TEST(RegionLedger, ARegionIsQuarantinedWhenItOwesATenthOfARun) {
  EXPECT_FALSE(isQuarantined({}));
  EXPECT_FALSE(isQuarantined({.OwedNs = 19e6, .RunNs = 200e6}));
  EXPECT_TRUE(isQuarantined({.OwedNs = 21e6, .RunNs = 200e6}));
  EXPECT_FALSE(isQuarantined({.OwedNs = 9e6, .RunNs = 1e6})) << "not felt";
  EXPECT_EQ(whyQuarantined({.OwedNs = 33e6, .RunNs = 200e6, .Stamp = 1795305600}),
            "quarantined since 2026-11-22: trials and waits cost 33.00 ms more than versions "
            "gained, in runs of 200.00 ms");
}

/// A program with one region over many runs, with times that are given per candidate, [0] being the
/// original's. Runs share what the store keeps: the account, and who won.
class SimulatedRegion {
public:
  std::vector<double> Ms;
  unsigned CallsPerRun = 0;
  bool IsBesideCompiles = false; ///< none of the candidates' times counts
  bool IsVarying = false;        ///< every second call does twice the work

  StoredAccount Account = {};
  double SpentMs = 0, OriginalMs = 0, LongestRunMs = 0;
  unsigned Runs = 0, RunsOnTrial = 0;
  int Winner = -1; ///< 0: none is better than the original

  void run() {
    ++Runs;
    double RunMs = 0, LostMs = 0;
    const bool Tries = Winner < 0 && !isQuarantined(Account);
    RunsOnTrial += Tries;
    // The run begins in the future, so that the time of this process says nothing.
    Ledger Run;
    Run.begin(UINT64_MAX);
    Run.expect(CallsPerRun * Ms[0] * 1e6);
    const auto OfRegion = std::make_shared<Ledger>(Run);
    OfRegion->carryOver(Account.OwedNs);
    std::unique_ptr<Trial> T = Tries ? makeTrial() : nullptr;
    if (T)
      T->Payer = OfRegion;
    for (unsigned Call = 0; Call < CallsPerRun; ++Call) {
      const double Work = IsVarying && Call % 2 ? 2 : 1;
      const int Ran = T && !T->Done ? callOnTrial(*T, Work) : std::max(Winner, 0);
      RunMs += Work * Ms[static_cast<size_t>(Ran)];
      OriginalMs += Work * Ms[0];
      if (!T)
        LostMs += Work * (Ms[static_cast<size_t>(Ran)] - Ms[0]);
      if (T && T->Done && Winner < 0)
        Winner = std::max(judge(*T).Winner, 0);
    }
    LostMs += OfRegion->owedNs() * 1e-6;
    SpentMs += RunMs;
    LongestRunMs = std::max(LongestRunMs, RunMs);
    Account.OwedNs = std::max(Account.OwedNs + chargedNs(LostMs * 1e6, RunMs * 1e6), 0.0);
    Account.RunNs = RunMs * 1e6;
  }

  /// What the region has lost, and the most that it may.
  double lostMs() const { return SpentMs - OriginalMs; }
  double boundMs() const {
    const double Slowest = *std::max_element(Ms.begin(), Ms.end()) * (IsVarying ? 2 : 1);
    return mayOweNs(LongestRunMs * 1e6) * 1e-6 + RecoveryShare * SpentMs + Slowest;
  }

private:
  static uint64_t ticksOf(double Ms) { return static_cast<uint64_t>(Ms * 1e6 / nsPerTick()); }

  std::unique_ptr<Trial> makeTrial() const {
    auto T = std::make_unique<Trial>();
    for (size_t I = 0; I < Ms.size(); ++I)
      T->Candidates.push_back(std::make_unique<Candidate>());
    planSamples(*T, Ms[0] * 1e-3, IsVarying);
    T->SecondsPerTick = nsPerTick() * 1e-9;
    T->ExpectedTicks = ticksOf(Ms[0] * (IsVarying ? 1.5 : 1));
    return T;
  }

  int callOnTrial(Trial &T, double Work) const {
    static const uint8_t Kinds[] = {SPECRT_KIND_I64};
    specrt_region R{};
    R.num_args = 1;
    R.arg_kinds = Kinds;
    const auto Packed = static_cast<uint64_t>(Work);
    const Turn Now = chooseCandidate(T, R, &Packed);
    if (Now.Candidate < 0)
      return 0;
    addTrialSample(T, static_cast<uint32_t>(Now.Candidate), Now.Class,
                   {.Ticks = ticksOf(Work * Ms[static_cast<size_t>(Now.Candidate)])},
                   /*Counts=*/!IsBesideCompiles);
    return Now.Candidate;
  }
};

TEST(SimulatedRegion, FindsTheBestCandidateWithinTheBound) {
  for (const double CallMs : {0.05, 1.0, 20.0, 1000.0})
    for (const bool Varying : {false, true}) {
      SimulatedRegion R{.Ms = {CallMs, 1.5 * CallMs, 0.4 * CallMs, 0.7 * CallMs},
                        .CallsPerRun = CallMs > 100 ? 1U : 200U,
                        .IsVarying = Varying};
      for (int Run = 0; Run < 100; ++Run) {
        R.run();
        ASSERT_LE(R.lostMs(), R.boundMs()) << CallMs << ", run " << Run;
      }
      if (R.CallsPerRun > 1) {
        EXPECT_EQ(R.Winner, 2) << CallMs;
        EXPECT_LT(R.SpentMs, 0.7 * R.OriginalMs) << CallMs;
      }
    }
}

TEST(SimulatedRegion, TrialsThatNeverDecideAreBounded) {
  for (const bool Varying : {false, true}) {
    // Each run is over before the trial is, or no time counts.
    SimulatedRegion Short{
        .Ms = {7, 14, 14, 14, 14, 14, 14, 14, 14}, .CallsPerRun = 6, .IsVarying = Varying};
    SimulatedRegion Disturbed{
        .Ms = {7, 14, 14}, .CallsPerRun = 42, .IsBesideCompiles = true, .IsVarying = Varying};
    for (SimulatedRegion *R : {&Short, &Disturbed}) {
      for (int Run = 0; Run < 200; ++Run) {
        R->run();
        ASSERT_LE(R->lostMs(), R->boundMs()) << "run " << Run;
      }
      EXPECT_GT(R->RunsOnTrial, 0U);
      EXPECT_LT(R->RunsOnTrial, R->Runs / 2) << "most runs are left alone";
      EXPECT_LT(R->lostMs(), 0.05 * R->OriginalMs);
    }
  }
}

TEST(RegionLedger, ARestThatAVersionDidMoreSlowlyIsCharged) {
  RegistryLock Guard(Registry::get()); // the clock is calibrated with the registry
  const auto Ticks = [](double Ns) { return static_cast<uint64_t>(Ns / nsPerTick()); };
  specrt_region Region{};
  Region.name = Region.function = Region.file = Region.pipeline = Region.entry_symbol = "r";
  RegionState State{};
  RegionDetail D(State, Region);
  for (const bool IsEstimated : {true, false}) {
    D.History.OsrTargets.push_back(std::make_unique<OsrTarget>());
    OsrTarget &T = *D.History.OsrTargets.back();
    T.TicksAfter = Ticks(1500e6);
    if (IsEstimated)
      T.AtMost = static_cast<double>(Ticks(500e6));
    else // it took over too early
      T.ExpectedNs = 500e6;
    T.Done = true;
  }
  tellOsr(Guard, D);
  ASSERT_TRUE(D.History.OsrTargets[1]->Told);
  EXPECT_NEAR(owedNs(Guard, D), 2 * 1000e6, 1e6);
}

/// A trial of a candidate that has to inspect rows, in several runs of a program.
struct DeferredInspections : RowTables {
  DeferredInspections() : D(State, Region()) {
    for (int I = 0; I < 2; ++I)
      T.Candidates.push_back(std::make_unique<Candidate>());
    T.Candidates[1]->Rows = &Loop;
    NsPerRow = 2000;
    setRows(1'000'000);
    processLedger().gain(processLedger().owedNs()); // what other tests have invested
    processLedger().begin(monotonicNs());
  }

  ~DeferredInspections() override { processLedger().lift(); }

  /// Begins the next run, which knows what this one has measured.
  void runAgain() {
    recordWalks(D, T);
    forgetRows(this);
    ownRows(this, &Loop);
    RowsWalked = 0;
    D.Seen.Account.RunNs = 1e9;
    processLedger().expect(D.Seen.Account.RunNs);
    payFor(D, T, /*ExpectedNs=*/0);
  }

  static specrt_region Region() {
    specrt_region R{};
    R.name = R.function = R.file = R.pipeline = R.entry_symbol = "r";
    return R;
  }

  RegionState State{};
  RegionDetail D;
  Trial T;
};

TEST_F(DeferredInspections, AreNotBegunAgainInEachRun) {
  payFor(D, T, /*ExpectedNs=*/0);
  EXPECT_FALSE(call());
  EXPECT_GT(RowsWalked, 0U);
  runAgain();
  EXPECT_THAT(D.Seen.NsPerRow, ElementsAre(AllOf(Gt(1900), Lt(20'000))));
  EXPECT_FALSE(call());
  EXPECT_EQ(RowsWalked, 0U) << "they would take twice as long as the run";
  runAgain();
  EXPECT_FALSE(call());
  EXPECT_EQ(RowsWalked, 0U) << "where nobody looked, what was known before is";
}

TEST_F(DeferredInspections, BeginWhenThereAreFewerRows) {
  payFor(D, T, /*ExpectedNs=*/0);
  EXPECT_FALSE(call());
  setRows(3000);
  runAgain();
  EXPECT_TRUE(call());
  EXPECT_EQ(RowsWalked, 3000U);
  runAgain();
  EXPECT_THAT(D.Seen.NsPerRow, ElementsAre(0));
}

} // namespace
} // namespace specrt
