//===- tests/runtime/report_figures_test.cpp - what a region is said to gain ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/clock.h"
#include "runtime/report/region_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>

namespace specrt {
namespace {

/// A region with one version, hot, whose calls of the original take 1 us.
class ReportFiguresTest : public testing::Test {
protected:
  specrt_region Region{};
  RegionState State{};
  std::unique_ptr<RegionDetail> D;
  RegistryLock Guard{Registry::get()};

  ReportFiguresTest() {
    Region.name = Region.function = Region.file = Region.pipeline = Region.entry_symbol = "r";
    State.Samples = 10;
    State.SampledTicks = static_cast<uint64_t>(10 * 1000 / nsPerTick());
    D = std::make_unique<RegionDetail>(State, Region);
    D->Hot = true;
    D->History.Versions.push_back(std::make_unique<Version>());
    version().BaselineNs = 1000, version().BodyNs = 500;
  }
  Version &version() { return *D->History.Versions.back(); }
  Registry::View view() { return {&Region, &State, D.get()}; }
  RegionFigures figures() { return figuresOf(Guard, view()); }
  std::string line(double RanNs) {
    ProgramFigures Program;
    Program.add(view(), figures());
    return Program.text(RanNs);
  }
};

TEST_F(ReportFiguresTest, CallsThatNoVersionServesGainNothing) {
  version().ThunkHits = 400;
  RegionFigures F = figures();
  ASSERT_EQ(F.Hits, 400U);
  EXPECT_NEAR(F.OriginalNs / F.BestNs, 2, 0.01);
  State.ThunkMisses = 600;
  F = figures();
  ASSERT_EQ(F.Misses, 600U);
  EXPECT_NEAR(F.OriginalNs, 1000, 10);
  EXPECT_NEAR(F.BestNs, 0.4 * 500 + 0.6 * 1000, 10);
}

/// Single calls of the original seemed to take 127 ns, because a timed call does not overlap
/// others.
TEST_F(ReportFiguresTest, CallsThatAreTooShortToTimeGainNothingBeforeTheyAreCompared) {
  version().BaselineNs = 127, version().BodyNs = 30;
  version().ThunkHits = 30'000'000;
  RegionFigures F = figures();
  EXPECT_EQ(F.SavedNs, 0);
  EXPECT_EQ(F.OriginalNs, F.BestNs);
  // Stretches of the program were compared: a call saves 2 ns.
  version().GainInPlace = 1.1;
  version().MeasuredBaselineNs = 32;
  F = figures();
  EXPECT_NEAR(F.SavedNs, 60e6, 1);
  EXPECT_NEAR(F.OriginalNs, 32, 1e-3);
}

/// The profile of earlier runs says what the call takes in the original.
TEST_F(ReportFiguresTest, TheOnlyCallOfARunCountsAlthoughItWasATrial) {
  D->History.Versions.clear();
  State.Samples = 0;
  State.SampledTicks = 0;
  State.Calls = 1;
  EXPECT_EQ(figures().SpentNs, 0);
  D->Work.OnTrial = std::make_unique<Trial>();
  D->Work.OnTrial->Candidates.push_back(std::make_unique<Candidate>());
  D->Work.OnTrial->ExpectedTicks = static_cast<uint64_t>(5e6 / nsPerTick());
  EXPECT_NEAR(figures().SpentNs, 5e6, 1e3);
}

TEST_F(ReportFiguresTest, TimesOfEarlierRunsAreMarkedUntilThisRunHasItsOwn) {
  version().ThunkHits = 80;
  EXPECT_FALSE(figures().IsOriginalEarlier || figures().IsBestEarlier);
  version().IsProven = true;
  EXPECT_TRUE(figures().IsOriginalEarlier && figures().IsBestEarlier);
  version().MeasuredBodyNs = 450;
  EXPECT_TRUE(figures().IsOriginalEarlier);
  EXPECT_FALSE(figures().IsBestEarlier);
  version().MeasuredBaselineNs = 900;
  EXPECT_FALSE(figures().IsOriginalEarlier);
}

TEST_F(ReportFiguresTest, TheProgramHasOneLine) {
  State.CurrentPhase = Phase::Specialised;
  State.Calls = 500; // 100 of them before there was a version
  version().ThunkHits = 400;
  EXPECT_EQ(line(1e6),
            "regions took 300.00 us of 1.00 ms, saved about 200.00 us; the hot region is "
            "decided");
  // Never more than the run.
  EXPECT_THAT(line(200e3), testing::StartsWith("regions took about all of 200.00 us, "));
  version().IsProven = true;
  EXPECT_THAT(line(1e6), testing::HasSubstr(
                             "saved about 200.00 us by what the original took in earlier runs; "));
  D->Account->invest(800e3);
  EXPECT_THAT(line(10e6),
              testing::StartsWith("regions took 1.10 ms of 10.00 ms, lost about 600.00 us "
                                  "looking for versions; "));
  State.CurrentPhase = Phase::Trial;
  EXPECT_THAT(line(10e6), testing::EndsWith("; of 1 hot region: 1 in trial"));
  D->Hot = false;
  State.HotTarget = UINT64_MAX;
  EXPECT_EQ(line(10e6), "");
}

} // namespace
} // namespace specrt
