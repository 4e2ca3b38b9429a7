//===- tests/profiler/zero_shares_test.cpp - arrays that are mostly zero ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/json/json_reader.h"
#include "profiler/observations/arrays/zero_shares.h"
#include "tests/profiler/test_region.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace specrt;
using namespace specrt_test;

namespace {

constexpr uint8_t Pointer = SPECRT_KIND_POINTER, I64 = SPECRT_KIND_I64;
constexpr size_t N = 8192;

/// void f(double *Out, const double *In, long n)
struct Copy : TestRegion {
  explicit Copy(uint32_t Out = SPECRT_ACCESS_WRITE)
      : TestRegion({Pointer, Pointer, I64},
                   {access(0, polynomial({term(8, {2})}), Out),
                    access(1, polynomial({term(8, {2})}), SPECRT_ACCESS_READ)},
                   {{5, 1, polynomial({term(1, {2})})}}) {}
};

struct Observed : testing::Test {
  Copy R;
  ZeroShares Shares{R.get()};
  std::vector<double> Out = std::vector<double>(N), In = std::vector<double>(N);

  void record(const void *From, uint64_t Nanoseconds = 100'000) {
    const uint64_t Inputs[] = {reinterpret_cast<uint64_t>(Out.data()),
                               reinterpret_cast<uint64_t>(From), N};
    Shares.record({R.get(), Inputs, Nanoseconds, false, false});
  }
};

TEST_F(Observed, ArraysThatAreRead) {
  record(In.data());
  EXPECT_EQ(Shares.mostlyZero(), (std::vector<uint8_t>{0, 1}));
  for (size_t I = 0; I < N; I += 2)
    In[I] = 1.1;
  record(In.data());
  EXPECT_TRUE(Shares.mostlyZero().empty()) << "the last call counts";
}

/// A matrix that is factorised in place.
TEST_F(Observed, ArraysThatAreWrittenAsWell) {
  Copy InPlace(SPECRT_ACCESS_WRITE | SPECRT_ACCESS_READ);
  ZeroShares Of(InPlace.get());
  In.assign(N, 3.0);
  const uint64_t Inputs[] = {reinterpret_cast<uint64_t>(Out.data()),
                             reinterpret_cast<uint64_t>(In.data()), N};
  Of.record({InPlace.get(), Inputs, 100'000, false, false});
  EXPECT_EQ(Of.mostlyZero(), (std::vector<uint8_t>{1, 0}));
}

TEST_F(Observed, NegativeZerosAndHalves) {
  std::vector<float> Narrow(2 * N);
  for (size_t I = 0; I < 2 * N; ++I)
    Narrow[I] = I % 5 == 0 ? 1.0F : -0.0F;
  record(Narrow.data());
  EXPECT_EQ(Shares.mostlyZero(), (std::vector<uint8_t>{0, 1}));
  // Half of each of these is zero, which makes none of them zero.
  In.assign(N, 3.0);
  Shares.clear();
  record(In.data());
  EXPECT_TRUE(Shares.mostlyZero().empty());
}

TEST_F(Observed, NothingOfShortCallsOrLostMemory) {
  record(In.data(), 100);
  EXPECT_TRUE(Shares.isEmpty());
  record(reinterpret_cast<const void *>(uint64_t{1} << 40));
  EXPECT_TRUE(Shares.mostlyZero().empty());
}

TEST_F(Observed, IsWrittenReadAndMerged) {
  record(In.data());
  ZeroShares Read(R.get()), Merged(R.get());
  JsonReader From;
  const nlohmann::json Text = nlohmann::json::parse(Shares.toJson().dump());
  Read.readJson(From, Text);
  EXPECT_TRUE(From.good());
  EXPECT_EQ(Read.toJson(), Text);
  Merged.add(Read);
  Merged.add(ZeroShares(R.get())); // which saw nothing
  EXPECT_EQ(Merged.mostlyZero(), Shares.mostlyZero());
  for (const char *Wrong : {"[]", "{}", R"([{"words":1,"zero":2,"zero_halves":0},{}])"}) {
    JsonReader Other;
    ZeroShares(R.get()).readJson(Other, nlohmann::json::parse(Wrong));
    EXPECT_FALSE(Other.good()) << Wrong;
  }
}

} // namespace
