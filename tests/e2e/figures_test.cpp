//===- tests/e2e/figures_test.cpp - every call is in the report once ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/e2e/harness.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace specrt::e2e;

namespace {

constexpr long Calls = 6000, CallsPerSize = 2000;

long figure(const nlohmann::json &Of, const char *Name) { return Of.at(Name).get<long>(); }

/// Three sizes in turn, from one thread.
TEST(Figures, OfSeveralVersionsAreExact) {
  Sandbox Box;
  Outcome Plain = Sandbox().run(SPECRT_THREE_SIZES_PLAIN, {});
  size_t Versions = 0;
  for (int Run = 0; Run < 6; ++Run) {
    Outcome O = Box.run(SPECRT_THREE_SIZES, {}, Synchronous);
    expectSame(O, Plain);
    auto Region = O.region("product");
    ASSERT_TRUE(Region.is_object());
    Versions = Region["versions"].size();
    long Seen = figure(Region, "hits") + figure(Region, "misses") + figure(Region, "trial_calls");
    EXPECT_EQ(figure(Region, "calls"), Calls) << Region.dump(1);
    EXPECT_LE(Seen, Calls) << Region.dump(1);
    EXPECT_GE(Seen, Calls / 2) << "few calls came before the first version: " << Region.dump(1);
  }
  ASSERT_GE(Versions, 2u) << "else there is no chain";

  // Nothing is tried any more: each version has the calls of its size, all others are misses. One
  // that was new in the last run may still be compared in place, which some of its calls do
  // without.
  nlohmann::json Region;
  const auto HasAll = [](const nlohmann::json &Version) {
    return figure(Version, "hits") == CallsPerSize;
  };
  for (int Run = 0; Run < 4; ++Run) {
    const Outcome Last = Box.run(SPECRT_THREE_SIZES, {}, {{"SPECRT_COMPILE", "off"}});
    expectSame(Last, Plain);
    Region = Last.region("product");
    ASSERT_GE(Region["versions"].size(), 2u);
    if (std::all_of(Region["versions"].begin(), Region["versions"].end(), HasAll))
      break;
  }
  long Hits = 0;
  for (const auto &Version : Region["versions"]) {
    EXPECT_EQ(figure(Version, "hits"), CallsPerSize) << Region.dump(1);
    Hits += figure(Version, "hits");
  }
  EXPECT_EQ(figure(Region, "hits"), Hits);
  EXPECT_EQ(figure(Region, "misses"), Calls - Hits);
  EXPECT_EQ(figure(Region, "calls"), Calls);
  EXPECT_EQ(figure(Region, "trial_calls"), 0);
}

} // namespace
