//===- tests/e2e/reopen_test.cpp - plug-ins that are opened and closed again and again ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/e2e/harness.h"
#include <algorithm>
#include <cstdio>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

using namespace specrt::e2e;
using testing::IsEmpty;

namespace {

struct Memory {
  long Cycles = 0, Malloc = 0, Mappings = 0, AnonymousKb = 0;
};

std::vector<Memory> memoryOf(const Outcome &Run) {
  std::vector<Memory> All;
  std::istringstream Lines(Run.Remarks);
  for (std::string Line; std::getline(Lines, Line);)
    if (Memory M; std::sscanf(Line.c_str(), "# cycles %ld malloc %ld mappings %ld anonymous %ld",
                              &M.Cycles, &M.Malloc, &M.Mappings, &M.AnonymousKb) == 4)
      All.push_back(M);
  return All;
}

class Reopen : public testing::Test {
protected:
  /// Enough calls for trials in the first cycle, and enough cycles to show a page or a block of
  /// memory that each of them leaves behind.
  static std::vector<std::string> arguments(const char *Plugin) { return {Plugin, "1000", "1000"}; }

  static void SetUpTestSuite() {
    Plain = Sandbox().run(SPECRT_REOPEN_PLAIN, arguments(SPECRT_TEN_KERNELS_PLAIN));
  }

  Outcome run(const Environment &Extra, bool Waits) const {
    Environment Settings = Synchronous;
    Settings["SPECRT_HOT"] = "0";
    for (const auto &[Name, Value] : Extra)
      Settings[Name] = Value;
    std::vector<std::string> Words = arguments(SPECRT_TEN_KERNELS);
    if (Waits)
      Words.push_back("wait");
    return Box.run(SPECRT_REOPEN, Words, Settings);
  }

  /// Nothing is left of 900 cycles, but for what an allocator does with its own pages.
  static void expectNoGrowth(const Outcome &Run) {
    expectSame(Run, Plain);
    EXPECT_THAT(Run.Errors, IsEmpty());
    const std::vector<Memory> Seen = memoryOf(Run);
    ASSERT_EQ(Seen.size(), 2u) << Run.Remarks;
    EXPECT_LT(Seen[1].Malloc - Seen[0].Malloc, 64'000) << Run.Remarks;
    EXPECT_LT(Seen[1].Mappings - Seen[0].Mappings, 20) << Run.Remarks;
    EXPECT_LT(Seen[1].AnonymousKb - Seen[0].AnonymousKb, 1'500) << Run.Remarks;
  }

  /// The plug-in's regions in the report.
  static std::vector<nlohmann::json> kernelsOf(const Outcome &Run) {
    std::vector<nlohmann::json> Found;
    if (Run.Report.is_object())
      for (const auto &Region : Run.Report["regions"])
        if (Region["file"].get<std::string>().ends_with("ten_kernels.cpp"))
          Found.push_back(Region);
    return Found;
  }

  static Outcome Plain;
  Sandbox Box;
};

Outcome Reopen::Plain;

TEST_F(Reopen, AThousandCyclesNeedNoMoreMemoryThanAHundred) {
  const Outcome Run = run({}, /*Waits=*/false);
  expectNoGrowth(Run);
  EXPECT_GE(compiles(Run), 10);
  EXPECT_EQ(kernelsOf(Run).size(), 10u) << "each region is one in the report";
}

TEST_F(Reopen, VersionsServeAgainAfterEachCycle) {
  const Outcome Run = run({}, /*Waits=*/true);
  expectNoGrowth(Run);
  long Hits = 0;
  for (const auto &Region : kernelsOf(Run))
    Hits = std::max(Hits, Region["hits"].get<long>());
  EXPECT_GT(Hits, 2 * 990) << "the calls of the first cycle need not be among them";
}

TEST_F(Reopen, RegionsThatAreNeverHotCountOn) {
  const Outcome Run = run({{"SPECRT_HOT", "1000000"}}, /*Waits=*/true);
  expectNoGrowth(Run);
  EXPECT_EQ(compiles(Run), 0);
  ASSERT_EQ(kernelsOf(Run).size(), 10u);
  for (const auto &Region : kernelsOf(Run))
    EXPECT_EQ(Region["calls"], 1000 + 2 * 999) << Region["name"];
}

} // namespace
