//===- runtime/watch/memory_copy.h - copies of memory within a budget -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_WATCH_MEMORY_COPY_H
#define SPECRT_RUNTIME_WATCH_MEMORY_COPY_H

#include <atomic>
#include <cstddef>

namespace specrt {

/// Returns the limit of the bytes of all copies of the process: a sixteenth of the machine's
/// memory, at most 256 MB. Tests change it.
std::atomic<size_t> &copyBudget();

/// The speed of comparison, measured on x86-64 with data in caches.
constexpr size_t ComparedBytesPerNs = 20;

/// Memory for a copy of some bytes. It is not on the program's heap, whose behaviour depends on
/// what is allocated and freed there.
class MemoryCopy {
public:
  MemoryCopy() = default;
  ~MemoryCopy();
  MemoryCopy(const MemoryCopy &) = delete;
  MemoryCopy &operator=(const MemoryCopy &) = delete;

  /// Allocates the memory, once. Returns false when that would exceed the budget, or there is no
  /// memory.
  bool reserve(size_t Bytes);
  /// Copies Count bytes to Offset. The range must be within the reserved bytes, as for equals().
  void take(const std::byte *From, size_t Offset, size_t Count);

  explicit operator bool() const { return Data; }
  /// Returns whether these bytes are equal to the copy's at Offset.
  bool equals(const std::byte *Bytes, size_t Offset, size_t Count) const;

private:
  std::byte *Data = nullptr;
  size_t Size = 0;
};

} // namespace specrt

#endif
