//===- runtime/base/touch_ahead.h - pages before they are written ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_BASE_TOUCH_AHEAD_H
#define SPECRT_RUNTIME_BASE_TOUCH_AHEAD_H

#include <cerrno>
#include <cstddef>
#include <sys/mman.h>

namespace specrt {

/// Has the system give memory of our own, private and anonymous, pages now, large ones where it
/// may, so that a thread of the program need not wait for them when it writes there. Where the
/// system cannot (before Linux 5.14) it waits. \p Memory begins with a page.
inline void touchAhead(void *Memory, size_t Bytes) {
  constexpr int PopulateWrite = 23; // MADV_POPULATE_WRITE
  const int SavedErrno = errno;
  madvise(Memory, Bytes, MADV_HUGEPAGE);
  madvise(Memory, Bytes, PopulateWrite);
  errno = SavedErrno;
}

} // namespace specrt

#endif
