//===- tests/parallel/pipeline_test.cpp - threads that follow each other ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/parallel/parallel.h"
#include "runtime/parallel/pipeline.h"
#include "tests/parallel/test_loop.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

using specrt_test::hasTwoProcessors;

namespace {

/// A pipeline as the compiler emits it: Body(step, begin, end).
struct PipelinedLoop {
  long Steps;
  std::function<void(long, long, long)> Body;

  static void call(void *Data) {
    PipelinedLoop &Self = *static_cast<PipelinedLoop *>(Data);
    long Begin, End;
    while (specrt_loop_runtime_next(&Begin, &End))
      for (long Step = 0; Step < Self.Steps; ++Step) {
        specrt_loop_step(Step);
        Self.Body(Step, Begin, End);
      }
    specrt_loop_end_nowait();
  }
  void run(unsigned Threads, long End) {
    specrt_parallel_pipeline_start(call, this, Threads, 0, End, 1);
    call(this);
    specrt_parallel_end();
  }
};

class Pipelines : public testing::Test {
protected:
  void SetUp() override { specrt_parallel_configure(0); }
};

/// Each element of a table needs those before it in its row and its column.
TEST_F(Pipelines, StepsOfARangeFollowThoseOfTheRangeBefore) {
  constexpr long Steps = 300, Columns = 97;
  std::vector<long> Table(size_t((Steps + 1) * (Columns + 1)), 1);
  const auto At = [&](long Step, long Column) -> long & {
    return Table[size_t((Step + 1) * (Columns + 1) + Column + 1)];
  };
  PipelinedLoop L{Steps, [&](long Step, long Begin, long End) {
                    for (long Column = Begin; Column < End; ++Column)
                      At(Step, Column) = (At(Step - 1, Column) + 2 * At(Step, Column - 1)) % 1009;
                  }};
  L.run(0, Columns);
  for (long Step = 0; Step < Steps; ++Step)
    for (long Column = 0; Column < Columns; ++Column)
      ASSERT_EQ(At(Step, Column), (At(Step - 1, Column) + 2 * At(Step, Column - 1)) % 1009);
}

TEST_F(Pipelines, ThreadsWorkAtTheSameTime) {
  if (!hasTwoProcessors())
    GTEST_SKIP() << "one processor";
  std::atomic<long> NumInside{0}, Most{0};
  PipelinedLoop L{100, [&](long, long, long) {
                    const long Inside = ++NumInside;
                    if (Inside > Most)
                      Most = Inside;
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    --NumInside;
                  }};
  L.run(2, 64);
  EXPECT_EQ(Most, 2);
}

TEST_F(Pipelines, OneThreadHasOneRange) {
  long NumCalls = 0;
  PipelinedLoop L{5, [&](long Step, long Begin, long End) {
                    EXPECT_EQ(Step, NumCalls++);
                    EXPECT_EQ(Begin, 0);
                    EXPECT_EQ(End, 64);
                  }};
  L.run(1, 64);
  EXPECT_EQ(NumCalls, 5);
}

TEST_F(Pipelines, WithoutIterationsNothingRuns) {
  PipelinedLoop L{5, [&](long, long, long) { ADD_FAILURE(); }};
  L.run(0, 0);
}

/// More threads than processors, which wait for each other.
TEST(Pipeline, ManyThreadsFollowEachOther) {
  constexpr unsigned Ranges = 64;
  constexpr uint32_t Steps = 200;
  alignas(64) std::byte Memory[specrt::Pipeline::bytes(Ranges)];
  specrt::Pipeline Order(Memory, Ranges);
  std::vector<std::atomic<uint32_t>> Done(Ranges);
  std::atomic<bool> IsEarly{false};
  const auto Follow = [&](unsigned Range) {
    for (uint32_t Step = 0; Step < Steps; ++Step) {
      Order.begin(Range, Step);
      if (Range > 0 && Done[Range - 1] <= Step)
        IsEarly = true;
      ++Done[Range];
    }
    Order.end(Range);
  };
  std::vector<std::thread> Threads;
  for (unsigned Range = 0; Range < Ranges; ++Range)
    Threads.emplace_back(Follow, Range);
  for (std::thread &T : Threads)
    T.join();
  EXPECT_FALSE(IsEarly);
}

} // namespace
