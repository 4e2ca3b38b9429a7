//===- tests/parallel/private_loop_test.cpp - memory of threads for a loop ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/parallel/parallel.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace {

/// A loop whose threads have memory of their own.
struct PrivateLoop {
  std::function<void(void *, long, long)> Body;

  static void call(void *Data) {
    PrivateLoop &Self = *static_cast<PrivateLoop *>(Data);
    void *const Memory = specrt_loop_private();
    long Begin, End;
    while (specrt_loop_runtime_next(&Begin, &End))
      Self.Body(Memory, Begin, End);
    specrt_loop_end_nowait();
  }
  void run(unsigned Threads, long End, uint64_t Bytes) {
    specrt_parallel_private_loop_start(call, this, Threads, 0, End, 1, Bytes);
    call(this);
    specrt_parallel_end();
  }
};

class PrivateLoops : public testing::Test {
protected:
  void SetUp() override { specrt_parallel_configure(0); }
};

TEST_F(PrivateLoops, ThreadsHaveMemoryOfTheirOwn) {
  constexpr uint64_t Bytes = 100'000;
  std::mutex Lock;
  std::map<std::thread::id, std::set<void *>> Memories;
  std::atomic<long> Sum{0};
  std::atomic<bool> IsOverwritten{false};
  PrivateLoop L{[&](void *Memory, long Begin, long End) {
    const auto Mine = static_cast<char>(std::hash<std::thread::id>()(std::this_thread::get_id()));
    if (Memory)
      std::memset(Memory, Mine, Bytes);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (Memory && static_cast<char *>(Memory)[Bytes - 1] != Mine)
      IsOverwritten = true;
    for (long I = Begin; I < End; ++I)
      Sum += I;
    const std::lock_guard<std::mutex> Guard(Lock);
    Memories[std::this_thread::get_id()].insert(Memory);
  }};
  L.run(0, 64, Bytes);
  EXPECT_EQ(Sum, 64 * 63 / 2);
  EXPECT_FALSE(IsOverwritten);
  std::set<void *> All;
  for (const auto &[Thread, Own] : Memories) {
    EXPECT_EQ(Own.size(), 1u) << "a thread keeps its memory for the whole loop";
    All.insert(Own.begin(), Own.end());
  }
  EXPECT_EQ(All.size(), Memories.size());
  EXPECT_TRUE(Memories.size() == 1 || !All.contains(nullptr));
}

TEST_F(PrivateLoops, SerialLoopsHaveNoMemoryOfTheirOwnAndKeepTheirOrder) {
  long Last = -1;
  bool IsInOrder = true;
  PrivateLoop L{[&](void *Memory, long Begin, long End) {
    EXPECT_EQ(Memory, nullptr);
    IsInOrder &= Begin == Last + 1;
    Last = End - 1;
  }};
  L.run(1, 64, 4096);
  EXPECT_TRUE(IsInOrder);
  EXPECT_EQ(Last, 63);
}

/// More than can be mapped.
TEST_F(PrivateLoops, WithoutMemoryALoopIsSerial) {
  long Sum = 0;
  PrivateLoop L{[&](void *Memory, long Begin, long End) {
    EXPECT_EQ(Memory, nullptr);
    for (long I = Begin; I < End; ++I)
      Sum += I;
  }};
  L.run(0, 64, uint64_t{1} << 60);
  EXPECT_EQ(Sum, 64 * 63 / 2);
}

} // namespace
