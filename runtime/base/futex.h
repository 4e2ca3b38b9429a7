//===- runtime/base/futex.h - waiting for a word to change ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Safe in signal handlers, which locks and condition variables are not.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_BASE_FUTEX_H
#define SPECRT_RUNTIME_BASE_FUTEX_H

#include "runtime/base/clock.h"
#include <atomic>
#include <cerrno>
#include <climits>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace specrt {

/// Sleeps while Word has the value While, at most TimeoutUs. Signals do not shorten the wait. Who
/// changes Word wakes up Waiters if there are any.
template <typename T>
void waitWhile(std::atomic<T> &Word, T While, std::atomic<uint32_t> &Waiters, uint64_t TimeoutUs) {
  static_assert(sizeof(Word) == sizeof(uint32_t));
  int SavedErrno = errno;
  uint64_t Deadline = monotonicNs() + TimeoutUs * 1000;
  Waiters.fetch_add(1, std::memory_order_seq_cst);
  while (Word.load(std::memory_order_seq_cst) == While) {
    uint64_t Now = monotonicNs();
    if (Now >= Deadline)
      break;
    timespec Rest = {static_cast<time_t>((Deadline - Now) / 1000000000u),
                     static_cast<long>((Deadline - Now) % 1000000000u)};
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
