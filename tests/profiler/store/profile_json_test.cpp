//===- tests/profiler/store/profile_json_test.cpp - profiles as JSON ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/region_profile.h"

#include "profiler/json/json_writer.h"
#include "profiler/observations/input_values.h"
#include "profiler/plans/plan.h"
#include "tests/profiler/test_region.h"
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

using namespace specrt;
using namespace specrt_test;
using nlohmann::json;

namespace {

struct Everything : TestRegion {
  Everything()
      : TestRegion({SPECRT_KIND_I1, SPECRT_KIND_I8, SPECRT_KIND_I16, SPECRT_KIND_I32,
                    SPECRT_KIND_I64, SPECRT_KIND_F32, SPECRT_KIND_F64, SPECRT_KIND_POINTER},
                   {access(7, polynomial({term(1, {4})}), SPECRT_ACCESS_WRITE),
                    access(7, polynomial({term(1, {3})}), SPECRT_ACCESS_READ)},
                   {{5, 1, polynomial({term(1, {3})})}}) {}

  RegionProfile random(unsigned Seed, int Calls) {
    std::mt19937_64 Random(Seed);
    RegionProfile P(get());
    for (int I = 0; I < Calls; ++I) {
      auto Small = [&] { return Random() % 3; };
      uint64_t C[] = {Random() % 2,
                      0xfe + Random() % 2,
                      Small(),
                      0xfffffff0 + Small(),
                      Random() >> (Random() % 64),
                      static_cast<uint32_t>(Random()),
                      Random() % 4 ? packed(std::numeric_limits<double>::quiet_NaN()) : Random(),
                      16 * (Random() % 1000)};
      P.record(C, Random() % 10000);
    }
    P.addUnsampledCalls(5);
    return P;
  }
};

/// Nothing when Json does not describe Region.
std::optional<RegionProfile> profileFromJson(const json &Json, const specrt_region &Region) {
  RegionProfile Profile(Region);
  JsonReader In;
  Profile.readJson(In, Json);
  return In.good() ? std::optional(std::move(Profile)) : std::nullopt;
}

TEST(ProfileJson, RoundTrip) {
  Everything R;
  for (unsigned Seed = 0; Seed < 100; ++Seed) {
    RegionProfile P = R.random(Seed, static_cast<int>(Seed * 3));
    json First = json::parse(P.toJson().dump(1));
    auto Read = profileFromJson(First, R.get());
    ASSERT_TRUE(Read) << First.dump(1);
    ASSERT_EQ(Read->toJson(), First);
    ASSERT_EQ(Read->calls(), P.calls());
    ASSERT_EQ(Read->get<InputValues>()[7].alignment(), P.get<InputValues>()[7].alignment());
    // Plans are what the profile is stored for: the same before and after.
    auto Before = plans(P, R.get(), 4), After = plans(*Read, R.get(), 4);
    ASSERT_EQ(Before.size(), After.size());
    for (size_t I = 0; I < Before.size(); ++I) {
      ASSERT_EQ(Before[I].Assumed.id(), After[I].Assumed.id());
      ASSERT_EQ(Before[I].Share, After[I].Share);
    }
  }
}

/// Whatever a program and its clock make us record: what is written is read again.
TEST(ProfileJson, ExtremesRoundTrip) {
  Everything R;
  constexpr double Infinity = std::numeric_limits<double>::infinity();
  constexpr uint64_t Low = uint64_t{1} << 63, Most = UINT64_MAX;
  const uint64_t Calls[][8] = {
      {0, 0x80, 0x8000, 0x80000000, Low, 0xff800000, packed(-Infinity), 0},
      {1, 0x7f, 0x7fff, 0x7fffffff, Low - 1, 0x7fc00000, packed(Infinity), Most},
      {1, 0xff, 0xffff, 0xffffffff, Most, 0x80000000, packed(-0.0), Low},
      {0, 0, 0, 0, 0, 1, Most, 1}};
  for (uint64_t Nanoseconds : {uint64_t{0}, JsonReader::MaxCount, Low - 1, Low, Most}) {
    RegionProfile P(R.get());
    for (const auto &Call : Calls)
      P.record(Call, Nanoseconds);
    P.addUnsampledCalls(Nanoseconds);
    for (int Doubling = 0; Doubling < 60; ++Doubling) {
      json Written = json::parse(jsonText(P.toJson(), -1));
      auto Read = profileFromJson(Written, R.get());
      ASSERT_TRUE(Read) << Doubling << Written.dump(1);
      ASSERT_EQ(Read->toJson(), Written);
      P.merge(RegionProfile(P));
    }
  }
}

TEST(ProfileJson, WritesValuesForPeople) {
  TestRegion R({SPECRT_KIND_I32, SPECRT_KIND_F64});
  RegionProfile P(R.get());
  uint64_t C[] = {static_cast<uint32_t>(-7), packed(1)};
  P.record(C, 10);
  json J = P.toJson();
  EXPECT_EQ(J["observations"]["values"][0]["values"][0]["value"], -7);
  EXPECT_EQ(J["observations"]["values"][1]["values"][0]["value"], "0x3ff0000000000000");
}

TEST(ProfileJson, RefusesOtherRegions) {
  Everything R;
  json J = R.random(1, 10).toJson();
  TestRegion FewerArguments({SPECRT_KIND_I1});
  EXPECT_FALSE(profileFromJson(J, FewerArguments.get()));
  Everything OtherKind;
  OtherKind.Kinds[3] = SPECRT_KIND_I64;
  EXPECT_FALSE(profileFromJson(J, OtherKind.get()));
  Everything OtherLoops;
  OtherLoops.Loops.clear();
  EXPECT_FALSE(profileFromJson(J, OtherLoops.get()));
}

/// Replaces each value of the document in turn by each hostile one.
template <typename Visit> void mutateEach(json &Root, json &Node, Visit Check) {
  static const json Hostile[] = {nullptr,        "text",     -1,
                                 1e300,          UINT64_MAX, json::array(),
                                 json::object(), true,       json::array({json::object()})};
  for (json &Child : Node) {
    json Kept = Child;
    for (const json &Value : Hostile) {
      Child = Value;
      Check(Root);
    }
    Child = Kept;
    if (Child.is_structured())
      mutateEach(Root, Child, Check);
  }
}

TEST(ProfileJson, SurvivesHostileContent) {
  Everything R;
  json J = R.random(1, 30).toJson();
  int Refused = 0, Total = 0;
  mutateEach(J, J, [&](const json &Mutant) {
    auto P = profileFromJson(Mutant, R.get());
    ++Total;
    Refused += !P;
    if (P) { // accepted: then it must be usable
      plans(*P, R.get(), 4);
      RegionProfile Q = R.random(2, 10);
      Q.merge(*P);
      Q.toJson();
    }
  });
  EXPECT_GT(Total, 1000);
  EXPECT_GT(Refused, Total * 3 / 4);
}

TEST(ProfileJson, RefusesRepeatedEntries) {
  Everything R;
  json J = R.random(1, 3).toJson();
  json Twice = J;
  Twice["observations"]["tuples"].push_back(Twice["observations"]["tuples"][0]);
  EXPECT_FALSE(profileFromJson(Twice, R.get()));
  Twice = J;
  Twice["observations"]["values"][0]["values"].push_back(
      Twice["observations"]["values"][0]["values"][0]);
  EXPECT_FALSE(profileFromJson(Twice, R.get()));
}

} // namespace
