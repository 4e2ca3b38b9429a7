//===- tests/runtime/rows/shared_rows_test.cpp - threads and memory that tables take ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/runtime/rows/row_loop.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <new>
#include <pthread.h>
#include <sched.h>
#include <thread>

using namespace specrt;

// Sanitizers have operators of their own.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SPECRT_TEST_OWN_NEW 0
#else
#define SPECRT_TEST_OWN_NEW 1
#endif

/// Of this thread's allocations so many succeed yet; negative: all.
static thread_local int64_t AllocationsLeft = -1;

#if SPECRT_TEST_OWN_NEW
void *operator new(size_t Bytes) {
  if (AllocationsLeft == 0)
    throw std::bad_alloc();
  AllocationsLeft -= AllocationsLeft > 0;
  if (void *Memory = std::malloc(Bytes))
    return Memory;
  throw std::bad_alloc();
}
void *operator new(size_t Bytes, const std::nothrow_t &) noexcept {
  return AllocationsLeft == 0 ? nullptr : std::malloc(Bytes);
}
void operator delete(void *Memory) noexcept { std::free(Memory); }
void operator delete(void *Memory, size_t) noexcept { std::free(Memory); }
#endif

namespace {

/// What threads do with a table that they share.
struct SharedRows {
  const specrt_rows_table *Table;
  std::vector<std::atomic<int>> Done;
  std::atomic<int> TooEarly{0};

  static void run(void *Words, uint64_t Begin, uint64_t End) {
    auto &Mine = *static_cast<SharedRows *>(Words);
    for (uint64_t I = Begin; I < End; ++I)
      for (int64_t K = 0; K < Mine.Table->segments[I].count; ++K) {
        const uint32_t Row = reinterpret_cast<const uint32_t *>(Mine.Table->segments[I].origins)[K];
        if (Row >= Period && Mine.Done[Row - Period].load(std::memory_order_relaxed) == 0)
          ++Mine.TooEarly;
        Mine.Done[Row].store(1, std::memory_order_relaxed);
      }
  }
};

TEST_F(RowTables, AreSharedInOrder) {
  shareRows();
  const size_t Size = Index.size();
  for (int Call = 0; Call < 20; ++Call) {
    const auto Inputs = inputs(Y);
    const specrt_rows_table *Table = beginRows(&Loop, Inputs.data(), Size);
    ASSERT_NE(Table, nullptr) << figures().Problem;
    EXPECT_EQ(beginRows(&Loop, Inputs.data(), Size), nullptr) << "one call at a time";
    SharedRows Rows{Table, std::vector<std::atomic<int>>(Size)};
    std::vector<std::thread> Threads;
    for (int I = 0; I < 3; ++I)
      Threads.emplace_back([&] { Table->share(Table, &SharedRows::run, &Rows); });
    for (std::thread &T : Threads)
      T.join();
    EXPECT_EQ(Rows.TooEarly, 0);
    EXPECT_EQ(std::count(Rows.Done.begin(), Rows.Done.end(), 1), Size);
    endRows(&Loop, Table);
  }
}

/// Makes the calling thread one of \p Policy on processor \p Number.
bool runAs(int Policy, int Number) {
  cpu_set_t Mask;
  CPU_ZERO(&Mask);
  CPU_SET(static_cast<size_t>(Number), &Mask);
  const sched_param Priority = {.sched_priority = Policy == SCHED_FIFO ? 1 : 0};
  return pthread_setaffinity_np(pthread_self(), sizeof(Mask), &Mask) == 0 &&
         pthread_setschedparam(pthread_self(), Policy, &Priority) == 0;
}

/// Of the calling thread.
double cpuMs() {
  timespec Time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Time);
  return static_cast<double>(Time.tv_sec) * 1e3 + static_cast<double>(Time.tv_nsec) * 1e-6;
}

/// Where it did not, the other would get a twentieth of the processor, or nothing.
TEST_F(RowTables, AnUrgentThreadSleepsWhileItWaits) {
  shareRows();
  const auto Inputs = inputs(Y);
  const specrt_rows_table *Table = beginRows(&Loop, Inputs.data(), Index.size());
  ASSERT_NE(Table, nullptr) << figures().Problem;
  static std::atomic<bool> IsBegun, IsWaiting;
  IsBegun = IsWaiting = false;
  const auto Work = [](void *, uint64_t, uint64_t) {
    if (IsBegun.exchange(true))
      return;
    while (!IsWaiting)
      sched_yield();
    for (const double Begin = cpuMs(); cpuMs() - Begin < 20;) {
    }
  };
  const int Processor = sched_getcpu();
  std::thread Usual([&] {
    runAs(SCHED_OTHER, Processor);
    Table->share(Table, Work, nullptr);
  });
  while (!IsBegun)
    sched_yield();
  bool MayBeUrgent = false;
  double UrgentMs = 0;
  std::thread Urgent([&] {
    MayBeUrgent = runAs(SCHED_FIFO, Processor);
    IsWaiting = true;
    Table->share(Table, Work, nullptr);
    UrgentMs = cpuMs();
  });
  Usual.join();
  Urgent.join();
  endRows(&Loop, Table);
  if (!MayBeUrgent)
    GTEST_SKIP() << "threads may not be urgent here";
  EXPECT_LT(UrgentMs, 200);
}

/// Where memory ends, the loop runs as it was written, and another call gets its table.
TEST_F(RowTables, NothingIsThrownWhereMemoryEnds) {
  if (!SPECRT_TEST_OWN_NEW)
    GTEST_SKIP() << "memory does not end";
  for (const bool Waits : {false, true}) {
    if (Waits)
      shareRows(20000);
    bool Failed = true;
    for (int64_t Some = 0; Failed; Some += 1 + Some / 16) {
      ASSERT_LT(Some, 10000);
      forgetRows(this);
      ownRows(this, &Loop);
      const auto Inputs = inputs(Y);
      AllocationsLeft = Some;
      const specrt_rows_table *Table = beginRows(&Loop, Inputs.data(), Index.size());
      Failed = AllocationsLeft == 0;
      AllocationsLeft = -1;
      if (Table)
        endRows(&Loop, Table);
      ASSERT_TRUE(call()) << Some << " allocations: " << figures().Problem;
    }
  }
}

} // namespace
