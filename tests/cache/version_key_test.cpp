//===- tests/cache/version_key_test.cpp - every field counts --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/version_key.h"

#include <functional>
#include <gmock/gmock.h>
#include <set>

namespace specrt {
namespace {

/// Everything a key is made from, to be changed one thing at a time.
struct Ingredients {
  Identity Who = {"aa", "bb", "22:cc", "x86_64-linux-gnu", "1.2.3"};
  std::vector<specrt_symbol> Symbols = {{"table", nullptr}, {"helper", nullptr}};
  specrt_region Region{};
  Assumptions Assumed;
  std::string Candidate = "contraction";
  Config Settings;

  Ingredients() {
    Region.name = "kernel:7";
    Region.pipeline = "O3";
    Region.bitcode_hash[0] = 11;
    Region.bitcode_hash[1] = 12;
    Region.num_symbols = 2;
    Assumed.Facts.resize(3);
    Assumed.Facts[0] = {SPECRT_FACT_CONSTANT, 0, 5, 5, 5};
    Assumed.Facts[1] = {SPECRT_FACT_RANGE, 0, 0, 0, 127};
    Assumed.Facts[2] = {SPECRT_FACT_ALIGNED, 16, 0, 0, 0};
    Assumed.Overlaps = {0, 0, 0, 0};
  }
  VersionKey key() {
    Region.symbols = Symbols.data();
    return versionKey(Who, Region, Assumed, Candidate, Settings);
  }
};

TEST(VersionKey, IsTheSameForTheSameRequest) {
  EXPECT_EQ(Ingredients().key().Text, Ingredients().key().Text);
  EXPECT_EQ(Ingredients().key().fileName(), Ingredients().key().fileName());
}

TEST(VersionKey, EveryFieldMakesAnotherKey) {
  const std::vector<std::function<void(Ingredients &)>> Changes = {
      [](Ingredients &I) { I.Who.Runtime = "ab"; },
      [](Ingredients &I) { I.Who.Compiler = "bc"; },
      [](Ingredients &I) { I.Who.Llvm = "22:cd"; },
      [](Ingredients &I) { I.Who.Target = "aarch64-linux-gnu"; },
      [](Ingredients &I) { I.Who.Cpu = "1.2.4"; },
      [](Ingredients &I) { I.Region.name = "kernel:8"; },
      [](Ingredients &I) { I.Region.pipeline = "O2"; },
      [](Ingredients &I) { I.Region.flags = SPECRT_REGION_POLLS; },
      [](Ingredients &I) { I.Region.bitcode_hash[0] = 1; },
      [](Ingredients &I) { I.Region.bitcode_hash[1] = 1; },
      [](Ingredients &I) { I.Symbols[0].name = "other"; },
      [](Ingredients &I) { std::swap(I.Symbols[0], I.Symbols[1]); },
      [](Ingredients &I) { I.Region.num_symbols = 1; },
      [](Ingredients &I) { I.Candidate = "constants"; },
      [](Ingredients &I) { I.Candidate = ""; },
      [](Ingredients &I) { I.Assumed.Facts[0].value = 6; },
      [](Ingredients &I) { I.Assumed.Facts[0].flags = 0; },
      [](Ingredients &I) { I.Assumed.Facts[1].low = 1; },
      [](Ingredients &I) { I.Assumed.Facts[1].high = 126; },
      [](Ingredients &I) { I.Assumed.Facts[2].alignment = 32; },
      [](Ingredients &I) { std::swap(I.Assumed.Facts[0], I.Assumed.Facts[1]); },
      [](Ingredients &I) { I.Assumed.Overlaps[1] = 1; },
      [](Ingredients &I) { I.Assumed.Overlaps[2] = 1; },
      [](Ingredients &I) { I.Settings.Fp = FpMode::Finite; },
      [](Ingredients &I) { I.Settings.Fp = FpMode::Fast; },
  };
  std::set<std::string> Texts = {Ingredients().key().Text};
  std::set<std::string> Names = {Ingredients().key().fileName()};
  for (const auto &Change : Changes) {
    Ingredients I;
    Change(I);
    EXPECT_TRUE(Texts.insert(I.key().Text).second) << I.key().Text;
    EXPECT_TRUE(Names.insert(I.key().fileName()).second);
  }
}

TEST(VersionKey, AddressesAndTimesDoNotCount) {
  Ingredients I;
  int Anything = 0;
  I.Symbols[0].address = &Anything;
  I.Region.original = &Anything;
  I.Region.file = "/somewhere/else.c";
  EXPECT_EQ(I.key().Text, Ingredients().key().Text);
}

TEST(VersionKey, AllCandidatesOfASerialRunAreOthers) {
  Ingredients Serial, Parallel;
  Serial.Candidate = Parallel.Candidate = "";
  Serial.Settings.Threads = 1;
  if (workerThreads(Parallel.Settings) == 1)
    GTEST_SKIP() << "this machine has one processor";
  EXPECT_NE(Serial.key().Text, Parallel.key().Text);
}

TEST(VersionKey, NamesCannotForgeFields) {
  Ingredients Forged;
  Forged.Region.name = "kernel:7\nbitcode=0";
  EXPECT_THAT(Forged.key().Text, testing::HasSubstr("region=kernel:7\\x0abitcode=0\n"));
  Forged.Region.name = "k\xff";
  EXPECT_THAT(Forged.key().Text, testing::HasSubstr("region=k\\xff\n"));
}

TEST(Identity, NamesBuildsAndTheProcessor) {
  const Identity &Here = identity();
  EXPECT_NE(Here.Llvm, "none");
  EXPECT_EQ(Here.Llvm.size(), 40u);
  EXPECT_GT(Here.Cpu.size(), 20u);
  EXPECT_EQ(buildIdOf("/proc/nosuch"), "none");
  EXPECT_EQ(buildIdOf("/etc/passwd"), "none");
}

} // namespace
} // namespace specrt
