//===- support/uncancelled.h - defers the cancellation of a thread during a call ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_UNCANCELLED_H
#define SPECRT_SUPPORT_UNCANCELLED_H

#include <pthread.h>
#include <type_traits>

namespace specrt {

/// Returns what \p Work returns. The thread is not cancelled before \p Work is done, unless \p Work
/// calls a function in which threads may be cancelled at any time. Cancellation may happen right
/// afterwards, within this function. C++ code that has destructors to run ends the program when a
/// thread is cancelled anywhere but in a call, so the caller must not be such code.
template <typename Fn> auto uncancelled(Fn Work) {
  using Result = decltype(Work());
  static_assert(noexcept(Work()) && std::is_trivially_destructible_v<Fn>);
  int Type;
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &Type);
  if constexpr (std::is_void_v<Result>) {
    Work();
    pthread_setcanceltype(Type, nullptr);
  } else {
    static_assert(std::is_trivially_destructible_v<Result>);
    const Result Given = Work();
    pthread_setcanceltype(Type, nullptr);
    return Given;
  }
}

} // namespace specrt

#endif
