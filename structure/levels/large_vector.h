//===- structure/levels/large_vector.h - large short-lived vectors --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_LEVELS_LARGE_VECTOR_H
#define SPECRT_STRUCTURE_LEVELS_LARGE_VECTOR_H

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace specrt {

/// Maps memory, in huge pages if the system has them: the first access to a small page takes longer
/// than filling it. Returns null if there is no memory.
void *allocateLarge(size_t Bytes);
void freeLarge(void *Begin, size_t Bytes);

/// Allocates large blocks by allocateLarge() and small ones from the heap.
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
