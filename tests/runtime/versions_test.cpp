//===- tests/runtime/versions_test.cpp - chains and reclamation -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/equal.h"
#include "runtime/base/clock.h"
#include "runtime/call/versions.h"

#include <gtest/gtest.h>
#include <memory>
#include <thread>

namespace specrt {
namespace {

/// Stands for an object that versions were loaded from: \p Owner is released when nobody has it any
/// more. It is never looked at.
template <class T> std::shared_ptr<LoadedVersion> objectOf(std::shared_ptr<T> Owner) {
  auto *const Address = reinterpret_cast<LoadedVersion *>(Owner.get());
  return {std::move(Owner), Address};
}

class VersionsTest : public testing::Test {
protected:
  RegionState S{};
  char Code[8]; // addresses that stand for code
  specrt_region Live{};
  Version A, B, C;
  Reclaimer Garbage;

  void SetUp() override {
    Live.original = original();
    Live.thunk = &Code[7];
    int I = 0;
    for (Version *V : {&A, &B, &C}) {
      V->Entry = &Code[I];
      V->State->body = &Code[3 + I++];
      V->ExactInside = true;
    }
  }
  void *original() { return &Code[6]; }
};

TEST_F(VersionsTest, TheNewestIsFirstAndTheLastGoesToTheOriginal) {
  linkVersion(S, A, Live);
  linkVersion(S, B, Live);
  EXPECT_EQ(slotTarget(S), B.Entry);
  EXPECT_EQ(B.State->next, A.Entry);
  EXPECT_EQ(A.State->next, original());
  EXPECT_EQ(A.State->sampler, &Code[7]);
}

TEST_F(VersionsTest, WhatGainsMostTakesTheCallsThatSeveralAreFor) {
  A.BaselineNs = B.BaselineNs = 1000;
  A.BodyNs = 500; // 2x
  B.BodyNs = 900; // 1.1x, for calls with a constant; it comes later
  B.Assumed.Facts.resize(1);
  makeConstant(B.Assumed.Facts[0], SPECRT_KIND_I64, 5);
  C.BaselineNs = 100, C.BodyNs = 66; // 1.5x, of short calls
  linkVersion(S, A, Live);
  linkVersion(S, B, Live);
  linkVersion(S, C, Live);
  EXPECT_EQ(slotTarget(S), A.Entry);
  EXPECT_EQ(A.State->next, C.Entry);
  EXPECT_EQ(C.State->next, B.Entry);
  EXPECT_EQ(B.State->next, original());
  unlinkVersion(S, A);
  EXPECT_EQ(slotTarget(S), C.Entry);
}

TEST_F(VersionsTest, AVersionThatIsFoundHasThePriceOfItsGuards) {
  const uint8_t Kinds[] = {SPECRT_KIND_I64};
  specrt_region Region{};
  Region.num_args = 1;
  Region.arg_kinds = Kinds;
  A.Guards.append(EqualGuard(0, 5));
  B.Guards.append(EqualGuard(0, 6));
  A.Price = GuardPrice(A.Guards, 0.01);
  linkVersion(S, A, Live);
  linkVersion(S, B, Live);
  uint64_t Packed = 5;
  FoundVersion Found = findVersion(S, Region, &Packed, {.IsTimed = true});
  EXPECT_EQ(Found.V, &A);
  EXPECT_EQ(Found.Body, A.body());
  EXPECT_GE(Found.Price, 120u) << "1.2 ns";
  EXPECT_EQ(findVersion(S, Region, &Packed, {}).Price, 0u);
  Packed = 7;
  EXPECT_EQ(findVersion(S, Region, &Packed, {.IsTimed = true}).Body, nullptr);
}

TEST_F(VersionsTest, OnlyTheLastOneSamplesMisses) {
  for (Version *V : {&A, &B, &C}) {
    V->State->sample_mask = 7;
    linkVersion(S, *V, Live);
  }
  constexpr uint64_t Never = ~uint64_t{0};
  EXPECT_EQ(A.State->miss_mask, 7u);
  EXPECT_EQ(B.State->miss_mask, Never);
  EXPECT_EQ(C.State->miss_mask, Never);
  unlinkVersion(S, C);
  EXPECT_EQ(B.State->miss_mask, Never);
  unlinkVersion(S, A);
  EXPECT_EQ(B.State->miss_mask, 7u);
}

TEST_F(VersionsTest, MissesOfTheLastOneAreTheRegions) {
  linkVersion(S, A, Live);
  linkVersion(S, B, Live);
  B.State->shards[0].misses = 5; // three of them went to A
  A.State->shards[1].hits = 3;
  A.State->shards[2].misses = 2;
  EXPECT_EQ(A.finalMisses(), 2u);
  EXPECT_EQ(B.finalMisses(), 0u);
  unlinkVersion(S, A);
  B.State->shards[3].misses = 4;
  EXPECT_EQ(A.finalMisses(), 2u) << "they happened";
  EXPECT_EQ(B.finalMisses(), 4u) << "not what A took";
  EXPECT_EQ(A.callsPastThunk(), 5u);
  B.State->sampled = 1;
  EXPECT_EQ(B.callsPastThunk(), 3u) << "the thunk has counted that one";
}

TEST_F(VersionsTest, CallsThroughTheThunkAreCountedOnce) {
  const uint8_t Kinds[] = {SPECRT_KIND_I64};
  specrt_region Region{};
  Region.num_args = 1;
  Region.arg_kinds = Kinds;
  A.Guards.append(EqualGuard(0, 5));
  B.Guards.append(EqualGuard(0, 6));
  uint64_t Packed = 5;
  findVersion(S, Region, &Packed, {.IsCounted = true});
  EXPECT_EQ(S.ThunkMisses, 0u) << "without versions nothing is missed";
  linkVersion(S, A, Live);
  linkVersion(S, B, Live);
  for (uint64_t Value : {5, 5, 6, 7}) {
    findVersion(S, Region, &Value, {.IsCounted = true});
    findVersion(S, Region, &Value, {}); // an entry has counted this one
  }
  EXPECT_EQ(A.hits(), 2u);
  EXPECT_EQ(A.misses(), 1u);
  EXPECT_EQ(B.hits(), 1u);
  EXPECT_EQ(B.misses(), 3u);
  EXPECT_EQ(S.ThunkMisses, 1u);
}

TEST_F(VersionsTest, EachSampleIsTakenOnce) {
  EXPECT_FALSE(takeSample(S));
  linkVersion(S, A, Live);
  linkVersion(S, B, Live);
  EXPECT_FALSE(takeSample(S));
  A.State->sampled = 2;
  B.State->sampled = 1;
  for (int Call = 0; Call < 3; ++Call)
    EXPECT_TRUE(takeSample(S));
  EXPECT_FALSE(takeSample(S));
}

TEST_F(VersionsTest, UnlinkingTheMiddleAndTheHead) {
  for (Version *V : {&A, &B, &C})
    linkVersion(S, *V, Live);
  unlinkVersion(S, B);
  EXPECT_EQ(C.State->next, A.Entry);
  EXPECT_EQ(B.body(), nullptr);
  EXPECT_EQ(B.State->next, A.Entry); // for threads that are still in B's entry
  unlinkVersion(S, C);
  EXPECT_EQ(slotTarget(S), A.Entry);
  unlinkVersion(S, A);
  EXPECT_EQ(slotTarget(S), InPlace);
}

TEST_F(VersionsTest, AVersionStaysWhileACallIsInside) {
  auto Gone = std::make_unique<Version>();
  Gone->ExactInside = true;
  Gone->State->shards[3].inside = 1;
  auto Object = std::make_shared<int>();
  const std::weak_ptr<int> Seen = Object;
  Gone->Stored = objectOf(std::move(Object));
  specrt_version_state &State = *Gone->State;
  Garbage.addVersion(S, std::move(Gone));
  EXPECT_TRUE(Garbage.poll());
  EXPECT_FALSE(Seen.expired());
  State.shards[3].inside = 0;
  EXPECT_FALSE(Garbage.poll());
  EXPECT_TRUE(Seen.expired());
}

TEST_F(VersionsTest, AReaderKeepsTheBodyAndLaterReadersDoNot) {
  uint32_t Old = S.enterSection();
  auto Object = std::make_shared<int>();
  const std::weak_ptr<int> Seen = Object;
  Garbage.addStored(S, objectOf(std::move(Object)));
  EXPECT_TRUE(Garbage.poll());
  uint32_t Later = S.enterSection(); // began after the removal: must not hold it up for ever
  EXPECT_NE(Old, Later);
  EXPECT_TRUE(Garbage.poll());
  EXPECT_FALSE(Seen.expired());
  S.leaveSection(Old);
  Garbage.poll();
  uint32_t Newest = S.enterSection();
  S.leaveSection(Later);
  Garbage.poll();
  Garbage.poll();
  EXPECT_TRUE(Seen.expired());
  S.leaveSection(Newest);
}

/// Adds a window of samples of both, each for one of Hits calls; true when the version was found to
/// be losing.
static bool addWindow(Version &V, double BodyMs, double OriginalMs,
                      uint64_t Hits = Version::Window) {
  auto Ticks = [](double Ms) { return static_cast<uint64_t>(Ms * 1e6 / nsPerTick()); };
  bool Lost = false;
  V.State->shards[0].hits += Hits;
  for (uint32_t I = 0; I < Version::Window; ++I)
    Lost |= addVersionSample(V, /*Baseline=*/false, Ticks(BodyMs));
  for (uint32_t I = 0; I < Version::Window; ++I)
    Lost |= addVersionSample(V, /*Baseline=*/true, Ticks(OriginalMs));
  return Lost;
}

TEST_F(VersionsTest, AVersionLosesOnlyAgainstMeasuredOriginals) {
  for (uint32_t I = 0; I < 10 * Version::Window; ++I)
    EXPECT_FALSE(addVersionSample(A, /*Baseline=*/false, 200));
  for (uint32_t I = 0; I + 1 < EnoughTimes; ++I)
    EXPECT_FALSE(addWindow(A, 2, 1));
  EXPECT_TRUE(addWindow(A, 2, 1));
  EXPECT_FALSE(addWindow(A, 2, 1)); // told once
}

TEST_F(VersionsTest, OneBadMomentDoesNotRetireAVersion) {
  for (uint32_t I = 0; I < 10; ++I) {
    EXPECT_FALSE(addWindow(A, 2, 1));
    EXPECT_FALSE(addWindow(A, 2, 1));
    EXPECT_FALSE(addWindow(A, 1, 2));
  }
}

TEST_F(VersionsTest, WhatHasGainedForLongIsNotRetiredForAMoment) {
  A.BaselineNs = 2e6, A.BodyNs = 1e6;
  for (uint32_t I = 0; I < 10; ++I)
    EXPECT_FALSE(addWindow(A, 1, 2, /*Hits=*/100));
  EXPECT_NEAR(A.savedNs(), 1000e6, 10e6);
  // The machine is busy for twelve windows; a tenth of the gain is as much as it may take.
  uint32_t Windows = 0;
  while (Windows < 100 && !addWindow(A, 3, 2))
    ++Windows;
  EXPECT_GE(Windows, 11u);
  EXPECT_LE(Windows, 14u);
  EXPECT_GT(A.savedNs(), 880e6) << "calls before are not counted by the times of the last ones";
}

TEST_F(VersionsTest, ALossThatNobodyFeelsRetiresNothing) {
  for (uint32_t I = 0; I < 100; ++I)
    EXPECT_FALSE(addWindow(A, 0.012, 0.011));
}

TEST_F(VersionsTest, LongCallsRunTheOriginalOnlyOnSuspicion) {
  planObservation(A, 1e6);
  EXPECT_EQ(A.State->sample_mask, 0u);
  EXPECT_EQ(A.BaselinePeriod, 0u);
  planObservation(A, 100);
  EXPECT_EQ(A.State->sample_mask, 511u);
  EXPECT_EQ(A.BaselinePeriod, 4u);
}

TEST_F(VersionsTest, WhatAnEarlierRunMeasuredIsMeasuredAgain) {
  planObservation(A, 1e6);
  A.BaselineNs = 83e3, A.BodyNs = 33e3;
  uint32_t Originals = 0;
  for (uint32_t Turn = 0; Turn < 1000; ++Turn)
    Originals += comparesAgain(A, Turn);
  EXPECT_EQ(Originals, 0u) << "measured in this run";
  A.IsProven = true;
  for (uint32_t Turn = 0; Turn < 1000; ++Turn)
    if (comparesAgain(A, Turn)) {
      ++Originals;
      addVersionSample(A, /*Baseline=*/true, static_cast<uint64_t>(30e3 / nsPerTick()));
    }
  EXPECT_EQ(Originals, 3u);
  EXPECT_NEAR(A.baselineNs(), 30e3, 1);
  EXPECT_EQ(A.bodyNs(), 33e3);
}

TEST_F(VersionsTest, CallsThatAreTooShortToTimeAreJudgedInPlaceOnly) {
  A.BaselineNs = 127, A.BodyNs = 30;
  linkVersion(S, A, Live);
  A.ThunkHits = 1'000'000;
  EXPECT_TRUE(isInDoubt(A)) << "whatever its gain seems to be";
  EXPECT_EQ(A.savedNs(), 0);
  for (int Sample = 0; Sample < 100; ++Sample)
    for (const bool IsBaseline : {false, true})
      EXPECT_FALSE(addVersionSample(A, IsBaseline,
                                    static_cast<uint64_t>((IsBaseline ? 20 : 90) / nsPerTick())));
  EXPECT_EQ(A.bodyNs(), 30) << "samples say nothing";
  EXPECT_EQ(A.savedNs(), 0);
  A.GainInPlace = 1.1;
  A.MeasuredBaselineNs = 32;
  EXPECT_NEAR(A.savedNs(), 2e6, 1);
  EXPECT_FALSE(isInDoubt(A));
  A.BodyNs = 1000, A.BaselineNs = 4000, A.MeasuredBaselineNs = 0, A.GainInPlace = 0;
  EXPECT_FALSE(isInDoubt(A)) << "a large gain of calls that can be timed";
  A.BaselineNs = 1200;
  EXPECT_TRUE(isInDoubt(A)) << "it may be within the error";
}

TEST_F(VersionsTest, AStrideIsTakenWithItsLastCall) {
  linkVersion(S, A, Live);
  planObservation(A, 30);
  A.State->sampled = 1;
  EXPECT_EQ(takeSample(S), 1024U);
  EXPECT_EQ(takeSample(S), 0U);
}

TEST_F(VersionsTest, WhatCachesOfOtherProcessorsCostIsNotGained) {
  for (const bool IsParallel : {false, true}) {
    SCOPED_TRACE(IsParallel);
    Version V;
    V.Parallel = IsParallel;
    V.BaselineNs = 1000;
    for (int I = 0; I < 3; ++I)
      addVersionSample(V, /*Baseline=*/true, static_cast<uint64_t>(1500 / nsPerTick()));
    EXPECT_NEAR(V.latestBaselineNs(), 1500, 5);
    EXPECT_NEAR(V.baselineNs(), IsParallel ? 1000 : 1500, 5);
  }
}

TEST_F(VersionsTest, ComparingCostsAtMostATwentieth) {
  A.IsProven = true;
  for (double Gain : {1.1, 5.0, 70.0}) {
    A.BaselineNs = Gain * 2e6, A.BodyNs = 2e6;
    planObservation(A, A.BodyNs);
    uint32_t First = 0;
    while (!comparesAgain(A, First))
      ++First;
    EXPECT_GE(First * A.BodyNs, 19 * A.BaselineNs) << Gain;
    EXPECT_LE(First * A.BodyNs, 22 * A.BaselineNs) << Gain;
  }
  A.BaselineNs = 500e3, A.BodyNs = 5e3; // and so it is where comparisons never end
  planObservation(A, A.BodyNs);
  EXPECT_GE(A.BaselinePeriod * (A.State->sample_mask + 1) * A.BodyNs, 19 * A.BaselineNs);
}

TEST_F(VersionsTest, ReadersAndReclaimerTogether) {
  // Readers look for the body under a section; a body found must not have been released.
  struct Body {
    std::atomic<bool> Alive{true};
  };
  static std::atomic<Body *> Published;
  Reclaimer Concurrent;
  std::vector<std::unique_ptr<Body>> All;
  std::atomic<bool> Stop{false};
  std::atomic<uint64_t> Dead{0};
  std::vector<std::thread> Readers;
  for (int T = 0; T < 4; ++T)
    Readers.emplace_back([&] {
      while (!Stop) {
        uint32_t Parity = S.enterSection();
        if (Body *Found = Published.load())
          for (int I = 0; I < 10; ++I)
            Dead += !Found->Alive;
        S.leaveSection(Parity);
      }
    });
  for (int Round = 0; Round < 300; ++Round) {
    All.push_back(std::make_unique<Body>());
    Body *Old = Published.exchange(All.back().get());
    if (Old)
      Concurrent.addStored(
          S, objectOf(std::shared_ptr<Body>(Old, [](Body *Gone) { Gone->Alive = false; })));
    for (int I = 0; I < 100 && Concurrent.poll(); ++I)
      std::this_thread::yield();
  }
  Stop = true;
  for (std::thread &T : Readers)
    T.join();
  EXPECT_EQ(Dead, 0u);
  EXPECT_FALSE(Concurrent.poll());
}

} // namespace
} // namespace specrt
