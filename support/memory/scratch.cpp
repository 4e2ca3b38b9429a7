//===- support/memory/scratch.cpp - memory for packed operands of versions ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/memory/scratch.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <iterator>
#include <pthread.h>
#include <sys/mman.h>

namespace {

struct Slot;

/// The page before every mapping begins with this header.
struct Header {
  uint64_t Bytes;
  Slot *Home; ///< null: no slot refers to the mapping
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

/// One block of a thread. IsTaken is set before anything else changes, so that a signal handler
/// that interrupts the thread does not use the same slot.
struct Slot {
  void *Memory;
  volatile sig_atomic_t IsTaken;
  bool IsKept; ///< after its use, for the next one

  void *take(uint64_t Bytes) {
    IsTaken = 1;
    // A handler may have changed Memory since the slot was chosen.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (Memory && capacity(Memory) < Bytes)
      drop();
    if (!Memory)
      Memory = map(Bytes, this);
    if (!Memory)
      IsTaken = 0;
    return Memory;
  }

  void give() {
    if (!IsKept)
      drop();
    std::atomic_signal_fence(std::memory_order_seq_cst);
    IsTaken = 0;
  }

  void drop() {
    void *Old = Memory;
    Memory = nullptr;
    unmap(Old);
  }
};

/// All blocks of a thread, which begin as zeros. Kernels inside loops with expanded storage hold
/// more than one. A kernel that longjmp leaves never gives its blocks back; the number of slots
/// bounds that leak.
struct ThreadBlocks {
  static constexpr size_t Kept = 4;
  Slot Slots[12];

  Slot *findFree(uint64_t Bytes) {
    Slot *Free = nullptr;
    for (Slot &S : Slots) {
      if (S.IsTaken)
        continue;
      if (S.Memory && capacity(S.Memory) >= Bytes)
        return &S;
      if (!Free || (Free->Memory && !S.Memory && S.IsKept))
        Free = &S;
    }
    return Free;
  }
};

/// Finds the calling thread's blocks. This is not a thread-local variable, because the first use of
/// one, and registering its destructor, allocates, and the code that a handler interrupts may hold
/// the loader's lock. glibc stores the first pthread keys in the thread's descriptor.
class BlocksOfThread {
public:
  BlocksOfThread() noexcept {
    constexpr pthread_key_t WithPlace = 32;
    Usable = pthread_key_create(&Key, release) == 0 && Key < WithPlace;
  }

  /// Returns null when there is no key or no memory.
  ThreadBlocks *get() const {
    if (!Usable)
      return nullptr;
    void *Known = pthread_getspecific(Key);
    return Known ? static_cast<ThreadBlocks *>(Known) : make();
  }

private:
  ThreadBlocks *make() const {
    int Problem = errno;
    void *Page = mmap(nullptr, sizeof(ThreadBlocks), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    errno = Problem;
    if (Page == MAP_FAILED)
      return nullptr;
    auto *Fresh = static_cast<ThreadBlocks *>(Page);
    for (size_t I = 0; I < ThreadBlocks::Kept; ++I)
      Fresh->Slots[I].IsKept = true;
    pthread_setspecific(Key, Fresh);
    return Fresh;
  }

  /// Frees all blocks at the end of a thread, including those that were never given back: no code
  /// that uses them runs any more.
  static void release(void *Blocks) {
    for (Slot &S : static_cast<ThreadBlocks *>(Blocks)->Slots)
      if (S.Memory)
        S.drop();
    munmap(Blocks, sizeof(ThreadBlocks));
  }

  pthread_key_t Key{};
  bool Usable = false;
};

const BlocksOfThread Blocks [[gnu::init_priority(101)]];

} // namespace

extern "C" void *specrt_scratch_take(uint64_t Bytes) {
  ThreadBlocks *Own = Blocks.get();
  if (!Own)
    return map(Bytes, nullptr);
  Slot *Free = Own->findFree(Bytes);
  return Free ? Free->take(Bytes) : nullptr;
}

extern "C" void specrt_scratch_give(void *Memory) {
  if (!Memory)
    return;
  if (Slot *Home = headerOf(Memory)->Home)
    Home->give();
  else
    unmap(Memory);
}
