//===- guards/memory/not_errno.h - a pointer does not point to errno ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_GUARDS_MEMORY_NOT_ERRNO_H
#define SPECRT_GUARDS_MEMORY_NOT_ERRNO_H

#include "guards/address.h"
#include "guards/kind.h"

namespace specrt {

/// Checks that the base is not the address of the calling thread's errno. Memory that is accessed
/// through the base is then another object, which calls that set errno do not change.
struct NotErrnoGuard : GuardRecord {
  static constexpr GuardKindId Kind = GuardKindId::NotErrno;
  static constexpr bool IsCalled = true;
  specrt_base Base;

  explicit NotErrnoGuard(const specrt_base &Base) : Base(Base) {}

  const char *problem(const specrt_region &Region) const;
  bool holds(const specrt_region &Region, const uint64_t *Packed) const;
  std::string describe(const specrt_region &Region) const;
  double costNs() const;
  Presumes presumes() const;
};

} // namespace specrt

#endif
