//===- tests/runtime/prepare_test.cpp - what a run does with an earlier one's results ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/clock.h"
#include "runtime/base/policy/ledger.h"
#include "runtime/base/reasons.h"
#include "runtime/cache/identity.h"
#include "runtime/cache/version_key.h"
#include "runtime/decide/prepare.h"
#include "runtime/decide/requests/compile_request.h"
#include "runtime/decide/verdict.h"
#include "specializer/strategies/table/candidates.h"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace specrt {
namespace {

/// A region of one integer, which is always 5, that was called twice for 100 ms, and won.
class PrepareTest : public testing::Test {
protected:
  const uint8_t Kinds[1] = {SPECRT_KIND_I64};
  specrt_region Region{};
  RegionState State{};
  Config Settings;
  std::optional<StoredRegion> Known;

  PrepareTest() {
    Region.name = Region.function = Region.file = Region.pipeline = Region.entry_symbol = "r";
    Region.num_args = 1;
    Region.arg_kinds = Kinds;
    static const char *const Names[] = {"n"};
    Region.arg_names = Names;
    Settings.Threads = 1;
    RegionProfile Profile(Region);
    uint64_t Five = 5;
    for (int Call = 0; Call < 2; ++Call)
      Profile.record(&Five, 100'000'000);
    StoredDecision Won;
    SpeculationPlan Plan = plans(Profile, Region, 1).at(0);
    Won.Assumed = Plan.Assumed;
    Won.Result = StoredDecision::Outcome::Won;
    Won.Candidate = "contraction";
    Won.OriginalNs = 100e6;
    Won.CandidateNs = 60e6;
    Won.Stamp = static_cast<uint64_t>(std::time(nullptr));
    Won.Trials.add("contraction", 60e6);
    Known = StoredRegion{.Profile = std::move(Profile), .Hot = true, .Decisions = {Won}, .Runs = 2};
  }

  StoredDecision &decision() { return Known->Decisions[0]; }

  /// The steps of the next run: "proven", "others", both in this order, or other ones.
  std::string steps() {
    RegionDetail D(State, Region);
    planFromStore(D, *Known, Settings);
    std::string Text;
    for (const Step &S : D.Work.Steps)
      Text += S.as<PublishProven>() ? "proven " : S.as<TryOthers>() ? "others " : "new ";
    const TrialRecord &Record = D.Work.Records[decision().Assumed.id()];
    EXPECT_EQ(Record.Attempts, decision().Trials.Attempts + (Text.ends_with("others ") ? 1 : 0));
    return Text;
  }
};

TEST_F(PrepareTest, ShortRunsLeaveCompilesForLater) {
  constexpr double HotNs = 20e6;
  const auto IsEarly = [&] {
    RegionDetail D(State, Region);
    planFromStore(D, *Known, Settings);
    return isTooEarly(D, Settings);
  };
  EXPECT_FALSE(IsEarly()) << "earlier runs took 100 ms each";
  Known->Runs = 20;
  EXPECT_TRUE(IsEarly()) << "10 ms each";
  State.TotalTicks = static_cast<uint64_t>(1.1 * HotNs / nsPerTick());
  EXPECT_FALSE(IsEarly()) << "this one takes longer";
  State.TotalTicks = 0;
  State.Osr.Begin = ticks() - static_cast<uint64_t>(1.1 * HotNs / nsPerTick());
  EXPECT_FALSE(IsEarly()) << "its call is still running";
}

TEST_F(PrepareTest, OnlyPlansForRowsAskForRows) {
  Settings.Threads = 2;
  SpeculationPlan Plan{.Assumed = decision().Assumed, .MeanNs = 100e6};
  auto Names = [&] {
    return namesIn(unmeasuredStep(Plan, 1, Measured::OnWarmCalls, Settings).wanted());
  };
  using testing::Contains, testing::Not, testing::ElementsAre;
  // Of a list that begins with what no compiler gives, nothing would ever be found stored.
  EXPECT_THAT(Names(), Contains("vector-parallel"));
  EXPECT_THAT(Names(), Not(Contains(testing::StartsWith("rows"))));
  Plan.Assumed.Rows.emplace_back();
  EXPECT_THAT(Names(), ElementsAre("rows-parallel", "rows"));
}

TEST_F(PrepareTest, WhatDidNotPayIsToldWithItsTimes) {
  RegionDetail Fresh(State, Region);
  EXPECT_EQ(whyLostEarlier(Fresh), words(Reason::LostEarlier));
  decision().Result = StoredDecision::Outcome::Retired;
  decision().CandidateNs = 101e6;
  decision().Trials = {};
  decision().Trials.add("tiling", 140e6);
  decision().Trials.add("vector");
  RegionDetail D(State, Region);
  planFromStore(D, *Known, Settings);
  EXPECT_THAT(whyLostEarlier(D),
              testing::MatchesRegex("did not pay in an earlier run \\(20..-..-..\\): original "
                                    "100.00 ms, tiling 140.00 ms, contraction 101.00 ms"));
  D.forgetPlans();
  EXPECT_EQ(whyLostEarlier(D), words(Reason::LostEarlier));
}

TEST_F(PrepareTest, OnlyPlansWithZerosAskForZeros) {
  SpeculationPlan Plan{.Assumed = decision().Assumed, .MeanNs = 100e6};
  auto Wanted = [&] { return unmeasuredStep(Plan, 1, Measured::OnWarmCalls, Settings).wanted(); };
  EXPECT_EQ(Wanted().find("zeros"), std::string::npos);
  Plan.Assumed.Zeros = {1};
  EXPECT_EQ(Wanted().find("zeros"), 0U);
}

/// What is published last comes first in the chain: what needs more of a call.
TEST_F(PrepareTest, VersionsForRowsArePublishedLast) {
  decision().Trials.Complete = true;
  Known->Decisions.push_back(decision());
  Known->Decisions[0].Assumed.Rows.emplace_back();
  for (int Swap = 0; Swap < 2; ++Swap) {
    RegionDetail D(State, Region);
    planFromStore(D, *Known, Settings);
    ASSERT_EQ(D.Work.Steps.size(), 2u);
    EXPECT_TRUE(D.Work.Steps[0].Plan.Assumed.Rows.empty());
    EXPECT_FALSE(D.Work.Steps[1].Plan.Assumed.Rows.empty());
    std::swap(Known->Decisions[0], Known->Decisions[1]);
  }
}

TEST_F(PrepareTest, EveryThirdRunTriesOthers) {
  std::string Runs;
  for (Known->Runs = 1; Known->Runs < 8; ++Known->Runs)
    Runs += steps() == "proven others " ? 'o' : steps() == "proven " ? 'p' : '?';
  EXPECT_EQ(Runs, "poppopp");
}

TEST_F(PrepareTest, UntilAllAreMeasured) {
  decision().Trials.Complete = true;
  EXPECT_EQ(steps(), "proven ");
  decision().Trials.add("source-order");
  EXPECT_EQ(steps(), "proven others ");
  decision().Trials.add("source-order", 70e6);
  EXPECT_EQ(steps(), "proven ");
}

TEST_F(PrepareTest, SmallGainsAreLookedAtTwiceMore) {
  decision().Trials.Complete = true;
  EXPECT_EQ(steps(), "proven ");
  decision().OriginalNs = 66e6; // 1.1x
  for (uint32_t Looks = 0; Looks < 2; ++Looks) {
    RegionDetail D(State, Region);
    planFromStore(D, *Known, Settings);
    ASSERT_EQ(D.Work.Steps.size(), 2u);
    EXPECT_TRUE(D.Work.Steps[1].as<TryOthers>());
    EXPECT_TRUE(D.Work.Steps[1].AfterMoreCalls);
    TrialRecord &Record = D.Work.Records[decision().Assumed.id()];
    EXPECT_EQ(Record.Looks, Looks + 1);
    EXPECT_FALSE(Record.knows("contraction"));
    Record.add("contraction", 60e6);
    decision().Trials = Record;
  }
  EXPECT_EQ(steps(), "proven ");
}

TEST_F(PrepareTest, WhatWasAheadButNotSurelyIsLookedAtAgain) {
  decision().Trials.Complete = true;
  decision().Result = StoredDecision::Outcome::Retired;
  decision().OriginalNs = 70e6;
  RegionDetail D(State, Region);
  planFromStore(D, *Known, Settings);
  ASSERT_EQ(D.Work.Steps.size(), 1u);
  EXPECT_TRUE(D.Work.Steps[0].as<TryOthers>());
}

TEST_F(PrepareTest, ParallelCandidatesThatLostCloselyAreLookedAtAgain) {
  decision().Trials.Complete = true;
  decision().Result = StoredDecision::Outcome::Retired;
  decision().CandidateNs = 110e6;
  decision().Trials.add("contraction", 110e6);
  EXPECT_FALSE(deservesAnotherLook(decision()));
  for (const bool IsClose : {false, true}) {
    decision().Trials.add("source-order-parallel", IsClose ? 129e6 : 131e6);
    EXPECT_EQ(deservesAnotherLook(decision()), IsClose);
  }
}

TEST_F(PrepareTest, CandidatesFarBehindAreNotTriedAgain) {
  decision().Trials.Complete = true;
  decision().OriginalNs = 66e6; // 1.1x
  decision().Trials.add("source-order-parallel", 90e6);
  RegionDetail D(State, Region);
  planFromStore(D, *Known, Settings);
  ASSERT_EQ(D.Work.Steps.size(), 2u);
  const TrialRecord &Record = D.Work.Records[decision().Assumed.id()];
  EXPECT_FALSE(Record.knows("contraction"));
  EXPECT_TRUE(Record.knows("source-order-parallel"));
}

TEST_F(PrepareTest, AVersionMustPayInAsManyCallsAsThereWere) {
  decision().Trials.Complete = true;
  const double Gain = decision().OriginalNs - decision().CandidateNs;
  const double Calls = static_cast<double>(Known->Profile.calls()) / 2; // in each of two runs
  ASSERT_GT(Calls, 0);
  decision().WalkNs = 0.9 * Gain * Calls;
  processLedger().begin(monotonicNs());
  EXPECT_EQ(steps(), "proven ");
  decision().LoadNs = 0.2 * Gain * Calls;
  RegionDetail D(State, Region);
  planFromStore(D, *Known, Settings);
  EXPECT_TRUE(D.Work.Steps.empty());
  EXPECT_NE(D.Reason.find(words(Reason::StartDoesNotPay)), std::string::npos) << D.Reason;
  EXPECT_FALSE(D.Work.TriedPlans.contains(decision().Assumed.id())) << "more calls may earn it";
  EXPECT_GE(static_cast<double>(D.State->HotTarget) * nsPerTick(),
            1.9 * Calls * decision().OriginalNs);
  processLedger().lift(); // somebody waits for versions
  EXPECT_EQ(steps(), "proven ");
}

TEST_F(PrepareTest, NotForEver) {
  decision().Trials.Attempts = TrialRecord::MaxAttempts - 1;
  EXPECT_EQ(steps(), "proven others ");
  decision().Trials.Attempts = TrialRecord::MaxAttempts;
  EXPECT_EQ(steps(), "proven ");
}

TEST_F(PrepareTest, AParallelWinnerNeedsThreads) {
  decision().Candidate = "contraction-parallel";
  Known->Runs = 1;
  EXPECT_EQ(steps(), "new ");
  Settings.Threads = 2;
  EXPECT_EQ(steps(), "proven ");
}

TEST_F(PrepareTest, NotWhenTheGainIsLargeAlready) {
  decision().CandidateNs = 33e6;
  EXPECT_EQ(steps(), "proven ");
}

TEST_F(PrepareTest, NotWhenOneCallSaysTooLittle) {
  decision().CandidateNs = 4e6;
  decision().OriginalNs = 6e6;
  EXPECT_EQ(steps(), "proven ");
}

TEST_F(PrepareTest, NotWhenNothingCanBeKeptOrCompiled) {
  Settings.Profile = ProfileMode::Read;
  EXPECT_EQ(steps(), "proven ");
  Settings.Profile = ProfileMode::ReadWrite;
  Settings.Compile = CompileMode::Off;
  EXPECT_EQ(steps(), "proven ");
}

/// The times of replays are better than those of trials beside them.
TEST_F(PrepareTest, ARegionWaitsForReplaysThatAreUnderWay) {
  std::string Folder = testing::TempDir() + "prepare-XXXXXX";
  ASSERT_NE(mkdtemp(Folder.data()), nullptr);
  VersionStore Versions(Folder, 1 << 20, [](StoreMessage) {}, /*MayWrite=*/true);
  Known->Decisions.clear();
  const auto Now = static_cast<uint64_t>(std::time(nullptr));
  for (const uint64_t Sent : {Now - 1, Now - 3600, Now + 3600, uint64_t{0}}) {
    SCOPED_TRACE(Sent);
    Known->CaptureSent = Sent;
    RegionDetail D(State, Region);
    planFromStore(D, *Known, Settings, &Versions);
    const bool Waits = Sent == Now - 1;
    EXPECT_EQ(D.Work.Steps.empty(), Waits);
    EXPECT_EQ(D.Reason == words(Reason::BeingReplayed), Waits);
    EXPECT_EQ(State.Captures.AreOver.load(), Waits) << "no other call is captured meanwhile";
  }
  std::filesystem::remove_all(Folder);
}

/// A busy machine has no time for replays, and each captured call would renew the wait.
TEST_F(PrepareTest, AfterTwoCapturedCallsWithoutAnAnswerCandidatesAreTried) {
  std::string Folder = testing::TempDir() + "prepare-XXXXXX";
  ASSERT_NE(mkdtemp(Folder.data()), nullptr);
  VersionStore Versions(Folder, 1 << 20, [](StoreMessage) {}, /*MayWrite=*/true);
  Known->Decisions.clear();
  StoredRegion Stored = *Known;
  for (uint64_t Run = 1; Run <= 3; ++Run) {
    SCOPED_TRACE(Run);
    RegionDetail D(State, Region);
    planFromStore(D, Stored, Settings, &Versions);
    const bool Waits = Run == 2;
    EXPECT_EQ(D.Work.IsBeingReplayed, Waits);
    EXPECT_EQ(D.Seen.CountsRuns, Waits) << "a later run decides";
    if (Run == 3) {
      EXPECT_EQ(D.Work.Steps.size(), 1U);
      EXPECT_TRUE(State.Captures.AreOver.load());
    }
    // The run ends, and its capture goes to the server; that of the second one waited in vain.
    D.recordCaptureSent();
    StoredRegion Newer{.Profile = RegionProfile(Region),
                       .CaptureSent = D.Seen.CaptureSent,
                       .Unanswered = D.Seen.Unanswered};
    ASSERT_TRUE(merge(Stored, Newer));
    EXPECT_EQ(Stored.Unanswered, Run);
  }
  std::filesystem::remove_all(Folder);
}

/// The constant of an earlier run's plan met no call.
TEST_F(PrepareTest, ValuesThatNeverCameBackAreRemembered) {
  decision().Result = StoredDecision::Outcome::Retired;
  decision().Candidate.clear();
  decision().Reason = std::string(words(Reason::NoCallMetGuards)) + ": n == 5";
  RegionDetail D(State, Region);
  planFromStore(D, *Known, Settings);
  ASSERT_EQ(D.Work.NeverMet.size(), 1U);
  EXPECT_EQ(D.Work.NeverMet[0].id(), decision().Assumed.id());
}

/// Candidates that usually gain much do not wait.
TEST_F(PrepareTest, AContractionDoesNotWaitForReplays) {
  std::string Folder = testing::TempDir() + "prepare-XXXXXX";
  ASSERT_NE(mkdtemp(Folder.data()), nullptr);
  VersionStore Versions(Folder, 1 << 20, [](StoreMessage) {}, /*MayWrite=*/true);
  const Assumptions Assumed = decision().Assumed;
  Known->Decisions.clear();
  Known->CaptureSent = static_cast<uint64_t>(std::time(nullptr));
  for (const char *Name : {"vector", "contraction"}) {
    SCOPED_TRACE(Name);
    StoredPlan(Versions, Region, Assumed, Settings)
        .add(Name, versionKey(identity(), Region, Assumed, Name, Settings), {}, "no object");
    RegionDetail D(State, Region);
    planFromStore(D, *Known, Settings, &Versions);
    EXPECT_EQ(D.Work.Steps.size(), Name == std::string("contraction") ? 1u : 0u);
  }
  std::filesystem::remove_all(Folder);
}

/// A replay costs the program no time: a region that has lost too much tries nothing, but one of
/// its calls is captured.
TEST_F(PrepareTest, ARestingRegionIsCaptured) {
  std::string Folder = testing::TempDir() + "prepare-XXXXXX";
  ASSERT_NE(mkdtemp(Folder.data()), nullptr);
  VersionStore Versions(Folder, 1 << 20, [](StoreMessage) {}, /*MayWrite=*/true);
  Known->Decisions.clear();
  Known->Account = {.OwedNs = 1e9, .RunNs = 1e9};
  RegionDetail D(State, Region);
  planFromStore(D, *Known, Settings, &Versions);
  EXPECT_TRUE(D.Work.IsQuarantined);
  EXPECT_THAT(D.Work.Steps, testing::IsEmpty());
  EXPECT_GT(State.Captures.UsualNs.load(), 0);
  EXPECT_FALSE(State.Captures.AreOver.load());
  std::filesystem::remove_all(Folder);
}

TEST(WaitTest, CallsWaitForAsLongAsAKnownGain) {
  const PublishProven Known{.BaselineNs = 100e6, .BodyNs = 60e6, .CompileNs = 50e6};
  EXPECT_EQ(waitNs(Known, /*IsStored=*/true), 40e6);
  EXPECT_EQ(waitNs(Known, /*IsStored=*/false), 0) << "compiling takes longer than it gains";
  PublishProven Better = Known;
  Better.BodyNs = 10e6;
  EXPECT_EQ(waitNs(Better, /*IsStored=*/false), 100e6) << "as long as the call takes";
}

TEST(WaitTest, TheOnlyCallOfARunWaitsForWhatNobodyHasMeasured) {
  constexpr double Much = 1e9;
  const TryCandidates Try{.BaselineNs = 20e6};
  EXPECT_EQ(waitNs(Try, /*IsStored=*/true, 1, Much), 20e6);
  EXPECT_EQ(waitNs(Try, /*IsStored=*/true, 2, Much), 10e6);
  EXPECT_EQ(waitNs(Try, /*IsStored=*/true, 1, 8e6), 8e6) << "the region may not lose more";
  EXPECT_EQ(waitNs(Try, /*IsStored=*/true, 5, Much), 0) << "it would be loaded too late";
  EXPECT_EQ(waitNs(Try, /*IsStored=*/false, 1, Much), 0);
}

TEST_F(PrepareTest, AlsoWhenTheFirstCandidatesLost) {
  decision().Result = StoredDecision::Outcome::Retired;
  EXPECT_EQ(steps(), "others ");
  EXPECT_EQ(State.MayWaitUs, 0u) << "no call waits for what may not pay";
  Known->Runs = 3;
  EXPECT_EQ(steps(), "") << "it is not compiled again before its time";
  decision().Stamp -= 8 * 86400;
  EXPECT_EQ(steps(), "new ") << "after a week everything is";
}

TEST_F(PrepareTest, WhatIsNoLongerFasterIsNotPublished) {
  decision().Trials.Complete = true;
  decision().Trials.Looks = 2;
  decision().CandidateNs = 99e6;
  decision().Runs = {{100e6, 60e6}, {0, 99e6}};
  EXPECT_EQ(steps(), "proven ") << "one slow run may be the machine's fault";
  decision().Runs.push_back({0, 120e6});
  EXPECT_EQ(steps(), "");
}

} // namespace
} // namespace specrt
