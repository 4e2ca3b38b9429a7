//===- tests/profiler/observations_test.cpp - what every kind of observation promises ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/observation.h"

#include "profiler/json/json_reader.h"
#include "profiler/observations/alias_profile.h"
#include "profiler/observations/region_profile.h"
#include "tests/profiler/test_region.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

using namespace specrt;
using namespace specrt_test;
using nlohmann::json;

namespace specrt {

/// CTest's names of tests contain the parameter.
static void PrintTo(const ObservationKind &Kind, std::ostream *Out) { *Out << Kind.Name; }

} // namespace specrt

namespace {

constexpr uint8_t Pointer = SPECRT_KIND_POINTER, I64 = SPECRT_KIND_I64;

/// void f(double *A, const double *B, long n) with an access of each and a loop.
struct Copy : TestRegion {
  Copy()
      : TestRegion({Pointer, Pointer, I64},
                   {access(0, polynomial({term(8, {2})}), SPECRT_ACCESS_WRITE),
                    access(1, polynomial({term(8, {2})}), SPECRT_ACCESS_READ)},
                   {{5, 1, polynomial({term(1, {2})})}}) {}
};

/// Shows calls with all sorts of values to an observation that looks at calls.
void observe(Observation &O, TestRegion &R, unsigned Seed, int Calls) {
  std::mt19937_64 Random(Seed);
  for (int I = 0; I < Calls; ++I) {
    std::vector<uint64_t> Inputs = {8 * (Random() % 1000), 8 * (Random() % 1000), Random() % 100};
    O.sampled()->record(sampled(R, Inputs));
  }
}

/// Returns the kinds that learn from the values of sampled calls. Those of zeros also need arrays.
std::vector<ObservationKind> sampledKinds() {
  Copy R;
  std::vector<ObservationKind> Found;
  for (const ObservationKind &Kind : observationKinds())
    if (Kind.create(R.get())->sampled() && Kind.Name != std::string("zeros"))
      Found.push_back(Kind);
  return Found;
}

class SampledKind : public testing::TestWithParam<ObservationKind> {
protected:
  std::unique_ptr<Observation> make() { return GetParam().create(R.get()); }
  std::unique_ptr<Observation> observed(unsigned Seed, int Calls = 20) {
    auto Made = make();
    observe(*Made, R, Seed, Calls);
    return Made;
  }
  Copy R;
};

TEST_P(SampledKind, BeginsEmptyAndIsEmptyAfterClear) {
  auto O = make();
  EXPECT_TRUE(O->isEmpty());
  observe(*O, R, 1, 5);
  EXPECT_FALSE(O->isEmpty());
  O->clear();
  EXPECT_TRUE(O->isEmpty());
  observe(*O, R, 2, 20);
  EXPECT_EQ(O->toJson(), observed(2)->toJson()) << "something of before is left";
}

TEST_P(SampledKind, ClonesAreIndependent) {
  auto O = observed(1);
  json Before = O->toJson();
  auto Clone = O->clone();
  EXPECT_EQ(Clone->toJson(), Before);
  observe(*Clone, R, 2, 20);
  EXPECT_EQ(O->toJson(), Before);
  EXPECT_NE(Clone->toJson(), Before);
}

TEST_P(SampledKind, IsWrittenAndRead) {
  auto O = observed(1), Read = make();
  json Text = json::parse(O->toJson().dump());
  JsonReader In;
  Read->readJson(In, Text);
  EXPECT_TRUE(In.good());
  EXPECT_EQ(Read->toJson(), Text);
  EXPECT_FALSE(Read->isEmpty());
  for (const json &Wrong : {json(), json(5), json("text"), json::array({1}), json({{"a", 1}})}) {
    JsonReader Other;
    make()->readJson(Other, Wrong);
    EXPECT_FALSE(Other.good()) << Wrong;
  }
}

TEST_P(SampledKind, MergingAddsToAnEmptyOneAndKnowsBoth) {
  auto O = make();
  auto First = observed(1), Second = observed(2);
  O->merge(*First);
  EXPECT_EQ(json::parse(O->toJson().dump()).size(), First->toJson().size());
  EXPECT_FALSE(O->isEmpty());
  json Before = O->toJson();
  O->merge(*Second);
  EXPECT_NE(O->toJson(), Before);
}

TEST_P(SampledKind, MemoryIsBoundedWhateverCallsDo) {
  auto O = make();
  const size_t Fresh = O->memoryBytes();
  observe(*O, R, 3, 5000);
  for (unsigned Seed = 0; Seed < 20; ++Seed)
    O->merge(*observed(Seed, 200));
  EXPECT_LE(O->memoryBytes(), Fresh);
  EXPECT_LT(Fresh, size_t{64} << 10);
}

INSTANTIATE_TEST_SUITE_P(Observations, SampledKind, testing::ValuesIn(sampledKinds()),
                         [](const auto &Info) { return std::string(Info.param.Name); });

TEST(Observations, NamesAreDistinct) {
  std::set<std::string> Names;
  for (const ObservationKind &Kind : observationKinds())
    EXPECT_TRUE(Names.insert(Kind.Name).second) << Kind.Name;
}

/// What an earlier run saw, with one pair that overlapped.
void loadOverlap(Observation &Into) {
  JsonReader In;
  Into.readJson(In, json::parse(R"([{"first":0,"second":1,"disjoint":0,"disjoint_ns":0,)"
                                R"("overlapping":7,"overlapping_ns":7,"unknown":0,"unknown_ns":0,)"
                                R"("same":0,"same_ns":0}])"));
  EXPECT_TRUE(In.good());
}

TEST(RegionProfile, ReadsWhatIsDeferredWhenItIsAskedFor) {
  Copy R;
  RegionProfile P(R.get());
  int Loads = 0;
  P.defer("aliasing", [&](Observation &Into) { ++Loads, loadOverlap(Into); });
  P.defer("nothing of this name", [&](Observation &) { ++Loads; });
  uint64_t Disjoint[] = {0x1000, 0x9000, 10};
  P.record(Disjoint, 5);
  EXPECT_FALSE(P.toJson()["observations"].contains("aliasing"));
  EXPECT_TRUE(P.toJson()["observations"].contains("values"));
  EXPECT_EQ(Loads, 0);
  const PairProfile &Pair = P.get<AliasProfile>().pairs()[0];
  EXPECT_EQ(Pair.Counts[PairProfile::Overlapping], 7u);
  EXPECT_EQ(Pair.Counts[PairProfile::Disjoint], 1u);
  P.get<AliasProfile>();
  EXPECT_EQ(Loads, 1);
  EXPECT_TRUE(P.toJson()["observations"].contains("aliasing"));
}

TEST(RegionProfile, MergingReadsOnlyWhatBothSaw) {
  Copy R;
  RegionProfile Stored(R.get()), Newer(R.get());
  int Loads = 0;
  Stored.defer("aliasing", [&](Observation &Into) { ++Loads, loadOverlap(Into); });
  EXPECT_TRUE(Stored.merge(Newer));
  EXPECT_EQ(Loads, 0);
  uint64_t Disjoint[] = {0x1000, 0x9000, 10};
  Newer.record(Disjoint, 5);
  EXPECT_TRUE(Stored.merge(Newer));
  EXPECT_EQ(Loads, 1);
  EXPECT_EQ(Stored.get<AliasProfile>().pairs()[0].Counts[PairProfile::Overlapping], 7u);
  EXPECT_EQ(Stored.get<AliasProfile>().pairs()[0].Counts[PairProfile::Disjoint], 1u);
  // What is deferred in the newer one counts, too.
  Newer.clear();
  Newer.defer("aliasing", loadOverlap);
  EXPECT_TRUE(Stored.merge(Newer));
  EXPECT_EQ(Stored.get<AliasProfile>().pairs()[0].Counts[PairProfile::Overlapping], 14u);
}

TEST(RegionProfile, CopiesOfDeferredOnesReadForThemselves) {
  Copy R;
  RegionProfile Stored(R.get());
  Stored.defer("aliasing", loadOverlap);
  RegionProfile Taken = Stored;
  Stored.clear();
  EXPECT_EQ(Stored.get<AliasProfile>().pairs()[0].Counts[PairProfile::Overlapping], 0u);
  EXPECT_EQ(Taken.get<AliasProfile>().pairs()[0].Counts[PairProfile::Overlapping], 7u);
  uint64_t Disjoint[] = {0x1000, 0x9000, 10};
  Taken.record(Disjoint, 5); // into what the copy owns
  EXPECT_EQ(Taken.get<AliasProfile>().pairs()[0].Counts[PairProfile::Disjoint], 1u);
  EXPECT_EQ(Stored.get<AliasProfile>().pairs()[0].Counts[PairProfile::Disjoint], 0u);
}

/// A profile by another libspecrt of the same format.
TEST(RegionProfile, KindsThatAreMissingSawNothing) {
  Copy R;
  RegionProfile P(R.get());
  uint64_t Call[] = {0x1000, 0x9000, 10};
  P.record(Call, 5);
  json Less = P.toJson();
  Less["observations"].erase("aliasing");
  Less["observations"]["weather"] = "fine";
  RegionProfile Read(R.get());
  JsonReader In;
  Read.readJson(In, Less);
  EXPECT_TRUE(In.good());
  EXPECT_TRUE(Read.get<AliasProfile>().isEmpty());
  EXPECT_EQ(Read.sampledCalls(), 1u);
}

} // namespace
