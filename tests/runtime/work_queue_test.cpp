//===- tests/runtime/work_queue_test.cpp - whose turn it is ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/work_queue.h"

#include <gtest/gtest.h>
#include <vector>

namespace specrt {
namespace {

/// The numbers of the requests in the order in which they are served. The program has spent
/// \p Ticks in the regions, where that is given.
std::vector<size_t> orderOf(const std::vector<uint32_t> &Requests,
                            const std::vector<uint64_t> &Ticks = {}) {
  std::vector<RegionState> Regions(Requests.size());
  for (size_t I = 0; I < Regions.size(); ++I) {
    Regions[I].TotalTicks = Ticks.empty() ? 0 : Ticks[I];
    request(Regions[I], Requests[I]);
  }
  std::vector<size_t> Order;
  for (RegionState *First = takeQueued(); First;) {
    RegionState *S = takeNext(First);
    Order.push_back(static_cast<size_t>(S - Regions.data()));
    EXPECT_EQ(takeRequests(*S), Requests[Order.back()]);
  }
  EXPECT_TRUE(queueIsEmpty());
  return Order;
}

TEST(WorkQueue, ServesInTheOrderOfRequests) {
  EXPECT_EQ(orderOf({RequestCompile, RequestPrepare, RequestCompile}),
            (std::vector<size_t>{0, 1, 2}));
}

TEST(WorkQueue, CallsThatRunComeFirstAndTrialsThatAreOverBeforeCompiles) {
  EXPECT_EQ(orderOf({RequestCompile, RequestDecide, RequestPrepare, RequestOsr, RequestDecide}),
            (std::vector<size_t>{3, 1, 4, 0, 2}));
  EXPECT_EQ(orderOf({RequestDecide | RequestCompile, RequestOsr, RequestCompile}),
            (std::vector<size_t>{1, 0, 2}));
}

TEST(WorkQueue, OfCompilesTheHottestRegionComesFirst) {
  EXPECT_EQ(orderOf({RequestCompile, RequestCompile, RequestDecide, RequestPrepare}, {5, 7, 1, 6}),
            (std::vector<size_t>{2, 1, 3, 0}));
}

TEST(WorkQueue, WhatTakesNoTimeDoesNotWaitForCompiles) {
  EXPECT_EQ(orderOf({RequestCompile, RequestProfile, RequestCompile | RequestProfile}, {5, 1, 6}),
            (std::vector<size_t>{1, 2, 0}));
}

} // namespace
} // namespace specrt
