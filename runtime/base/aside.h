//===- runtime/base/aside.h - time of a call that is not the region's -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_BASE_ASIDE_H
#define SPECRT_RUNTIME_BASE_ASIDE_H

#include <cstdint>

namespace specrt {

/// Ticks that versions have spent in this thread on what later calls need no more, such as looking
/// at index arrays. Whoever measures a call sets it to 0 before. Async-signal-safe.
inline uint64_t &ticksAside() {
  [[gnu::tls_model("initial-exec")]] static thread_local uint64_t Ticks = 0;
  return Ticks;
}

/// Has a version in this thread put off what it would have to look at before it is itself?
/// Likewise.
inline bool &isPutOff() {
  [[gnu::tls_model("initial-exec")]] static thread_local bool Is = false;
  return Is;
}

} // namespace specrt

#endif
