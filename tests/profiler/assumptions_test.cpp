//===- tests/profiler/assumptions_test.cpp - what a version relies on -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/plans/assumptions.h"

#include "tests/profiler/test_region.h"
#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

using namespace specrt;
using namespace specrt_test;
using nlohmann::json;

namespace {

const std::vector<uint8_t> Kinds = {SPECRT_KIND_I32, SPECRT_KIND_F64, SPECRT_KIND_POINTER,
                                    SPECRT_KIND_I64, SPECRT_KIND_I64};

Assumptions everything() {
  Assumptions A;
  A.Facts.resize(Kinds.size());
  makeConstant(A.Facts[0], Kinds[0], static_cast<uint32_t>(-4));
  makeConstant(A.Facts[1], Kinds[1], packed(0.1));
  A.Facts[2].flags = SPECRT_FACT_ALIGNED;
  A.Facts[2].alignment = 32;
  A.Facts[3].flags = SPECRT_FACT_RANGE;
  A.Facts[3].low = -1;
  A.Facts[3].high = INT64_MAX;
  A.Cells = {{{{SPECRT_BASE_ARGUMENT, 2, 0}, 8, 4, 1}, 100},
             {{{SPECRT_BASE_SYMBOL, 1, 0}, -4, 8, 0}, UINT64_MAX}};
  A.Overlaps = {0, 1, 1, 0};
  return A;
}

/// The same, for fewer calls.
const std::vector<std::function<void(Assumptions &)>> Widenings = {
    [](Assumptions &A) { A.Facts[2].alignment = 64; },
    [](Assumptions &A) { A.Facts[3].low = 0; },
    [](Assumptions &A) { A.Facts[3].high = 5; },
    [](Assumptions &A) { A.Overlaps.clear(); },
};
/// For other calls.
const std::vector<std::function<void(Assumptions &)>> Changes = {
    [](Assumptions &A) { A.Facts[0].value = 5; },
    [](Assumptions &A) { A.Facts[0] = {}; },
    [](Assumptions &A) { A.Facts[1].value = packed(0.2); },
    [](Assumptions &A) { makeConstant(A.Facts[4], Kinds[4], 7); },
    [](Assumptions &A) { A.Cells[0].value = 101; },
    [](Assumptions &A) { A.Cells[0].cell.begin = 12; },
    [](Assumptions &A) { A.Cells[0].cell.width = 8; },
    [](Assumptions &A) { A.Cells[1].cell.base.index = 2; },
    [](Assumptions &A) { A.Cells[1].cell.base.kind = SPECRT_BASE_ARGUMENT; },
    [](Assumptions &A) { A.Cells.pop_back(); },
    [](Assumptions &A) { A.Overlaps = {0, 2, 2, 0}; },
};

TEST(Assumptions, IdNamesConstants) {
  EXPECT_EQ(Assumptions().id().text(), "any");
  EXPECT_EQ(everything().id().text(), "0=0xfffffffc,1=0x3fb999999999999a,"
                                      "argument 2 + 8:4=0x64,"
                                      "symbol 1 + -4:8=0xffffffffffffffff");
  for (const auto &Widen : Widenings) {
    Assumptions A = everything();
    Widen(A);
    EXPECT_EQ(A.id(), everything().id());
  }
  std::set<AssumptionsId> Ids = {everything().id()};
  for (const auto &Change : Changes) {
    Assumptions A = everything();
    Change(A);
    EXPECT_TRUE(Ids.insert(A.id()).second) << A.id().text();
  }
}

TEST(Assumptions, TextNamesEverything) {
  std::set<std::string> Texts = {everything().text()};
  for (const auto *Group : {&Widenings, &Changes})
    for (const auto &Change : *Group) {
      Assumptions A = everything();
      Change(A);
      EXPECT_TRUE(Texts.insert(A.text()).second) << A.text();
    }
}

TEST(Assumptions, CoverTheCallsOfFewer) {
  EXPECT_TRUE(everything().covers(everything()));
  for (const auto &Widen : Widenings) {
    Assumptions Fewer = everything();
    Widen(Fewer);
    EXPECT_TRUE(everything().covers(Fewer));
    EXPECT_FALSE(Fewer.covers(everything()));
  }
  Assumptions Nothing;
  Nothing.Facts.resize(Kinds.size());
  EXPECT_FALSE(everything().covers(Nothing));
  EXPECT_FALSE(everything().covers(Assumptions()));
  Nothing.Overlaps = {1, 1, 1, 1};
  EXPECT_TRUE(Nothing.covers(everything()));
}

TEST(Assumptions, CoverCallsWhoseArraysAreZeroNoLonger) {
  Assumptions WithZeros = everything(), Without = everything();
  WithZeros.Zeros = {0, 1};
  Without.Zeros.clear();
  EXPECT_TRUE(WithZeros.covers(Without));
  EXPECT_FALSE(Without.covers(WithZeros)) << "that is worth trying";
}

TEST(Assumptions, InWords) {
  TestRegion R(Kinds);
  R.Symbols = {{"first", nullptr}, {"limit", nullptr}};
  EXPECT_EQ(describe(everything(), R.get()),
            "size 1 == -4, number 1 == 0.10000000000000001, the 4 bytes at 1st array + 8 == 100, "
            "the 8 bytes at limit + -4 == 18446744073709551615");
  EXPECT_EQ(describe(Assumptions(), R.get()), "any values");
  TestRegion InPlace({SPECRT_KIND_POINTER, SPECRT_KIND_POINTER},
                     {access(0, unknown(), SPECRT_ACCESS_WRITE), access(1, unknown(), 0),
                      access(1, unknown(), SPECRT_ACCESS_READ)});
  Assumptions Same;
  Same.Overlaps = {0, 2, 2, 2, 0, 0, 2, 0, 0};
  EXPECT_EQ(describe(Same, InPlace.get()), "1st array == 2nd array");
}

TEST(Assumptions, RoundTripThroughJson) {
  json J = json::parse(toJson(everything(), Kinds).dump());
  auto Read = assumptionsFromJson(J, Kinds, 2);
  ASSERT_TRUE(Read);
  EXPECT_EQ(Read->text(), everything().text());
  EXPECT_EQ(toJson(*Read, Kinds), J);
}

TEST(Assumptions, RefuseWhatDoesNotFit) {
  auto Read = [](const json &Facts, const json &Cells = json::array()) {
    return assumptionsFromJson({{"facts", Facts}, {"cells", Cells}, {"overlaps", ""}}, Kinds, 2);
  };
  ASSERT_TRUE(Read(json::array()));
  for (json Bad :
       {json{{"argument", 5}, {"constant", 1}}, json{{"argument", 2}, {"constant", 1}},
        json{{"argument", 0}, {"alignment", 16}}, json{{"argument", 3}, {"low", 2}, {"high", 1}},
        json{{"argument", 2}, {"alignment", 24}}, json{{"argument", 0}, {"constant", 4294967296}},
        json{{"constant", 1}}, json(7)})
    EXPECT_FALSE(Read(json::array({Bad}))) << Bad;
  EXPECT_FALSE(Read(json(1)));
  const json Cell = {
      {"argument", 0u}, {"begin", 8}, {"bytes", 4u}, {"certain", true}, {"value", "0x7"}};
  ASSERT_TRUE(Read(json::array(), json::array({Cell})));
  for (auto [Field, Value] : {std::pair<const char *, json>{"argument", 65536u},
                              {"begin", 2147483648u},
                              {"bytes", 3u},
                              {"bytes", 16u},
                              {"certain", 1},
                              {"value", 7},
                              {"value", "0x100000000"}}) {
    json Bad = Cell;
    Bad[Field] = Value;
    EXPECT_FALSE(Read(json::array(), json::array({Bad}))) << Bad;
  }
  EXPECT_FALSE(assumptionsFromJson(
      {{"facts", json::array()}, {"cells", json::array()}, {"overlaps", "012"}}, Kinds, 2));
  EXPECT_FALSE(assumptionsFromJson(json(1), Kinds, 2));
  // The compiler reads one for each access, or for each pair of them.
  const auto WithBits = [](const char *Overlaps, const char *Zeros) {
    return assumptionsFromJson({{"facts", json::array()},
                                {"cells", json::array()},
                                {"overlaps", Overlaps},
                                {"zeros", Zeros}},
                               Kinds, 2);
  };
  EXPECT_TRUE(WithBits("0110", "01"));
  EXPECT_FALSE(WithBits("0110", "1"));
  EXPECT_FALSE(WithBits("01", "01"));
}

} // namespace
