//===- tests/runtime/rows/gaps_test.cpp - rows that read on both sides of a hole ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/reasons.h"
#include "tests/runtime/rows/row_loop.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/mman.h>

using namespace specrt;

namespace {

constexpr size_t Part = 1 << 16; // of any page's size
uint64_t FarRow = 0;

/// Row FarRow also reads the last part of what lies behind the base of the indices.
void inspectBothSides(const uint64_t *Inputs, specrt_row_trace *Into) {
  const auto *Index = reinterpret_cast<const int *>(Inputs[0]);
  for (uint64_t I = 0; I < Inputs[3]; ++I) {
    Into->phase->values[0] = Index[I];
    Into->kinds[0] = SPECRT_ROW_VALUE;
    Into->all_low[0] = Inputs[0];
    Into->all_high[0] = std::max(Into->all_high[0], Inputs[0] + (I + 1) * sizeof(int));
    Into->low[0] = I == FarRow ? Inputs[0] + 2 * Part : UINT64_MAX;
    Into->high[0] = I == FarRow ? Into->low[0] + sizeof(int) : 0;
    Into->low[2] = Inputs[2] + I * sizeof(double);
    Into->high[2] = Into->low[2] + sizeof(double);
    Into->num_accesses = 0;
    if (!Into->row(Into, 1))
      return;
  }
}

struct RowGaps : RowTables {
  RowGaps() {
    void *At = mmap(nullptr, 3 * Part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(At, MAP_FAILED);
    Memory = static_cast<char *>(At);
    std::memcpy(Memory, Index.data(), Index.size() * sizeof(int));
    begin();
  }
  ~RowGaps() override { munmap(Memory, 3 * Part); }
  void begin() {
    forgetRows(this);
    Site.inspect = &inspectBothSides;
    FarRow = 0;
    ownRows(this, &Site);
  }
  bool callHere() {
    auto Inputs = inputs(Y);
    Inputs[0] = reinterpret_cast<uint64_t>(Memory);
    const specrt_rows_table *Table = beginRows(&Site, Inputs.data(), Index.size());
    if (Table)
      endRows(&Site, Table);
    return Table != nullptr;
  }
  char *Memory;
};

TEST_F(RowGaps, NobodyReadsWhatCannotBeRead) {
  ASSERT_EQ(mprotect(Memory + Part, Part, PROT_NONE), 0);
  EXPECT_FALSE(callHere());
  EXPECT_EQ(figures().Problem, words(Reason::RowsUnwatched));
  ASSERT_EQ(munmap(Memory + Part, Part), 0);
  begin();
  EXPECT_FALSE(callHere());
  EXPECT_EQ(figures().Problem, words(Reason::RowsUnwatched));
}

TEST_F(RowGaps, WhatCanBeReadIsWatched) {
  ASSERT_EQ(mprotect(Memory + Part, Part, PROT_READ), 0); // three mappings
  EXPECT_TRUE(callHere());
  EXPECT_TRUE(callHere());
  EXPECT_EQ(figures().Inspections, 1U);
  Memory[2 * Part] = 1;
  EXPECT_TRUE(callHere());
  EXPECT_EQ(figures().Inspections, 2U);
}

TEST_F(RowGaps, LaterRowsReadNearTheFirst) {
  FarRow = 5;
  EXPECT_FALSE(callHere());
  EXPECT_EQ(figures().Problem, words(Reason::RowsReadAfar));
}

} // namespace
