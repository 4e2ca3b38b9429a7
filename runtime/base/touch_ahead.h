//===- runtime/base/touch_ahead.h - populates pages before they are written ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_BASE_TOUCH_AHEAD_H
#define SPECRT_RUNTIME_BASE_TOUCH_AHEAD_H

#include <cerrno>
#include <cstddef>
#include <sys/mman.h>

namespace specrt {

/// Makes the system allocate pages of private anonymous memory now, large ones if possible, so that
/// a thread of the program need not wait for them when it writes there. Before Linux 5.14 this has
/// no effect. \p Memory must begin with a page.
inline void touchAhead(void *Memory, size_t Bytes) {
  constexpr int PopulateWrite = 23; // MADV_POPULATE_WRITE
  const int SavedErrno = errno;
  madvise(Memory, Bytes, MADV_HUGEPAGE);
  madvise(Memory, Bytes, PopulateWrite);
  errno = SavedErrno;
}

} // namespace specrt

#endif
