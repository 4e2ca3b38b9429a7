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
    Loop.inspect = &inspectBothSides;
    FarRow = 0;
    ownRows(this, &Loop);
  }
  bool callHere() {
    auto Inputs = inputs(Y);
    Inputs[0] = reinterpret_cast<uint64_t>(Memory);
    const specrt_rows_table *Table = beginRows(&Loop, Inputs.data(), Index.size());
    if (Table)
      endRows(&Loop, Table);
    return Table != nullptr;
  }
  char *Memory;
};

/// The hole may be somebody else's, whatever it is now.
TEST_F(RowGaps, WhatDecidesLiesTogether) {
  for (const uint64_t Row : {0, 5}) {
    begin();
    FarRow = Row;
    EXPECT_FALSE(callHere());
    EXPECT_EQ(figures().Problem, words(Reason::RowsReadAfar));
  }
}

/// Each row looks for a note, the last ones behind a hole.
void inspectNotes(const uint64_t *Inputs, specrt_row_trace *Into) {
  for (uint64_t I = 0; I < Inputs[3]; ++I) {
    const uint64_t Place = Inputs[0] + (I < Inputs[3] / 2 ? 0 : FarRow) + I * sizeof(int);
    Into->phase->values[0] =
        static_cast<int64_t>(Into->notes->load(Into->notes, Place, sizeof(int)));
    Into->kinds[0] = SPECRT_ROW_SOURCE;
    Into->all_low[0] = Inputs[0];
    Into->all_high[0] = Place + sizeof(int);
    Into->low[2] = Inputs[2] + I * sizeof(double);
    Into->high[2] = Into->low[2] + sizeof(double);
    Into->num_accesses = 0;
    if (!Into->row(Into, 1))
      return;
  }
}

TEST_F(RowGaps, NotesLieOnAllPages) {
  Bases[0].flags = SPECRT_ROWS_NOTES;
  Entry = {SPECRT_ROW_SOURCE, SPECRT_ROW_CONTROL, 0, 0, 0, 0};
  for (const uint64_t Hole : {uint64_t{0}, uint64_t{2000}, uint64_t{2 * Part}}) {
    begin();
    Loop.inspect = &inspectNotes;
    FarRow = Hole;
    EXPECT_EQ(callHere(), Hole < Part) << Hole;
    EXPECT_EQ(std::string_view(figures().Problem), Hole < Part ? "" : words(Reason::RowsReadAfar));
  }
}

} // namespace
