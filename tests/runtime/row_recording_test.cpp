//===- tests/runtime/row_recording_test.cpp - how long rows are walked ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/touch_ahead.h"
#include "runtime/record/row_recording.h"

#include "runtime/base/clock.h"
#include <algorithm>
#include <cerrno>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <vector>

using namespace specrt;

namespace {

/// Rows of three entries, as many as are wanted.
void inspectWithoutEnd(const uint64_t *, specrt_row_trace *Trace) {
  for (int I = 0; I < 3; ++I) {
    Trace->phase->values[I] = I;
    Trace->kinds[I] = 0;
  }
  while (Trace->row(Trace, 3) != 0) {
  }
}

specrt_sparse_loop endlessLoop() {
  specrt_sparse_loop SparseLoop{};
  SparseLoop.inspect = inspectWithoutEnd;
  return SparseLoop;
}

TEST(RowRecording, EndsWhenItsTimeIsOver) {
  const specrt_sparse_loop SparseLoop = endlessLoop();
  RowRecording Rows;
  Rows.prepare();
  Rows.walk(0, SparseLoop, nullptr, 1 << 20, 0);
  Rows.walk(1, SparseLoop, nullptr, 1 << 20, UINT64_MAX);
  const std::vector<RowsOfLoop> Found = Rows.shapes();
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_GT(Found[0].Rows, 10u);
  EXPECT_LT(Found[0].Rows, 1000u);
  EXPECT_GT(Found[1].Rows, 100'000u) << "as many as there is memory for";
}

/// Rows of one entry, the third input many; the first two decide.
void inspectSome(const uint64_t *Inputs, specrt_row_trace *Trace) {
  for (uint64_t I = 0; I < Inputs[2]; ++I) {
    Trace->phase->values[0] = static_cast<int64_t>(Inputs[0] + I);
    Trace->kinds[0] = SPECRT_ROW_VALUE;
    if (!Trace->row(Trace, 1))
      return;
  }
}

struct SomeRows {
  uint8_t Deciding[3] = {1, 1, 0};
  specrt_sparse_loop SparseLoop{};
  RowRecording Rows;

  SomeRows() {
    SparseLoop.inspect = inspectSome;
    SparseLoop.deciding = Deciding;
    SparseLoop.num_inputs = 3;
    Rows.prepare();
  }
  void begin(uint32_t Loop, uint64_t First, uint64_t Second, uint64_t Count = 50) {
    const uint64_t Inputs[] = {First, Second, Count};
    Rows.walk(Loop, SparseLoop, Inputs, Count, UINT64_MAX);
  }
};

TEST(RowRecording, LeavesOutLoopsThatBeginOtherwiseEachTime) {
  SomeRows S;
  for (uint64_t I = 0; I < 1000; ++I) {
    S.begin(0, 7, 8);
    S.begin(1, I, 8);
    S.begin(2, 7, 8, I % MaxRowTables + 1);
    S.begin(3, 7, 8, I + 1);
  }
  const std::vector<RowsOfLoop> Found = S.Rows.shapes();
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found[0].Loop, 0u);
  EXPECT_EQ(Found[0].Rows, 50u) << "walked once";
  EXPECT_EQ(Found[1].Loop, 2u) << "so many tables are kept";
  EXPECT_EQ(S.Rows.numUnsteady(), 2u);
}

TEST(RowRecording, AsksForNothingMoreOfSettledLoops) {
  SomeRows S;
  EXPECT_TRUE(S.Rows.wants(0));
  uint64_t Beginnings = 0;
  for (; S.Rows.wants(1) && Beginnings < 1000; ++Beginnings)
    S.begin(1, Beginnings, 8);
  EXPECT_EQ(Beginnings, MaxRowTables + 1);
  for (Beginnings = 0; S.Rows.wants(2) && Beginnings < 1'000'000; ++Beginnings)
    S.begin(2, 7, 8);
  EXPECT_LT(Beginnings, 10'000u);
  EXPECT_EQ(S.Rows.shapes().size(), 1u);
}

TEST(TouchAhead, GivesPagesBeforeTheyAreWritten) {
  constexpr size_t Bytes = size_t{4} << 20, Page = 4096;
  constexpr int PopulateWrite = 23;
  void *Memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(Memory, MAP_FAILED);
  errno = EDOM;
  touchAhead(Memory, Bytes / 2);
  EXPECT_EQ(errno, EDOM);
  std::vector<unsigned char> IsThere(Bytes / Page);
  ASSERT_EQ(mincore(Memory, Bytes, IsThere.data()), 0);
  const auto Half = IsThere.begin() + static_cast<std::ptrdiff_t>(IsThere.size() / 2);
  const auto Count = std::count(IsThere.begin(), Half, 1);
  const bool IsPossible =
      madvise(static_cast<char *>(Memory) + Bytes / 2, Page, PopulateWrite) == 0;
  munmap(Memory, Bytes);
  if (!IsPossible)
    GTEST_SKIP() << "this system gives no pages ahead";
  EXPECT_EQ(Count, Half - IsThere.begin());
}

} // namespace
