//===- tests/runtime/stories/fake_object.h - the patched part of a fake version ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every version that the fake compiler links is a copy of one prebuilt shared object
// (fake_object.cpp), in which only this block differs.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_RUNTIME_STORIES_FAKE_OBJECT_H
#define SPECRT_TESTS_RUNTIME_STORIES_FAKE_OBJECT_H

#include "tests/runtime/stories/fake_control.h"

/// Marks the block in the file; it occurs once.
#define FAKE_OBJECT_MARK "specrt fake block"

struct FakeObjectBlock {
  char Mark[24];
  uint32_t Which;      ///< as FakeCandidate's
  uint32_t MoreGuards; ///< behind Guards, as FakeCandidate's; too many to be stored
  uint64_t GuardBytes; ///< used of Guards
  alignas(8) unsigned char Guards[4096];
  char Name[32];
  char Key[65536];
};

/// The first of the guards that always hold has the number 0. Each demands of argument 0 that it is
/// not less than this.
constexpr int64_t lowestAllowed(uint32_t GuardNumber) { return -1 - int64_t{GuardNumber}; }

#endif
