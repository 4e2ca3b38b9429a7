//===- tests/runtime/written_object.h - parts of version objects written by hand ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_RUNTIME_WRITTEN_OBJECT_H
#define SPECRT_TESTS_RUNTIME_WRITTEN_OBJECT_H

#include "specrt/abi.h"
#include "specrt/version_object.h"

/// The bytes of guards/in_range.h: the argument lies between the bounds. Objects cannot link
/// guards.
struct InRangeGuard {
  static constexpr uint32_t Kind = 2;

  specrt_guard Head;
  uint32_t Argument, Reserved;
  int64_t Low, High;
};

/// Makes \p Object describe one body. The arguments must live as long as the object.
inline void describeBody(specrt_version_object &Object, const specrt_object_body &Body,
                         const char *Key) {
  Object.format = SPECRT_VERSION_OBJECT_FORMAT;
  Object.abi_version = SPECRT_ABI_VERSION;
  Object.key = Key;
  Object.region = Object.file = "";
  Object.bodies = &Body;
  Object.num_bodies = 1;
  Object.size = sizeof(Object);
}

#endif
