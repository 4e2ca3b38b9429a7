//===- tests/cache/stored_plan_test.cpp - what is settled is not compiled again ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/exit_gate.h"
#include "runtime/cache/stored_plan.h"
#include "runtime/decide/prepare.h"
#include "specializer/strategies/table/candidates.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

namespace specrt {
namespace {

namespace fs = std::filesystem;

class StoredPlanTest : public testing::Test {
protected:
  fs::path Cache;
  specrt_region Region{};
  Assumptions Assumed;
  Config Settings;
  ExitGate Gate;
  std::unique_ptr<VersionStore> Store;

  StoredPlanTest() {
    std::string Template = fs::temp_directory_path() / "specrt-plan-XXXXXX";
    Cache = mkdtemp(Template.data());
    Region.name = Region.function = Region.file = Region.pipeline = Region.entry_symbol = "r";
    Settings.Threads = 2;
    Store = std::make_unique<VersionStore>(
        Cache, 1 << 20, [](const std::string &Message) { ADD_FAILURE() << Message; });
  }
  ~StoredPlanTest() override {
    std::error_code Ignored;
    fs::remove_all(Cache, Ignored);
  }

  StoredPlan plan() { return {*Store, Region, Assumed, Settings}; }
  static SettledCandidate absent(const std::string &Name) { return {.Name = Name}; }
  SettledCandidate present(const std::string &Name) {
    return {.Name = Name,
            .Exists = true,
            .Key = StoredPlan::keys(Region, Assumed, Settings)(Name),
            .Object = "no object"};
  }
  MissingCandidates missing(const std::string &Wanted) {
    std::vector<CompiledBody> Found;
    std::vector<std::string> Names = namesIn(Wanted);
    for (const CandidateKind &Kind : candidateKinds())
      if (Wanted.empty())
        Names.emplace_back(Kind.Name);
    return plan().take(Gate, Names, Wanted.empty(), Found);
  }
  bool isReady(const std::string &Wanted) { return plan().isReady(namesIn(Wanted)); }
};

TEST_F(StoredPlanTest, NothingIsSettledAtFirst) {
  MissingCandidates Missing = missing("contraction,vector");
  EXPECT_TRUE(Missing.Any);
  EXPECT_EQ(Missing.Only, "contraction,vector");
  EXPECT_FALSE(isReady("contraction,vector"));
}

TEST_F(StoredPlanTest, WhatDoesNotExistIsLookedForOnce) {
  plan().add({absent("contraction"), absent("time-tiled")});
  MissingCandidates Missing = missing("contraction,vector");
  EXPECT_EQ(Missing.Only, "vector");
  EXPECT_EQ(Missing.Absent, "contraction,time-tiled");
  EXPECT_FALSE(missing("contraction,time-tiled").Any);
  EXPECT_TRUE(missing("").Any) << "others may exist";
}

TEST_F(StoredPlanTest, TheFirstThatExistsIsReady) {
  plan().add({present("vector")});
  EXPECT_FALSE(isReady("contraction,vector")) << "nobody knows about the first";
  plan().add({absent("contraction")});
  EXPECT_TRUE(isReady("contraction,vector"));
  EXPECT_FALSE(isReady("contraction"));
}

TEST_F(StoredPlanTest, WhenAllWereLookedForTheRestIsSuperfluous) {
  std::vector<SettledCandidate> All;
  for (const CandidateKind &Kind : candidateKinds())
    if (Kind.Name != std::string("vector"))
      All.push_back(absent(Kind.Name));
  plan().add(All);
  EXPECT_TRUE(missing("").Any);
  plan().end(/*All=*/true);
  EXPECT_FALSE(missing("").Any);
  EXPECT_TRUE(missing("vector").Any) << "it was not asked for alone";
}

TEST_F(StoredPlanTest, OtherThreadsHaveOtherIndexes) {
  plan().add({absent("vector")});
  Settings.Threads = 1;
  EXPECT_TRUE(plan().index().Absent.empty());
}

TEST_F(StoredPlanTest, CompilationsThatSettleNothingAreCounted) {
  plan().begin();
  plan().begin();
  EXPECT_EQ(plan().index().CutShort, 2u);
  plan().add({absent("vector")});
  EXPECT_EQ(plan().index().CutShort, 0u);
  plan().begin();
  plan().end(/*All=*/false);
  EXPECT_EQ(plan().index().CutShort, 0u);
}

TEST_F(StoredPlanTest, InstrumentationIsCountedApart) {
  const auto Instrumentation = [&] {
    return StoredPlan(*Store, Region, Assumed, Settings, StoredPlan::Of::Instrumentation);
  };
  for (int Run = 0; Run < 3; ++Run)
    Instrumentation().begin();
  EXPECT_EQ(plan().index().CutShort, 0u);
  EXPECT_TRUE(isInVain(Instrumentation().index(), Settings, /*Runs=*/3));
  Instrumentation().end(/*All=*/false);
  EXPECT_FALSE(isInVain(Instrumentation().index(), Settings, /*Runs=*/3));
}

TEST_F(StoredPlanTest, WhatThreeRunsCutShortIsTriedSeldom) {
  auto IsInVain = [&](uint64_t Runs) { return isInVain(*Store, Region, Assumed, Settings, Runs); };
  plan().begin();
  plan().begin();
  EXPECT_FALSE(IsInVain(2));
  plan().begin();
  for (uint64_t Runs : {3, 4, 6, 8, 14, 16})
    EXPECT_TRUE(IsInVain(Runs)) << Runs;
  for (uint64_t Runs : {7, 15, 31})
    EXPECT_FALSE(IsInVain(Runs)) << Runs;
  Settings.Compile = CompileMode::Sync;
  EXPECT_FALSE(IsInVain(3)) << "calls wait for it";
}

TEST_F(StoredPlanTest, ReadersWithoutProfileSeeNothing) {
  plan().add({absent("vector")});
  Settings.Profile = ProfileMode::Off;
  EXPECT_TRUE(plan().index().Absent.empty());
}

} // namespace
} // namespace specrt
