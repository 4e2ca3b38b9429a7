//===- runtime/decide/registry_lock.h - who holds the registry's mutex ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_REGISTRY_LOCK_H
#define SPECRT_RUNTIME_DECIDE_REGISTRY_LOCK_H

#include <mutex>

namespace specrt {

class Registry;

/// Holds the registry's mutex. What reads or changes what the mutex guards asks for one, so that it
/// cannot be called without.
class RegistryLock : public std::unique_lock<std::mutex> {
public:
  explicit RegistryLock(Registry &R);
  /// Waits for TimeoutMs at most, see owns_lock(): at exit the thread that holds the mutex may be
  /// the very one that a signal handler interrupted.
  RegistryLock(Registry &R, unsigned TimeoutMs);
  /// Of a mutex that the caller holds already.
  RegistryLock(Registry &R, std::adopt_lock_t Held);
};

} // namespace specrt

#endif
