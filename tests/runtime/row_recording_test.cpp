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
    Trace->values[I] = I;
    Trace->kinds[I] = 0;
  }
  while (Trace->row(Trace, 3) != 0) {
  }
}

specrt_rows_site endlessSite() {
  specrt_rows_site Site{};
  Site.inspect = inspectWithoutEnd;
  return Site;
}

TEST(RowRecording, EndsWhenItsTimeIsOver) {
  const specrt_rows_site Site = endlessSite();
  RowRecording Rows;
  Rows.prepare();
  Rows.walk(0, Site, nullptr, 1 << 20, 0);
  Rows.walk(1, Site, nullptr, 1 << 20, UINT64_MAX);
  const std::vector<RowsOfLoop> Found = Rows.shapes();
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_GT(Found[0].Rows, 10u);
  EXPECT_LT(Found[0].Rows, 1000u);
  EXPECT_GT(Found[1].Rows, 100'000u) << "as many as there is memory for";
}

TEST(TouchAhead, GivesPagesBeforeTheyAreWritten) {
  constexpr size_t Bytes = size_t{4} << 20, Page = 4096;
  void *Memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(Memory, MAP_FAILED);
  errno = EDOM;
  touchAhead(Memory, Bytes / 2);
  EXPECT_EQ(errno, EDOM);
  std::vector<unsigned char> IsThere(Bytes / Page);
  ASSERT_EQ(mincore(Memory, Bytes, IsThere.data()), 0);
  const auto Half = IsThere.begin() + static_cast<std::ptrdiff_t>(IsThere.size() / 2);
  if (const auto Count = std::count(IsThere.begin(), Half, 1); Count > 0)
    EXPECT_EQ(Count, Half - IsThere.begin());
  munmap(Memory, Bytes);
}

} // namespace
