//===- support/uncancelled.h - calls in which a thread is not cancelled ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_UNCANCELLED_H
#define SPECRT_SUPPORT_UNCANCELLED_H

#include <pthread.h>
#include <type_traits>

namespace specrt {

/// What \p Work gives, which is done before anybody cancels the thread, unless it calls a function
/// in which threads may be cancelled at any time. That may happen right afterwards, in here: code
/// of C++ that has something to clean up ends the program when a thread is cancelled anywhere but
/// in a call, so the caller must not be such code.
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
