//===- tests/profiler/store/profile_store_test.cpp - profiles between runs ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/profiler/store/test_store.h"

#include "profiler/observations/tuple_profile.h"
#include <chrono>
#include <cstdio>
#include <gmock/gmock.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

using namespace specrt;
using namespace specrt_test;
using testing::IsEmpty;
namespace fs = std::filesystem;

namespace {

TEST(CacheDirectory, FollowsTheXdgRules) {
  std::map<std::string, std::string> Environment;
  auto Directory = [&] {
    return defaultCacheDirectory([&](const char *Name) -> const char * {
      auto Found = Environment.find(Name);
      return Found == Environment.end() ? nullptr : Found->second.c_str();
    });
  };
  EXPECT_EQ(Directory(), "");
  Environment["HOME"] = "/home/u";
  EXPECT_EQ(Directory(), "/home/u/.cache/specrt");
  Environment["XDG_CACHE_HOME"] = "relative";
  EXPECT_EQ(Directory(), "/home/u/.cache/specrt");
  Environment["XDG_CACHE_HOME"] = "/x";
  EXPECT_EQ(Directory(), "/x/specrt");
  Environment["SPECRT_CACHE_DIR"] = "own";
  EXPECT_EQ(Directory(), "/x/specrt");
  Environment["SPECRT_CACHE_DIR"] = "/own";
  EXPECT_EQ(Directory(), "/own");
}

/// Of a clock that jumps, say.
TEST_F(ProfileStoreTest, TimesThatAreNoNumbersAreUnknown) {
  Kernel K;
  StoreUpdate Update = K.update(1000, 3);
  StoredDecision D = K.decisionOn(Update);
  D.OriginalNs = std::numeric_limits<double>::infinity();
  D.CandidateNs = D.CompileMs = std::numeric_limits<double>::quiet_NaN();
  D.Stamp = UINT64_MAX;
  Update.Region.Decisions = {D};
  Update.Region.Runs = UINT64_MAX;
  EXPECT_TRUE(open()->save({Update}));
  auto Found = open()->find(K.get());
  ASSERT_TRUE(Found);
  ASSERT_EQ(Found->Decisions.size(), 1u);
  EXPECT_EQ(Found->Decisions[0].OriginalNs, 0);
  EXPECT_EQ(Found->Decisions[0].CandidateNs, 0);
  EXPECT_THAT(Messages, IsEmpty());
}

TEST_F(ProfileStoreTest, SecondRunKnowsTheFirst) {
  Kernel K;
  StoreUpdate Update = K.update(1000, 3);
  StoredDecision D = K.decisionOn(Update);
  D.Result = StoredDecision::Outcome::Won;
  D.Candidate = "source-order";
  D.OriginalNs = 5000;
  D.CandidateNs = 1000;
  D.Reason = "5.0 times faster";
  Update.Region.Decisions.push_back(D);
  EXPECT_EQ(open()->size(), 0u);
  EXPECT_FALSE(fs::exists(Cache)); // loading creates nothing
  EXPECT_TRUE(open()->save({Update}));

  auto Store = open();
  EXPECT_EQ(Store->size(), 1u);
  auto Found = Store->find(K.get());
  ASSERT_TRUE(Found);
  EXPECT_TRUE(Found->Hot);
  EXPECT_EQ(Found->Profile.sampledCalls(), 3u);
  EXPECT_GT(Found->LastUsed, 0u);
  auto Again = plans(Found->Profile, K.get(), 1).at(0);
  const StoredDecision *Known = Found->decision(Again.Assumed.id());
  ASSERT_NE(Known, nullptr);
  EXPECT_EQ(Known->Candidate, "source-order");
  EXPECT_EQ(Known->Result, StoredDecision::Outcome::Won);
  EXPECT_EQ(Known->CandidateNs, 1000);
  EXPECT_EQ(Known->Assumed.Facts.at(0).value, 1000u);
  EXPECT_EQ(Known->Assumed.Facts.at(1).alignment, 16u);
  EXPECT_THAT(Messages, IsEmpty());
}

TEST_F(ProfileStoreTest, RunsAddUp) {
  Kernel K, Other("other:20");
  EXPECT_TRUE(open()->save({K.update(1000, 3), Other.update(1, 1)}));
  EXPECT_TRUE(open()->save({K.update(1000, 4)}));
  auto Store = open();
  EXPECT_EQ(Store->size(), 2u); // a region that the second run did not meet is kept
  EXPECT_EQ(Store->find(K.get())->Profile.sampledCalls(), 7u);
  EXPECT_EQ(Store->find(K.get())->Profile.get<TupleProfile>().entries()[0].Count, 7u);
}

TEST_F(ProfileStoreTest, NewerDecisionsReplaceOlder) {
  Kernel K;
  StoreUpdate Update = K.update(1000, 2);
  StoredDecision D = K.decisionOn(Update);
  D.Candidate = "constants";
  Update.Region.Decisions = {D};
  EXPECT_TRUE(open()->save({Update}));
  Update.Region.Decisions[0].Candidate = "source-order";
  EXPECT_TRUE(open()->save({Update}));
  auto Found = open()->find(K.get());
  ASSERT_EQ(Found->Decisions.size(), 1u);
  EXPECT_EQ(Found->Decisions[0].Candidate, "source-order");
}

TEST_F(ProfileStoreTest, TrialsOfAllRunsAreKept) {
  Kernel K;
  StoreUpdate Update = K.update(1000, 2);
  StoredDecision D = K.decisionOn(Update);
  D.Trials.add("contraction", 100);
  Update.Region.Decisions = {D};
  Update.Region.Runs = 1;
  EXPECT_TRUE(open()->save({Update}));
  Update.Region.Decisions[0].Trials = TrialRecord();
  Update.Region.Decisions[0].Trials.add("source-order", 70);
  EXPECT_TRUE(open()->save({Update}));
  auto Found = open()->find(K.get());
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Runs, 2u);
  EXPECT_TRUE(Found->Decisions.at(0).Trials.knows("contraction"));
  EXPECT_TRUE(Found->Decisions.at(0).Trials.knows("source-order"));
  EXPECT_TRUE(Found->Decisions.at(0).Trials.isOpen());
}

TEST_F(ProfileStoreTest, WhatRowsTakeIsKeptUntilSomebodyLooksAgain) {
  Kernel K;
  StoreUpdate Update = K.update(1000, 2);
  using Loops = std::vector<double>;
  for (const auto &[Seen, Kept] : std::initializer_list<std::pair<Loops, Loops>>{
           {{}, {}}, {{0, 264.1}, {0, 264.1}}, {{}, {0, 264.1}}, {{12, 0}, {12, 0}}}) {
    Update.Region.NsPerRow = Seen;
    EXPECT_TRUE(open()->save({Update}));
    auto Found = open()->find(K.get());
    ASSERT_TRUE(Found);
    EXPECT_EQ(Found->NsPerRow, Kept);
  }
}

TEST_F(ProfileStoreTest, RecompiledRegionIsAnother) {
  Kernel K;
  EXPECT_TRUE(open()->save({K.update(1000, 3)}));
  specrt_region Recompiled = K.get();
  Recompiled.bitcode_hash[0] ^= 1;
  EXPECT_FALSE(open()->find(Recompiled));
}

TEST_F(ProfileStoreTest, UnknownFieldsAreKept) {
  Kernel K;
  ASSERT_TRUE(open()->save({K.update(1000, 3)}));
  nlohmann::json Json = nlohmann::json::parse(text());
  Json["regions"][0]["structure"] = "sparse";
  write(Json.dump());
  ASSERT_TRUE(open()->save({K.update(1000, 3)}));
  EXPECT_EQ(nlohmann::json::parse(text())["regions"][0]["structure"], "sparse");
  EXPECT_EQ(open()->find(K.get())->Profile.sampledCalls(), 6u);
  EXPECT_THAT(Messages, IsEmpty());
}

TEST_F(ProfileStoreTest, OldRegionsMakeRoom) {
  std::vector<StoreUpdate> Updates;
  for (unsigned I = 0; I < ProfileStore::MaxRegions; ++I) {
    Kernel K("old:" + std::to_string(I));
    Updates.push_back(K.update(1, 1));
  }
  ASSERT_TRUE(open()->save(Updates));
  nlohmann::json Json = nlohmann::json::parse(text());
  for (auto &Region : Json["regions"])
    Region["last_used"] = Region["last_used"].get<uint64_t>() - 100;
  Json["regions"][7]["last_used"] = Json["regions"][7]["last_used"].get<uint64_t>() - 100;
  Json["regions"][8]["last_used"] = 1; // decades ago
  write(Json.dump());
  Kernel New("new:1"), Newest("new:2"), Oldest(Json["regions"][7]["name"]);
  ASSERT_TRUE(open()->save({New.update(1, 1), Newest.update(1, 1)}));
  auto Store = open();
  EXPECT_EQ(Store->size(), ProfileStore::MaxRegions);
  EXPECT_TRUE(Store->find(New.get()));
  EXPECT_TRUE(Store->find(Newest.get()));
  EXPECT_FALSE(Store->find(Oldest.get()));
}

TEST_F(ProfileStoreTest, NamesThatAreNotUtf8) {
  Kernel K("f\xff\xfe<int>:3");
  EXPECT_TRUE(open()->save({K.update(1000, 3)}));
  EXPECT_TRUE(open()->save({K.update(1000, 3)}));
  EXPECT_EQ(open()->size(), 1u);
  EXPECT_EQ(open()->find(K.get())->Profile.sampledCalls(), 6u);
}

TEST_F(ProfileStoreTest, SmallFilesLoadFast) {
  std::vector<StoreUpdate> Updates;
  for (int I = 0; I < 10; ++I) {
    Kernel K("k:" + std::to_string(I));
    Updates.push_back(K.update(I, 3));
  }
  ASSERT_TRUE(open()->save(Updates));
  auto Best = std::chrono::nanoseconds::max();
  for (int I = 0; I < 20; ++I) {
    auto Begin = std::chrono::steady_clock::now();
    EXPECT_EQ(open()->size(), 10u);
    Best = std::min<std::chrono::nanoseconds>(Best, std::chrono::steady_clock::now() - Begin);
  }
  std::printf("loading 10 regions takes %.2f ms\n", static_cast<double>(Best.count()) * 1e-6);
  EXPECT_LT(Best, std::chrono::milliseconds(50));
}

} // namespace
