//===- runtime/base/deferred.h - work of a call that is not measured, or deferred ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_BASE_DEFERRED_H
#define SPECRT_RUNTIME_BASE_DEFERRED_H

#include <cstdint>

namespace specrt {

/// Returns the ticks that versions have spent in this thread on work that later calls need not
/// repeat, such as inspecting index arrays. A caller that measures a call sets it to 0 before.
/// Async-signal-safe.
inline uint64_t &setupTicks() {
  [[gnu::tls_model("initial-exec")]] static thread_local uint64_t Ticks = 0;
  return Ticks;
}

/// Returns whether a version in this thread has deferred an inspection that its fast code needs. A
/// caller that measures a call sets it to false before. Async-signal-safe.
inline bool &isDeferred() {
  [[gnu::tls_model("initial-exec")]] static thread_local bool Is = false;
  return Is;
}

} // namespace specrt

#endif
