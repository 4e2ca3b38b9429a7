//===- support/scratch.cpp - memory that specialised code packs operands into ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/scratch.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <sys/mman.h>

namespace {

struct Slot;

/// Before every mapping lies a page that tells its size.
struct Header {
  uint64_t Bytes;
  Slot *Home; ///< null: nobody keeps it
};
constexpr uint64_t HeaderBytes = 4096;
constexpr uint64_t Granule = uint64_t{1} << 16;

Header *headerOf(void *Memory) {
  return reinterpret_cast<Header *>(static_cast<char *>(Memory) - HeaderBytes);
}

uint64_t capacity(void *Memory) { return headerOf(Memory)->Bytes - HeaderBytes; }

void *map(uint64_t Bytes, Slot *Home) {
  if (Bytes > (uint64_t{1} << 40))
    return nullptr;
  uint64_t Total = (Bytes + HeaderBytes + Granule - 1) / Granule * Granule;
  int Problem = errno;
  void *Start = mmap(nullptr, Total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  errno = Problem;
  if (Start == MAP_FAILED)
    return nullptr;
  *static_cast<Header *>(Start) = {Total, Home};
  return static_cast<char *>(Start) + HeaderBytes;
}

void unmap(void *Memory) {
  int Problem = errno;
  munmap(headerOf(Memory), headerOf(Memory)->Bytes);
  errno = Problem;
}

/// One block that a thread keeps. A handler that interrupts the thread finds IsTaken set before
/// anything else changes.
struct Slot {
  void *Memory = nullptr;
  volatile sig_atomic_t IsTaken = 0;

  void *take(uint64_t Bytes) {
    IsTaken = 1;
    // A handler that came before may have changed Memory since the slot was chosen.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (Memory && capacity(Memory) < Bytes) {
      unmap(Memory);
      Memory = nullptr;
    }
    if (!Memory)
      Memory = map(Bytes, this);
    if (!Memory)
      IsTaken = 0;
    return Memory;
  }
};

/// Kernels inside of loops with expanded storage hold more than one.
struct ThreadBlocks {
  Slot Slots[4];

  Slot *findFree(uint64_t Bytes) {
    Slot *Free = nullptr;
    for (Slot &S : Slots) {
      if (S.IsTaken)
        continue;
      if (S.Memory && capacity(S.Memory) >= Bytes)
        return &S;
      if (!Free || !S.Memory)
        Free = &S;
    }
    return Free;
  }

  ~ThreadBlocks() {
    for (Slot &S : Slots) {
      // What runs later on this thread maps its own.
      bool Idle = !S.IsTaken;
      S.IsTaken = 1;
      if (S.Memory && Idle)
        unmap(S.Memory);
    }
  }
};

thread_local ThreadBlocks Blocks;

} // namespace

extern "C" void *specrt_scratch_take(uint64_t Bytes) {
  Slot *Free = Blocks.findFree(Bytes);
  return Free ? Free->take(Bytes) : map(Bytes, nullptr);
}

extern "C" void specrt_scratch_give(void *Memory) {
  if (!Memory)
    return;
  if (Slot *Home = headerOf(Memory)->Home)
    Home->IsTaken = 0;
  else
    unmap(Memory);
}
