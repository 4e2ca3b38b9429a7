//===- support/peek_memory.h - reads memory that may be gone --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SUPPORT_PEEK_MEMORY_H
#define SPECRT_SUPPORT_PEEK_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace specrt {

/// Copies Width (at most 8) bytes at Address of this process, zero-extended; nothing when they are
/// not readable. Some system calls; async-signal-safe, preserves errno.
std::optional<uint64_t> peekMemory(uint64_t Address, unsigned Width);

/// Copies the words of 8 bytes at some addresses, 256 at most; false when one of them is not
/// readable. As above.
bool peekWords(std::span<const uint64_t> Addresses, uint64_t *To);

} // namespace specrt

#endif
