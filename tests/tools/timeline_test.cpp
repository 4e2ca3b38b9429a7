//===- tests/tools/timeline_test.cpp - few events, in order ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/clock.h"
#include "runtime/base/nearest.h"
#include "runtime/decide/timeline.h"

#include <gtest/gtest.h>
#include <set>

namespace specrt {
namespace {

TEST(Timeline, KeepsTheOrderAndTheTime) {
  uint64_t Before = monotonicNs();
  Timeline T;
  T.add(Event::Hot);
  T.add(Event::CompileBegin, "contraction");
  uint64_t After = monotonicNs();
  ASSERT_EQ(T.entries().size(), 2u);
  EXPECT_EQ(T.entries()[0].What, Event::Hot);
  EXPECT_EQ(T.entries()[1].Text, "contraction");
  EXPECT_LE(Before, T.entries()[0].Ns);
  EXPECT_LE(T.entries()[0].Ns, T.entries()[1].Ns);
  EXPECT_LE(T.entries()[1].Ns, After);
  EXPECT_EQ(T.numOmitted(), 0u);
}

TEST(Timeline, ALongLifeKeepsItsBeginningAndItsEnd) {
  Timeline T;
  for (unsigned I = 0; I < 1000; ++I)
    T.add(Event::Published, std::to_string(I));
  EXPECT_EQ(T.entries().size(), Timeline::Capacity);
  EXPECT_EQ(T.numOmitted(), 1000u - Timeline::Capacity);
  EXPECT_EQ(T.entries().front().Text, "0");
  EXPECT_EQ(T.entries()[Timeline::Capacity / 2 - 1].Text,
            std::to_string(Timeline::Capacity / 2 - 1));
  EXPECT_EQ(T.entries().back().Text, "999");
  for (size_t I = 1; I < T.entries().size(); ++I)
    EXPECT_LT(std::stoi(T.entries()[I - 1].Text), std::stoi(T.entries()[I].Text));
}

TEST(Timeline, EveryEventHasANameOfItsOwn) {
  std::set<std::string> Names;
  for (unsigned E = 0; E <= static_cast<unsigned>(Event::Blocked); ++E) {
    std::string Name = eventName(static_cast<Event>(E));
    EXPECT_FALSE(Name.empty());
    EXPECT_TRUE(Names.insert(Name).second) << Name;
  }
}

TEST(Counted, KnowsOneFromMany) {
  EXPECT_EQ(counted(0, "plan"), "0 plans");
  EXPECT_EQ(counted(1, "plan"), "1 plan");
  EXPECT_EQ(counted(2, "plan"), "2 plans");
}

TEST(NearestName, IsTheOneWithTheFewestEdits) {
  EXPECT_EQ(editDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(editDistance("", "abc"), 3u);
  EXPECT_EQ(nearestName("explane", {"report", "explain", "env"}), "explain");
  EXPECT_EQ(nearestName("x", {}), "");
}

} // namespace
} // namespace specrt
