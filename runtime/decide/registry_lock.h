//===- runtime/decide/registry_lock.h - the lock of the registry's mutex --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_DECIDE_REGISTRY_LOCK_H
#define SPECRT_RUNTIME_DECIDE_REGISTRY_LOCK_H

#include <mutex>

namespace specrt {

class Registry;

/// Holds the registry's mutex. Functions that read or change the data it guards take a reference to
/// one, so that they cannot be called without it.
class RegistryLock : public std::unique_lock<std::mutex> {
public:
  explicit RegistryLock(Registry &R);
  /// Waits at most TimeoutMs, see owns_lock(): at exit a signal handler may have interrupted the
  /// very thread that holds the mutex.
  RegistryLock(Registry &R, unsigned TimeoutMs);
  /// Adopts a mutex that the caller holds already.
  RegistryLock(Registry &R, std::adopt_lock_t Held);
};

} // namespace specrt

#endif
