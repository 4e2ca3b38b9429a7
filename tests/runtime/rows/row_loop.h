//===- tests/runtime/rows/row_loop.h - a loop that asks for tables --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop is Y [I] = X [Index [I]], and its inspector is written by hand.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_RUNTIME_ROWS_ROW_LOOP_H
#define SPECRT_TESTS_RUNTIME_ROWS_ROW_LOOP_H

#include "runtime/base/clock.h"
#include "runtime/rows/row_tables.h"

#include <array>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace specrt {

/// Bytes between what rows write; less than a number: rows write what others write.
inline uint64_t WriteStride = 8;
/// So many rows later the same is written.
inline uint64_t Period = UINT64_MAX;
inline uint64_t IsScattered = 0;
/// What the inspector takes at least for so many entries, and what it has seen.
inline uint64_t NsPerRow = 0, EntriesPerRow = 1, RowsWalked = 0;

inline void inspect(const uint64_t *Inputs, specrt_row_trace *Into) {
  const auto *Index = reinterpret_cast<const int *>(Inputs[0]);
  for (uint64_t I = 0; I < Inputs[3]; ++I) {
    Into->phase->values[0] = Index[I];
    Into->kinds[0] = SPECRT_ROW_VALUE;
    Into->low[0] = Inputs[0] + I * sizeof(int);
    Into->high[0] = Into->low[0] + sizeof(int);
    Into->low[1] = Inputs[1] + static_cast<uint64_t>(Index[I]) * sizeof(double);
    Into->high[1] = Into->low[1] + sizeof(double);
    Into->low[2] = Inputs[2] + I % Period * WriteStride;
    Into->high[2] = Into->low[2] + sizeof(double);
    Into->accesses[0] = {Into->low[2], sizeof(double), 2 * 2 + 1};
    Into->num_accesses = 1;
    Into->trouble = IsScattered;
    ++RowsWalked;
    for (const uint64_t Begin = NsPerRow ? monotonicNs() : 0; NsPerRow;)
      if (monotonicNs() - Begin >= NsPerRow)
        break;
    if (!Into->row(Into, EntriesPerRow))
      return;
  }
}

struct RowTables : testing::Test {
  RowTables() {
    WriteStride = sizeof(double);
    Period = UINT64_MAX;
    IsScattered = 0;
    NsPerRow = RowsWalked = 0;
    EntriesPerRow = 1;
    std::iota(Index.begin(), Index.end(), 0);
    ownRows(this, &Loop);
  }
  ~RowTables() override { forgetRows(this); }

  std::array<uint64_t, 4> inputs(std::vector<double> &Result) {
    return {reinterpret_cast<uint64_t>(Index.data()), reinterpret_cast<uint64_t>(X.data()),
            reinterpret_cast<uint64_t>(Result.data()), Index.size()};
  }
  /// One call. Does it get a table, and is it one of all rows?
  bool call(std::vector<double> &Result) {
    const auto Inputs = inputs(Result);
    const specrt_rows_table *Table = beginRows(&Loop, Inputs.data(), Index.size());
    if (!Table)
      return false;
    int64_t Rows = 0;
    for (uint64_t I = 0; I < Table->num_segments; ++I)
      Rows += Table->segments[I].count;
    EXPECT_EQ(Rows, static_cast<int64_t>(Index.size()));
    endRows(&Loop, Table);
    return true;
  }
  bool call() { return call(Y); }
  RowFigures figures() const { return rowFigures(&Loop); }

  void setRows(size_t Rows) {
    Index.resize(Rows);
    std::iota(Index.begin(), Index.end(), 0);
    X.resize(Rows);
    Y.resize(Rows);
  }
  /// Every row waits for another, and threads share them.
  void shareRows(size_t Rows = 60000) {
    Loop.is_parallel = 1;
    Loop.may_depend = SPECRT_ROWS_LISTED_IN_32_BITS;
    Period = Rows / 6;
    setRows(Rows);
  }

  std::vector<int> Index = std::vector<int>(1000);
  std::vector<double> X = std::vector<double>(1000), Y = X;
  specrt_row_entry Entry = {SPECRT_ROW_VALUE, SPECRT_ROW_AFFINE, 1, 0, 0, 0};
  specrt_row_class Class = {.entries = &Entry,
                            .num_entries = 1,
                            .step = 1,
                            .min_rows = 8,
                            .segment_kinds = SPECRT_SEGMENT_BIT(SPECRT_SEGMENT_AFFINE) |
                                             SPECRT_SEGMENT_BIT(SPECRT_SEGMENT_LISTED)};
  specrt_rows_base Bases[3] = {
      {0, SPECRT_ROWS_DECIDES}, {1, SPECRT_ROWS_READ}, {2, SPECRT_ROWS_WRITTEN}};
  uint8_t Deciding[4] = {1, 0, 0, 1};
  specrt_sparse_loop Loop = {.state = nullptr,
                             .inspect = &inspect,
                             .bases = Bases,
                             .classes = &Class,
                             .deciding = Deciding,
                             .num_inputs = 4,
                             .num_bases = 3,
                             .num_classes = 1,
                             .is_parallel = 0,
                             .may_depend = 0,
                             .num_carried = 0,
                             .may_share = 1,
                             .is_linear = 0,
                             .has_addresses = 0,
                             .places = SPECRT_ROWS_ANYWHERE,
                             .unrolled = nullptr,
                             .next = nullptr,
                             .fused = nullptr,
                             .digest = {0, 0}};
};

} // namespace specrt

#endif
