//===- support/memory/peek_memory.h - reads memory that may be gone --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only what is in memory is read, so reading waits for nobody: not for a handler of userfaultfd
// that is to fill the page, nor for a file system. The exception are shared pages in memory that
// such a handler maps (UFFDIO_REGISTER_MODE_MINOR).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SUPPORT_MEMORY_PEEK_MEMORY_H
#define SPECRT_SUPPORT_MEMORY_PEEK_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace specrt {

/// Copies Width (at most 8) bytes at Address of this process, zero-extended; nothing when they are
/// not in memory or not readable. Some system calls; async-signal-safe, preserves errno.
std::optional<uint64_t> peekMemory(uint64_t Address, unsigned Width);

/// What the words of one question lie within, and how many there are at most.
constexpr uint64_t MaxPeekedBytes = uint64_t{8} << 20;
constexpr size_t MaxPeekedWords = 64;

/// Copies those words of 8 bytes at some addresses that are in memory and readable, in their order.
/// Returns how many these are. As above.
size_t peekWords(std::span<const uint64_t> Addresses, uint64_t *To);

} // namespace specrt

#endif
