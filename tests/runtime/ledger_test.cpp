//===- tests/runtime/ledger_test.cpp - what optimisation may cost, and when ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/policy/backoff.h"
#include "runtime/base/policy/ledger.h"
#include "runtime/record/instrumented_call.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <vector>

using namespace specrt;

namespace {

constexpr uint64_t Begin = 5'000'000'000, Second = 1'000'000'000;

TEST(Ledger, HasNoBoundBeforeTheProgramBegins) {
  Ledger L;
  L.invest(1e15);
  EXPECT_FALSE(L.isBounded());
  EXPECT_TRUE(L.mayInvest(1e18));
}

TEST(Ledger, MayOweAShareOfTheRun) {
  Ledger L;
  L.begin(Begin);
  EXPECT_EQ(L.mostNs(LossShare, Begin), SmallLossNs) << "a smaller loss is not noticeable";
  L.invest(12e6);
  EXPECT_EQ(L.mostNs(LossShare, Begin), -2e6);
  EXPECT_EQ(L.mostNs(LossShare, Begin + Second), LossShare * 1e9 - 12e6);
  EXPECT_EQ(L.mostNs(PromisingShare, Begin + Second), PromisingShare * 1e9 - 12e6);
  L.gain(5e6);
  EXPECT_EQ(L.owedNs(), 7e6);
  EXPECT_TRUE(L.mayInvest(3e6, LossShare, Begin));
  EXPECT_FALSE(L.mayInvest(4e6, LossShare, Begin));
  L.lift();
  EXPECT_TRUE(L.mayInvest(1e18, LossShare, Begin)) << "a caller waits for the results";
}

TEST(Ledger, ExpectsARunAsLongAsTheLast) {
  Ledger L;
  L.begin(Begin);
  L.expect(2e9);
  L.expect(1e9);
  EXPECT_EQ(L.mostNs(LossShare, Begin), LossShare * 2e9);
  EXPECT_EQ(L.mostNs(LossShare, Begin + 3 * Second), LossShare * 3e9);
}

TEST(Ledger, PaysIntoTheOneAbove) {
  Ledger Process;
  Ledger One(Process), Other(Process);
  Process.begin(Begin);
  One.invest(8e6);
  EXPECT_EQ(Process.owedNs(), 8e6);
  EXPECT_EQ(Other.leftNs(LossShare, Begin), SmallLossNs) << "it owes nothing itself";
  EXPECT_EQ(Other.mostNs(LossShare, Begin), SmallLossNs - 8e6);
  Other.carryOver(9e6);
  EXPECT_EQ(Process.owedNs(), 8e6) << "earlier runs have paid for it";
  EXPECT_EQ(Other.mostNs(LossShare, Begin), SmallLossNs - 9e6);
}

/// An adversary that knows all ledgers. It asks for investments of any cost at any time, makes each
/// cost up to twice as much as expected, and grants gains only to regions that it wants to lure.
TEST(Ledger, BoundsTheRegretAgainstAnAdversary) {
  constexpr double OverrunNs = 3e6;
  for (uint64_t Seed = 1; Seed <= 50; ++Seed) {
    std::mt19937_64 Random(Seed);
    const auto upTo = [&](double Most) {
      return Most * static_cast<double>(Random() >> 11) * 0x1p-53;
    };
    Ledger Process;
    std::vector<std::unique_ptr<Ledger>> Regions;
    for (int I = 0; I < 5; ++I)
      Regions.push_back(std::make_unique<Ledger>(Process));
    Process.begin(Begin);
    uint64_t Now = Begin;
    double InvestedNs = 0, GainedNs = 0;
    for (int Step = 0; Step < 2000; ++Step) {
      // Most requests come at the worst moment: when the last one has just become affordable.
      Now += static_cast<uint64_t>(upTo(Random() % 4 ? 1e5 : 1e8));
      Ledger &R = *Regions[Random() % Regions.size()];
      const double CostNs = Random() % 2 ? R.mostNs(LossShare, Now) : upTo(200e6);
      if (CostNs >= 0 && R.mayInvest(CostNs, LossShare, Now)) {
        const double ActualNs = CostNs + std::min(CostNs, upTo(OverrunNs));
        R.invest(ActualNs);
        InvestedNs += ActualNs;
      } else if (Random() % 16 == 0) {
        const double LureNs = upTo(20e6);
        R.gain(LureNs);
        GainedNs += LureNs;
      }
      const double BoundNs = mayOweNs(static_cast<double>(Now - Begin)) + OverrunNs;
      // Each amount is stored in whole nanoseconds.
      ASSERT_LE(InvestedNs - GainedNs, BoundNs + Step) << "seed " << Seed << ", step " << Step;
      for (const auto &Each : Regions)
        ASSERT_LE(Each->owedNs(), BoundNs) << "seed " << Seed << ", step " << Step;
    }
    EXPECT_GT(InvestedNs, LossShare * static_cast<double>(Now - Begin) / 2)
        << "the rule permits what the bound permits";
  }
}

TEST(Backoff, FailingAttemptsBecomeRare) {
  for (const uint64_t Opportunities : {100ull, 10'000ull, 1'000'000ull}) {
    Backoff B;
    uint64_t Attempts = 0;
    for (uint64_t I = 0; I < Opportunities; ++I)
      if (!B.skips()) {
        ++Attempts;
        B.fail();
      }
    const auto N = static_cast<double>(Opportunities);
    EXPECT_LE(static_cast<double>(Attempts), std::log2(N) + N / (1 << Backoff::MostDoublings) + 1);
  }
}

TEST(Backoff, NoticesWhatBecomesPossible) {
  for (const int Until : {0, 1, 10, 100, 500}) {
    Backoff B;
    int I = 0;
    for (bool HasSucceeded = false; !HasSucceeded; ++I)
      if (!B.skips()) {
        HasSucceeded = I >= Until;
        HasSucceeded ? B.succeed() : B.fail();
      }
    EXPECT_LE(I, 2 * Until + 2);
    EXPECT_FALSE(B.skips());
    EXPECT_EQ(B.factor(), 1U);
  }
}

/// A call that waits to be instrumented.
struct Waiting {
  Ledger Run;
  std::shared_ptr<Ledger> Account = std::make_shared<Ledger>(Run);
  std::unique_ptr<InstrumentedCall> Call = InstrumentedCall::create();
  specrt_region Region{};
  int Body = 0;

  /// Makes a call that usually takes \p UsualNs, and a ledger that may pay \p MostNs for it.
  Waiting(double UsualNs, double MostNs) {
    Run.begin(UINT64_MAX); // no time passes
    Run.invest(SmallLossNs - MostNs);
    Call->setVersion(&Body, nullptr, {}, 8, 0);
    Call->setPayer(UsualNs, Account);
  }
  void *begin() {
    bool ShouldDecide = false;
    return Call->beginCall(Region, nullptr, ShouldDecide);
  }
};

TEST(InstrumentedCall, WaitsForACallThatMayBeLonger) {
  Waiting W(/*UsualNs=*/1e6, InstrumentedCall::LeastNs / 2);
  EXPECT_EQ(W.begin(), nullptr);
  EXPECT_EQ(W.Call->state(), InstrumentedCall::State::Waiting);
  W.Run.gain(InstrumentedCall::LeastNs / 2);
  EXPECT_EQ(W.begin(), &W.Body);
  EXPECT_TRUE(W.Call->endCall());
}

TEST(InstrumentedCall, TellsHowMuchLongerItWas) {
  Waiting Short(/*UsualNs=*/1e12, /*MostNs=*/1e12), Long(1, 1e12), Unknown(0, 1e12);
  for (Waiting *W : {&Short, &Long, &Unknown}) {
    ASSERT_EQ(W->begin(), &W->Body);
    volatile double Sum = 0;
    for (int I = 0; I < 1'000'000; ++I)
      Sum = Sum + I;
    ASSERT_TRUE(W->Call->endCall());
  }
  EXPECT_EQ(Short.Call->excessNs(), 0);
  EXPECT_GT(Long.Call->excessNs(), 10'000);
  EXPECT_NEAR(Long.Account->owedNs(), Long.Call->excessNs(), 1);
  EXPECT_EQ(Unknown.Call->excessNs(), Unknown.Call->windowNs()) << "it has no other time";
}

} // namespace
