//===- support/attempt.h - turns exceptions into static text --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_ATTEMPT_H
#define SPECRT_SUPPORT_ATTEMPT_H

#include <new>
#include <utility>

namespace specrt {

inline constexpr const char *NoMemoryText = "there is no memory";

/// Runs \p Work where an exception must not propagate: on a thread of the library, where it would
/// end the process, or within a call of the program. Returns null on success, otherwise a static
/// text that says what failed. Allocates nothing, because lack of memory is the most frequent
/// failure.
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
