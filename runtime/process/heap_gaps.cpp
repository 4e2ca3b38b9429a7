//===- runtime/process/heap_gaps.cpp - leaves the program's heap as it was -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/process/heap_gaps.h"

#include <algorithm>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <unistd.h>

namespace specrt {
namespace {

struct Block {
  Block *Next;
};

/// Where the part of malloc's heap begins that nobody has used yet.
uintptr_t endOfUsed() { return reinterpret_cast<uintptr_t>(sbrk(0)) - mallinfo2().keepcost; }

/// Blocks up to here wait for the next of their size when they are freed, others become a part of
/// what lies beside them.
constexpr size_t MaxWaiting = 1032, SmallStep = 16;

/// The next smaller size to try: every one that malloc tells apart, or an eighth less.
size_t smaller(size_t Size) {
  return Size > MaxWaiting ? Size - std::max(Size / 8, SmallStep) : Size - SmallStep;
}

/// Gives back a block that came from the unused part.
void putBack(void *P, size_t Size) {
  if (Size > MaxWaiting)
    return free(P);
  if (void *Grown = realloc(P, 2 * MaxWaiting))
    P = Grown;
  free(P);
}

/// Takes the gaps of one size in [Begin, End); blocks of the program go to Others.
void takeGaps(size_t Size, uintptr_t Begin, uintptr_t End, Block *&Others, unsigned &Left) {
  static Block *Taken; // stays reachable, so that nothing counts as lost
  while (Left > 0) {
    void *P = malloc(Size);
    const auto At = reinterpret_cast<uintptr_t>(P);
    if (!P)
      return;
    if (At >= End)
      return putBack(P, Size);
    --Left;
    Block *&List = At >= Begin ? Taken : Others;
    List = new (P) Block{List};
  }
}

} // namespace

HeapGaps::HeapGaps() : Begin(endOfUsed()) {}

HeapGaps::~HeapGaps() {
  constexpr size_t Largest = 64 << 10;
  const uintptr_t End = endOfUsed();
  if (End <= Begin)
    return;
  Block *Others = nullptr;
  unsigned Left = 4096;
  for (size_t Size = Largest; Size >= SmallStep; Size = smaller(Size))
    takeGaps(Size, Begin, End, Others, Left);
  while (Others) {
    Block *Next = Others->Next;
    free(Others);
    Others = Next;
  }
}

} // namespace specrt
