//===- guards/stack.h - there is room on the stack ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_GUARDS_STACK_H
#define SPECRT_GUARDS_STACK_H

#include "guards/kind.h"

namespace specrt {

/// The call is made on the stack of the process's first thread, of which at least Bytes are left. A
/// signal handler cannot determine the sizes of other threads' stacks.
struct StackGuard : GuardRecord {
  static constexpr GuardKindId Kind = GuardKindId::Stack;
  static constexpr uint32_t MaxBytes = 1 << 20;
  uint32_t Bytes, Unused = 0;

  explicit StackGuard(uint32_t Bytes) : Bytes(Bytes) {}

  const char *problem(const specrt_region &Region) const;
  bool holds(const specrt_region &Region, const uint64_t *Packed) const;
  std::string describe(const specrt_region &Region) const;
  double costNs() const;
  bool isCalled() const { return true; }
};

} // namespace specrt

#endif
