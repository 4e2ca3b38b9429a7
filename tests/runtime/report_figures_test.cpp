//===- tests/runtime/report_figures_test.cpp - what a region is said to gain ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/clock.h"
#include "runtime/report/report.h"

#include <gtest/gtest.h>

namespace specrt {
namespace {

TEST(ReportFiguresTest, CallsThatNoVersionServesGainNothing) {
  specrt_region Region{};
  Region.name = Region.function = Region.file = Region.pipeline = Region.entry_symbol = "r";
  RegionState State{};
  State.Samples = 10;
  State.SampledTicks = static_cast<uint64_t>(10 * 1000 / nsPerTick());
  RegionDetail D(State, Region);
  D.History.Versions.push_back(std::make_unique<Version>());
  Version &V = *D.History.Versions.back();
  V.BaselineNs = 1000, V.BodyNs = 500;
  V.ThunkHits = 400;
  RegionFigures F = figuresOf({&Region, &State, &D});
  ASSERT_EQ(F.Hits, 400U);
  EXPECT_NEAR(F.OriginalNs / F.BestNs, 2, 0.01);
  State.ThunkMisses = 600;
  F = figuresOf({&Region, &State, &D});
  ASSERT_EQ(F.Misses, 600U);
  EXPECT_NEAR(F.OriginalNs, 1000, 10);
  EXPECT_NEAR(F.BestNs, 0.4 * 500 + 0.6 * 1000, 10);
}

} // namespace
} // namespace specrt
