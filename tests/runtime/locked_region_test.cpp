//===- tests/runtime/locked_region_test.cpp - waiting for a region's lock -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/locked_region.h"

#include <gtest/gtest.h>

namespace specrt {
namespace {

TEST(BrieflyLockedRegion, GivesUpWhenTheLockIsNeverFree) {
  RegionState S{};
  ASSERT_TRUE(S.tryLock());
  EXPECT_FALSE(BrieflyLockedRegion(S));
  EXPECT_FALSE(S.tryLock()) << "the holder still has it";
  S.unlock();
  {
    BrieflyLockedRegion Lock(S);
    EXPECT_TRUE(Lock);
    EXPECT_FALSE(S.tryLock());
    Lock.unlock();
    EXPECT_TRUE(S.tryLock());
  }
  EXPECT_FALSE(S.tryLock()) << "what was unlocked early is not unlocked again";
}

TEST(LockedRegion, TakesOverFromAThreadThatNeverUnlocks) {
  RegionState S{};
  ASSERT_TRUE(S.tryLock());
  {
    LockedRegion Lock(S);
  }
  EXPECT_TRUE(S.tryLock());
}

} // namespace
} // namespace specrt
