//===- structure/levels/large_vector.h - vectors that are made for a moment ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_LEVELS_LARGE_VECTOR_H
#define SPECRT_STRUCTURE_LEVELS_LARGE_VECTOR_H

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace specrt {

/// Memory of its own, of huge pages where the system has them: to meet a small page for the first
/// time takes longer than to fill it. Null: there is none.
void *allocateLarge(size_t Bytes);
void freeLarge(void *Begin, size_t Bytes);

/// What is small comes from the heap.
template <typename T> struct LargeAllocator {
  using value_type = T;
  static constexpr size_t LeastBytes = size_t{2} << 20;

  LargeAllocator() = default;
  template <typename Other> LargeAllocator(const LargeAllocator<Other> &) {}

  T *allocate(size_t Count) {
    if (Count > SIZE_MAX / sizeof(T))
      throw std::bad_alloc();
    const size_t Bytes = Count * sizeof(T);
    void *Begin = Bytes < LeastBytes ? ::operator new(Bytes) : allocateLarge(Bytes);
    if (!Begin)
      throw std::bad_alloc();
    return static_cast<T *>(Begin);
  }
  void deallocate(T *Begin, size_t Count) {
    if (Count * sizeof(T) < LeastBytes)
      ::operator delete(Begin);
    else
      freeLarge(Begin, Count * sizeof(T));
  }
  bool operator==(const LargeAllocator &) const { return true; }
};

template <typename T> using LargeVector = std::vector<T, LargeAllocator<T>>;

} // namespace specrt

#endif
