//===- guards/stack.cpp - there is room on the stack ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/stack.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <sys/auxv.h>
#include <sys/resource.h>

namespace specrt {
namespace {

/// The range within which the stack of the first thread grows from High down to Low; both are 0 if
/// it is unknown.
struct Bounds {
  uintptr_t Low, High;
};

/// Computes the range. Linux stores the name of the program at the top of the first stack.
Bounds findFirstStack() {
  constexpr uintptr_t PageBytes = 4096;
  // Linux reserves at least this much address space for the stack, and the limit may have been
  // raised since.
  constexpr uintptr_t MostBytes = uintptr_t{64} << 20;
  const auto *const Name = reinterpret_cast<const char *>(getauxval(AT_EXECFN));
  rlimit Limit{};
  if (!Name || getrlimit(RLIMIT_STACK, &Limit) != 0)
    return {};
  const uintptr_t End = reinterpret_cast<uintptr_t>(Name) + std::strlen(Name) + 1;
  const uintptr_t High = (End + sizeof(void *) + PageBytes - 1) / PageBytes * PageBytes;
  return {High - static_cast<uintptr_t>(std::min<rlim_t>(Limit.rlim_cur, MostBytes)), High};
}

/// Returns the range, computed at the first call. Async-signal-safe.
Bounds firstStack() {
  static std::atomic<uintptr_t> Low{0}, High{0};
  if (High.load(std::memory_order_acquire) == 0) {
    const Bounds Found = findFirstStack();
    Low.store(Found.Low, std::memory_order_relaxed);
    High.store(Found.High, std::memory_order_release);
  }
  return {Low.load(std::memory_order_relaxed), High.load(std::memory_order_relaxed)};
}

} // namespace

const char *StackGuard::problem(const specrt_region &) const {
  return Bytes == 0 || Bytes > MaxBytes || Unused != 0 ? "demands a stack of an impossible size"
                                                       : nullptr;
}

bool StackGuard::holds(const specrt_region &, const uint64_t *) const {
  const auto Here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const Bounds Whole = firstStack();
  return Whole.Low < Here && Here < Whole.High && Here - Whole.Low >= Bytes && Bytes != 0 &&
         Bytes <= MaxBytes && Unused == 0;
}

std::string StackGuard::describe(const specrt_region &) const {
  return "the main thread has " + std::to_string((Bytes + 1023) / 1024) + " KB of stack left";
}

double StackGuard::costNs() const { return 2; }

} // namespace specrt
