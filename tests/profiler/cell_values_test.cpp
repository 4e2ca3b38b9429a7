//===- tests/profiler/cell_values_test.cpp - what cells hold at a call ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/cell_values.h"

#include "profiler/observations/input_values.h"
#include "profiler/observations/region_profile.h"
#include "profiler/plans/plan.h"
#include "tests/profiler/test_region.h"
#include <gtest/gtest.h>
#include <sys/mman.h>

using namespace specrt;
using namespace specrt_test;

namespace {

specrt_cell cell(uint16_t BaseKind, uint16_t Index, int32_t Begin, uint16_t Width, bool Certain) {
  specrt_cell C{};
  C.base.kind = BaseKind;
  C.base.index = Index;
  C.begin = Begin;
  C.width = Width;
  C.certain = Certain;
  return C;
}

struct Sizes {
  int32_t N;
  uint8_t Flag;
  int64_t M;
};

/// f(sizes, k) reads sizes->N at every call, the others not.
struct Kernel : TestRegion {
  Kernel() : TestRegion({SPECRT_KIND_POINTER, SPECRT_KIND_I32}) {
    Cells = {cell(SPECRT_BASE_ARGUMENT, 0, 0, 4, true), cell(SPECRT_BASE_ARGUMENT, 0, 4, 1, false),
             cell(SPECRT_BASE_ARGUMENT, 0, 8, 8, false), cell(SPECRT_BASE_SYMBOL, 0, 0, 2, true)};
    Symbols = {{"limit", &Limit}};
  }
  int16_t Limit = -2;
};

CellValues values(std::initializer_list<uint64_t> Values) {
  CellValues Result{};
  std::copy(Values.begin(), Values.end(), Result.begin());
  return Result;
}

TEST(CellValues, AreZeroExtended) {
  Kernel K;
  Sizes S{-3, 200, -1};
  uint64_t Packed[] = {reinterpret_cast<uint64_t>(&S), 7};
  EXPECT_EQ(readCells(K.get(), Packed), values({0xfffffffd, 200, UINT64_MAX, 0xfffe}));
  EXPECT_EQ(peekCells(K.get(), Packed), values({0xfffffffd, 200, UINT64_MAX, 0xfffe}));
}

TEST(CellValues, WhatACallNeedNotReadMayBeMissing) {
  constexpr size_t Page = 4096;
  auto *Memory = static_cast<char *>(
      mmap(nullptr, 2 * Page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(Memory, MAP_FAILED);
  munmap(Memory + Page, Page);
  Kernel K;
  char *Last = Memory + Page - 8; // N and Flag on the page, M behind it
  *reinterpret_cast<int32_t *>(Last) = 5;
  uint64_t Packed[] = {reinterpret_cast<uint64_t>(Last), 7};
  EXPECT_EQ(readCells(K.get(), Packed), values({5, 0, 0, 0xfffe}));
  munmap(Memory, Page);
  EXPECT_EQ(peekCells(K.get(), Packed), values({0, 0, 0, 0xfffe}));
}

TEST(CellValues, PlansAreAboutThem) {
  Kernel K;
  RegionProfile P(K.get());
  uint64_t Packed[] = {0x1000, 7};
  for (uint64_t Call = 0; Call < 100; ++Call)
    P.record(Packed, 1000, values({Call % 2 ? 40u : 50u, 1, 6, Call}));
  // The last one never recurs: what is left of the tuples is not about it.
  auto Plans = plans(P, K.get(), 4);
  ASSERT_EQ(Plans.size(), 1u);
  EXPECT_EQ(Plans[0].Assumed.Facts.size(), 2u);
  ASSERT_EQ(Plans[0].Assumed.Cells.size(), 3u);
  EXPECT_EQ(Plans[0].Assumed.Cells[1].value, 1u);
  RegionProfile Recurring(K.get());
  for (uint64_t Call = 0; Call < 100; ++Call)
    Recurring.record(Packed, 1000, values({Call % 2 ? 40u : 50u, 1, 6, 9}));
  Plans = plans(Recurring, K.get(), 4);
  ASSERT_EQ(Plans.size(), 2u);
  EXPECT_NE(Plans[0].Assumed.id(), Plans[1].Assumed.id());
  for (const SpeculationPlan &Plan : Plans) {
    ASSERT_EQ(Plan.Assumed.Cells.size(), 4u);
    EXPECT_EQ(Plan.Assumed.Cells[3].value, 9u);
    EXPECT_EQ(Plan.Share, 0.5);
  }
}

TEST(CellValues, RepeatedCallsDifferInCellsAlone) {
  Kernel K;
  RegionProfile P(K.get());
  uint64_t Packed[] = {0x1000, 7};
  for (uint64_t N : {1u, 1u, 2u, 2u, 2u})
    P.record(Packed, 10, values({N}));
  EXPECT_EQ(P.get<InputValues>()[2].top().Value, 2u);
  EXPECT_EQ(P.get<InputValues>()[2].top().Count, 3u);
}

} // namespace
