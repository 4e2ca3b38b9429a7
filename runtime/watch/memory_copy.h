//===- runtime/watch/memory_copy.h - what bytes were, within a budget -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_WATCH_MEMORY_COPY_H
#define SPECRT_RUNTIME_WATCH_MEMORY_COPY_H

#include <atomic>
#include <cstddef>

namespace specrt {

/// The most bytes that all copies of the process may have: a sixteenth of the machine's memory, 256
/// MB at most. Tests change it.
std::atomic<size_t> &copyBudget();

/// Measured on x86-64, in caches.
constexpr size_t ComparedBytesPerNs = 20;

/// Room for a copy of some bytes. Not on the program's heap, whose behaviour depends on what is
/// allocated and freed there.
class MemoryCopy {
public:
  MemoryCopy() = default;
  ~MemoryCopy();
  MemoryCopy(const MemoryCopy &) = delete;
  MemoryCopy &operator=(const MemoryCopy &) = delete;

  /// Makes room, once. False when that would be more than the budget, or there is no memory.
  bool reserve(size_t Bytes);
  /// Copies Count bytes to Offset. Within what was reserved, as for equals().
  void take(const std::byte *From, size_t Offset, size_t Count);

  explicit operator bool() const { return Data; }
  /// Are these bytes the copy's at Offset?
  bool equals(const std::byte *Bytes, size_t Offset, size_t Count) const;

private:
  std::byte *Data = nullptr;
  size_t Size = 0;
};

} // namespace specrt

#endif
