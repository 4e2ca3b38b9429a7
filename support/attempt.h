//===- support/attempt.h - work that may fail without harm to anybody -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_ATTEMPT_H
#define SPECRT_SUPPORT_ATTEMPT_H

#include <new>
#include <utility>

namespace specrt {

inline constexpr const char *NoMemoryText = "there is no memory";

/// Runs \p Work where nothing may be thrown further: on a thread of ours, which would end the
/// process, or within a call of the program. Null when it came to its end, otherwise what went
/// wrong, as static text. Allocates nothing: lack of memory is what fails most often.
template <typename Fn> [[nodiscard]] const char *attempt(Fn &&Work) noexcept {
  try {
    std::forward<Fn>(Work)();
    return nullptr;
  } catch (const std::bad_alloc &) {
    return NoMemoryText;
  } catch (...) {
    return "a check of the C++ library failed";
  }
}

} // namespace specrt

#endif
