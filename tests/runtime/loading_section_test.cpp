//===- tests/runtime/loading_section_test.cpp - no fork while the worker loads code ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/loading_section.h"
#include "runtime/call/work_queue.h"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

using namespace specrt;

namespace {

/// Enters and leaves sections, nested ones too, as the worker thread.
class Loader {
public:
  Loader()
      : Worker([this] {
          becomeWorkerThread();
          while (!Stop) {
            const LoadingSection Outer;
            Inside = true;
            {
              const LoadingSection Inner;
            }
            std::this_thread::sleep_for(std::chrono::microseconds(50));
            Inside = false;
            ++Sections;
          }
        }) {}
  ~Loader() {
    Stop = true;
    Worker.join();
    setHasWorker(false);
  }

  std::atomic<bool> Inside{false}, Stop{false};
  std::atomic<unsigned> Sections{0};

private:
  std::thread Worker;
};

TEST(LoadingSection, AForkFindsTheWorkerOutside) {
  Loader Worker;
  for (unsigned Round = 0; Round < 100; ++Round) {
    const unsigned Before = Worker.Sections;
    while (Worker.Sections == Before)
      std::this_thread::yield();
    suspendLoading();
    EXPECT_FALSE(LoadingSection::isOccupied());
    EXPECT_FALSE(Worker.Inside);
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    EXPECT_FALSE(Worker.Inside) << "the worker has entered during the fork";
    resumeLoading();
  }
}

TEST(LoadingSection, AForkThatTheWorkerCannotLeaveForGoesOn) {
  std::atomic<bool> IsInside{false}, MayLeave{false};
  std::thread Worker([&] {
    becomeWorkerThread();
    const LoadingSection Section;
    IsInside = true;
    while (!MayLeave)
      std::this_thread::yield();
  });
  while (!IsInside)
    std::this_thread::yield();
  suspendLoading();
  EXPECT_TRUE(LoadingSection::isOccupied());
  resumeLoading();
  MayLeave = true;
  Worker.join();
  EXPECT_FALSE(LoadingSection::isOccupied());
  setHasWorker(false);
}

TEST(LoadingSection, ThreadsOfTheProgramHaveNone) {
  suspendLoading();
  const LoadingSection Section; // does not wait
  EXPECT_FALSE(LoadingSection::isOccupied());
  resumeLoading();
}

} // namespace
