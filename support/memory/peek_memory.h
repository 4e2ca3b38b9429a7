//===- support/memory/peek_memory.h - reads memory that may be unmapped ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only pages that are in memory are read, so a read never blocks: neither on a userfaultfd handler
// that has to fill the page, nor on a file system. The exception is shared pages in memory that
// such a handler has yet to map (UFFDIO_REGISTER_MODE_MINOR).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SUPPORT_MEMORY_PEEK_MEMORY_H
#define SPECRT_SUPPORT_MEMORY_PEEK_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace specrt {

/// Returns the Width (at most 8) bytes at Address of this process, zero-extended; nothing when they
/// are not in memory or not readable. Makes some system calls; async-signal-safe, preserves errno.
std::optional<uint64_t> peekMemory(uint64_t Address, unsigned Width);

/// Limits of one call of peekWords: the range that contains all words, and their number.
constexpr uint64_t MaxPeekedBytes = uint64_t{8} << 20;
constexpr size_t MaxPeekedWords = 64;

/// Copies those of the 8-byte words at \p Addresses that are in memory and readable, in their
/// order. Returns their number. Async-signal-safe, preserves errno.
size_t peekWords(std::span<const uint64_t> Addresses, uint64_t *To);

} // namespace specrt

#endif
