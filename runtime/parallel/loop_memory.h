//===- runtime/parallel/loop_memory.h - scratch memory of a parallel loop -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PARALLEL_LOOP_MEMORY_H
#define SPECRT_RUNTIME_PARALLEL_LOOP_MEMORY_H

#include "support/memory/scratch.h"
#include <cstdint>

namespace specrt {

/// Owns scratch memory for a loop. An object of 0 bytes owns none and counts as successful.
class LoopMemory {
public:
  explicit LoopMemory(uint64_t Bytes)
      : Memory(Bytes ? specrt_scratch_take(Bytes) : nullptr), IsThere(!Bytes || Memory) {}
  ~LoopMemory() { specrt_scratch_give(Memory); }
  LoopMemory(const LoopMemory &) = delete;
  LoopMemory &operator=(const LoopMemory &) = delete;

  bool isThere() const { return IsThere; }
  void *get() const { return Memory; }

private:
  void *const Memory;
  const bool IsThere;
};

} // namespace specrt

#endif
