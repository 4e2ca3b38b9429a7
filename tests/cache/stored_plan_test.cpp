//===- tests/cache/stored_plan_test.cpp - what is settled is not compiled again ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/exit_gate.h"
#include "runtime/cache/identity.h"
#include "runtime/cache/stored_plan.h"
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
  void addAbsent(const std::vector<std::string> &Names) {
    StoredPlan Of = plan();
    for (const std::string &Name : Names)
      Of.addAbsent(Name);
  }
  void add(const std::string &Name) {
    plan().add(Name, versionKey(identity(), Region, Assumed, Name, Settings), {}, "no object");
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
  addAbsent({"contraction", "time-tiled"});
  MissingCandidates Missing = missing("contraction,vector");
  EXPECT_EQ(Missing.Only, "vector");
  EXPECT_EQ(Missing.Absent, "contraction,time-tiled");
  EXPECT_FALSE(missing("contraction,time-tiled").Any);
  EXPECT_TRUE(missing("").Any) << "others may exist";
}

TEST_F(StoredPlanTest, TheFirstThatExistsIsReady) {
  add("vector");
  EXPECT_FALSE(isReady("contraction,vector")) << "nobody knows about the first";
  addAbsent({"contraction"});
  EXPECT_TRUE(isReady("contraction,vector"));
  EXPECT_FALSE(isReady("contraction"));
}

TEST_F(StoredPlanTest, WhenAllWereLookedForTheRestIsSuperfluous) {
  std::vector<std::string> All;
  for (const CandidateKind &Kind : candidateKinds())
    if (Kind.Name != std::string("vector"))
      All.emplace_back(Kind.Name);
  addAbsent(All);
  EXPECT_TRUE(missing("").Any);
  plan().end(/*All=*/true);
  EXPECT_FALSE(missing("").Any);
  EXPECT_TRUE(missing("vector").Any) << "it was not asked for alone";
}

TEST_F(StoredPlanTest, OtherThreadsHaveOtherIndexes) {
  addAbsent({"vector"});
  Settings.Threads = 1;
  EXPECT_TRUE(plan().index().Absent.empty());
}

TEST_F(StoredPlanTest, ReadersWithoutProfileSeeNothing) {
  addAbsent({"vector"});
  Settings.Profile = ProfileMode::Off;
  EXPECT_TRUE(plan().index().Absent.empty());
}

} // namespace
} // namespace specrt
