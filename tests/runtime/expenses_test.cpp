//===- tests/runtime/expenses_test.cpp - what looking may cost, and when ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/expenses.h"
#include "runtime/record/instrumented_call.h"

#include <cerrno>
#include <gtest/gtest.h>

using namespace specrt;

namespace {

constexpr uint64_t Begin = 5'000'000'000, Second = 1'000'000'000;

TEST(Expenses, AreNotBoundedBeforeTheProgramBegins) {
  Expenses E;
  E.add(1e15);
  EXPECT_FALSE(E.areBounded());
  EXPECT_GT(E.leftNs(Begin), 1e18);
}

TEST(Expenses, AreAShareOfTheRun) {
  Expenses E;
  E.begin(Begin);
  EXPECT_EQ(E.leftNs(Begin), SmallLossNs) << "that is not felt";
  E.add(12e6);
  EXPECT_EQ(E.leftNs(Begin), -2e6);
  EXPECT_EQ(E.leftNs(Begin + Second), LossShare * 1e9 - 12e6);
  EXPECT_EQ(E.leftNs(Begin + Second, PromisingShare), PromisingShare * 1e9 - 12e6);
  E.lift();
  EXPECT_GT(E.leftNs(Begin), 1e18) << "somebody waits for what is found";
}

TEST(Expenses, CountOnARunAsLongAsTheLast) {
  Expenses E;
  E.begin(Begin);
  E.expect(2e9);
  E.expect(1e9);
  EXPECT_EQ(E.leftNs(Begin), LossShare * 2e9);
  EXPECT_EQ(E.leftNs(Begin + 3 * Second), LossShare * 3e9);
}

/// A call that waits to be instrumented.
struct Waiting {
  std::unique_ptr<InstrumentedCall> Call = InstrumentedCall::create();
  specrt_region Region{};
  int Body = 0;

  Waiting() { Call->setVersion(&Body, nullptr, {}, 8, 0); }
  void *begin() {
    bool ShouldDecide = false;
    return Call->beginCall(Region, nullptr, ShouldDecide);
  }
};

TEST(InstrumentedCall, WaitsForACallThatMayBeLonger) {
  Waiting W;
  W.Call->setBounds(1e6, InstrumentedCall::LeastNs / 2);
  EXPECT_EQ(W.begin(), nullptr);
  EXPECT_EQ(W.Call->state(), InstrumentedCall::State::Waiting);
  W.Call->setBounds(1e6, InstrumentedCall::LeastNs);
  EXPECT_EQ(W.begin(), &W.Body);
  EXPECT_TRUE(W.Call->endCall());
}

TEST(InstrumentedCall, TellsHowMuchLongerItWas) {
  Waiting Short, Long, Unknown;
  Short.Call->setBounds(/*CallNs=*/1e12, /*MaxNs=*/1e12);
  Long.Call->setBounds(/*CallNs=*/1, /*MaxNs=*/1e12);
  Unknown.Call->setBounds(/*CallNs=*/0, /*MaxNs=*/1e12);
  for (Waiting *W : {&Short, &Long, &Unknown}) {
    ASSERT_EQ(W->begin(), &W->Body);
    volatile double Sum = 0;
    for (int I = 0; I < 1'000'000; ++I)
      Sum = Sum + I;
    ASSERT_TRUE(W->Call->endCall());
  }
  EXPECT_EQ(Short.Call->excessNs(), 0);
  EXPECT_GT(Long.Call->excessNs(), 10'000);
  EXPECT_EQ(Unknown.Call->excessNs(), Unknown.Call->windowNs()) << "it has no other time";
}

} // namespace
