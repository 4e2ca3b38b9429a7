//===- structure/levels/large_vector.cpp - large short-lived vectors ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/levels/large_vector.h"

#include <cerrno>
#include <cstdint>
#include <sys/mman.h>

namespace specrt {
namespace {

constexpr size_t HugeBytes = size_t{2} << 20;

size_t rounded(size_t Bytes) { return (Bytes + HugeBytes - 1) / HugeBytes * HugeBytes; }

} // namespace

void *allocateLarge(size_t Bytes) {
  const int SavedErrno = errno;
  const size_t All = rounded(Bytes) + HugeBytes;
  void *Mapping = All < Bytes ? MAP_FAILED
                              : mmap(nullptr, All, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  errno = SavedErrno;
  if (Mapping == MAP_FAILED)
    return nullptr;
  // Huge pages begin at multiples of their size.
  const auto Start = reinterpret_cast<uintptr_t>(Mapping);
  const uintptr_t Begin = rounded(Start), End = Begin + rounded(Bytes);
  if (Begin > Start)
    munmap(Mapping, Begin - Start);
  if (Start + All > End)
    munmap(reinterpret_cast<void *>(End), Start + All - End);
  void *Result = reinterpret_cast<void *>(Begin);
  madvise(Result, rounded(Bytes), MADV_HUGEPAGE); // without huge pages, access is only slower
  errno = SavedErrno;
  return Result;
}

void freeLarge(void *Begin, size_t Bytes) { munmap(Begin, rounded(Bytes)); }

} // namespace specrt
