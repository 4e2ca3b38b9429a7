//===- runtime/watch/memory_copy.cpp - copies of memory within a budget ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/watch/memory_copy.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace specrt {
namespace {

/// Smaller copies are parts of larger blocks, because each mapping costs a page and a system call.
constexpr size_t SmallBytes = 16 << 10, LargeBytes = 4 << 20;

std::atomic<size_t> BytesInUse{0};

size_t defaultBudget() {
  const long Pages = sysconf(_SC_PHYS_PAGES), PageSize = sysconf(_SC_PAGESIZE);
  constexpr size_t Most = size_t{256} << 20; // bytes of all copies
  return Pages <= 0 ? Most : std::min(Most, static_cast<size_t>(Pages) * PageSize / 16);
}

bool claim(size_t Bytes) {
  const size_t Budget = copyBudget().load(std::memory_order_relaxed);
  size_t Used = BytesInUse.load(std::memory_order_relaxed);
  do
    if (Used > Budget || Bytes > Budget - Used)
      return false;
  while (!BytesInUse.compare_exchange_weak(Used, Used + Bytes, std::memory_order_relaxed));
  return true;
}

std::byte *allocate(size_t Bytes) {
  if (Bytes < SmallBytes)
    return new (std::nothrow) std::byte[Bytes];
  void *Mapping = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Mapping == MAP_FAILED)
    return nullptr;
  if (Bytes >= LargeBytes)
    madvise(Mapping, Bytes, MADV_HUGEPAGE); // page faults would take longer than copying
  return static_cast<std::byte *>(Mapping);
}

} // namespace

std::atomic<size_t> &copyBudget() {
  static std::atomic<size_t> Budget{defaultBudget()};
  return Budget;
}

bool MemoryCopy::reserve(size_t Bytes) {
  if (!claim(Bytes))
    return false;
  Data = allocate(Bytes);
  Size = Data ? Bytes : 0;
  if (!Data)
    BytesInUse.fetch_sub(Bytes, std::memory_order_relaxed);
  return Data;
}

MemoryCopy::~MemoryCopy() {
  if (!Data)
    return;
  if (Size < SmallBytes)
    delete[] Data;
  else
    munmap(Data, Size);
  BytesInUse.fetch_sub(Size, std::memory_order_relaxed);
}

void MemoryCopy::take(const std::byte *From, size_t Offset, size_t Count) {
  std::memcpy(Data + Offset, From, Count);
}

bool MemoryCopy::equals(const std::byte *Bytes, size_t Offset, size_t Count) const {
  return std::memcmp(Bytes, Data + Offset, Count) == 0;
}

} // namespace specrt
