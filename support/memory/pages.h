//===- support/memory/pages.h - the pages of x86-64 -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_MEMORY_PAGES_H
#define SPECRT_SUPPORT_MEMORY_PAGES_H

#include <cstdint>

namespace specrt {

/// The size of a page, which the architecture fixes.
inline constexpr uint64_t PageBytes = 4096;

/// Returns the beginning of the page that contains \p Address.
constexpr uint64_t pageOf(uint64_t Address) { return Address & ~(PageBytes - 1); }
/// Returns the least multiple of PageBytes that is not less than \p Bytes.
constexpr uint64_t wholePages(uint64_t Bytes) { return pageOf(Bytes + PageBytes - 1); }

} // namespace specrt

#endif
