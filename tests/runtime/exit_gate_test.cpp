//===- tests/runtime/exit_gate_test.cpp - who may enter while it closes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/exit_gate.h"
#include <gtest/gtest.h>
#include <thread>

using namespace specrt;

namespace {

TEST(ExitGate, NobodyIsAdmittedOnceItIsClosed) {
  ExitGate Gate;
  {
    ExitGate::Visit First(Gate);
    EXPECT_TRUE(First.admitted());
    Gate.close();
    EXPECT_FALSE(ExitGate::Visit(Gate).admitted());
    EXPECT_TRUE(First.admitted());
    EXPECT_TRUE(Gate.isBusy());
  }
  EXPECT_FALSE(Gate.isBusy());
  EXPECT_TRUE(Gate.isClosed());
}

/// One of both sides sees the other: whoever was admitted is seen by who closed it.
TEST(ExitGate, WhoIsAdmittedIsSeen) {
  for (int Round = 0; Round < 2000; ++Round) {
    ExitGate Gate;
    std::atomic<bool> IsInside{false}, MayLeave{false}, IsDone{false};
    std::thread Visitor([&] {
      ExitGate::Visit Guard(Gate);
      IsInside = Guard.admitted();
      IsDone = true;
      while (!MayLeave)
        std::this_thread::yield();
    });
    Gate.close();
    bool WasBusy = Gate.isBusy();
    while (!IsDone)
      std::this_thread::yield();
    EXPECT_TRUE(WasBusy || !IsInside);
    MayLeave = true;
    Visitor.join();
  }
}

} // namespace
