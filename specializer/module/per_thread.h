//===- specializer/module/per_thread.h - a pointer of each of a few threads ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_MODULE_PER_THREAD_H
#define SPECRT_SPECIALIZER_MODULE_PER_THREAD_H

#include <array>
#include <atomic>
#include <pthread.h>

namespace specrt {

/// What a thread-local pointer would be, in a library that is opened late. There, a thread-local
/// variable is allocated when a thread comes to it first, and the C library ends the process when
/// there is no memory then. For variables of static storage; all members are async-signal-safe.
template <typename T> class PerThread {
public:
  constexpr PerThread() = default;

  /// The calling thread's; null at first.
  T *get() const {
    const pthread_t Me = pthread_self();
    for (const Slot &S : Slots)
      if (S.Owner.load(std::memory_order_relaxed) == Me)
        return S.Value;
    return nullptr;
  }

  /// False when too many threads have one.
  bool set(T *Value) {
    const pthread_t Me = pthread_self();
    for (Slot &S : Slots)
      if (S.Owner.load(std::memory_order_relaxed) == Me) {
        S.Value = Value;
        if (!Value)
          S.Owner.store(pthread_t{}, std::memory_order_release);
        return true;
      }
    for (Slot &S : Slots) {
      pthread_t Free{};
      if (!Value)
        break;
      if (S.Owner.compare_exchange_strong(Free, Me, std::memory_order_acquire)) {
        S.Value = Value;
        return true;
      }
    }
    return !Value;
  }

private:
  struct Slot {
    std::atomic<pthread_t> Owner{}; ///< no thread has the number 0
    T *Value = nullptr;             ///< the owner's alone
  };
  std::array<Slot, 32> Slots{};
};

} // namespace specrt

#endif
