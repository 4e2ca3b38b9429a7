//===- runtime/base/futex.h - waiting for a word to change ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Safe in signal handlers, which locks and condition variables are not.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_BASE_FUTEX_H
#define SPECRT_RUNTIME_BASE_FUTEX_H

#include "runtime/base/clock.h"
#include "runtime/base/tuning.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace specrt {

/// Sleeps while Word has the value While, at most TimeoutUs, and not while a compile starves,
/// because calls wait for compiles only. Signals do not shorten the wait. A thread that changes
/// Word must call wakeAll if Waiters is not 0.
template <typename T>
void waitWhile(std::atomic<T> &Word, T While, std::atomic<uint32_t> &Waiters, uint64_t TimeoutUs) {
  static_assert(sizeof(Word) == sizeof(uint32_t));
  constexpr uint64_t LookNs = 10'000'000; // how late a starving compile is noticed
  int SavedErrno = errno;
  uint64_t Deadline = monotonicNs() + TimeoutUs * 1000;
  Waiters.fetch_add(1, std::memory_order_seq_cst);
  while (Word.load(std::memory_order_seq_cst) == While) {
    uint64_t Now = monotonicNs();
    if (Now >= Deadline || tuning().CompileStarves.load(std::memory_order_relaxed))
      break;
    timespec Rest = {0, static_cast<long>(std::min(Deadline - Now, LookNs))};
    syscall(SYS_futex, &Word, FUTEX_WAIT_PRIVATE, static_cast<uint32_t>(While), &Rest, nullptr, 0);
  }
  Waiters.fetch_sub(1, std::memory_order_relaxed);
  errno = SavedErrno;
}

/// Ends all waits on Word.
template <typename T> void wakeAll(std::atomic<T> &Word) {
  int SavedErrno = errno;
  syscall(SYS_futex, &Word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
  errno = SavedErrno;
}

} // namespace specrt

#endif
