//===- runtime/parallel/loop.h - one parallel loop and its chunks ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The iterations 0 .. Total-1 are handed out in chunks that shrink with what remains (guided
// scheduling): few requests while there is much to do, even ends. A counter that only grows makes
// every iteration run exactly once, on whatever threads ask.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_PARALLEL_LOOP_H
#define SPECRT_RUNTIME_PARALLEL_LOOP_H

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace specrt {

/// Number of values begin, begin + step, ... before end.
inline uint64_t iterationCount(long Begin, long End, long Step) {
  uint64_t B = static_cast<uint64_t>(Begin), E = static_cast<uint64_t>(End);
  uint64_t S = static_cast<uint64_t>(Step);
  if (Step > 0 && Begin < End)
    return (E - B - 1) / S + 1;
  if (Step < 0 && Begin > End)
    return (B - E - 1) / (0 - S) + 1;
  return 0;
}

class ParallelLoop {
public:
  ParallelLoop(void (*Function)(void *), void *Data, long Begin, long End, long Step)
      : Function(Function), Data(Data), Begin(Begin), End(End), Step(Step),
        Total(iterationCount(Begin, End, Step)) {}

  uint64_t total() const { return Total; }
  bool exhausted() const { return Next.load(std::memory_order_relaxed) >= Total; }
  /// Before the loop begins. 1: the whole loop is one chunk.
  void setThreads(unsigned Count) { Threads = Count; }

  /// Takes a chunk; false when none is left. Thread-safe. Relaxed order suffices: the counter
  /// guards nothing but itself, and the end of the loop is ordered by TBB.
  bool take(long &From, long &To) {
    uint64_t First = Next.load(std::memory_order_relaxed), Size;
    do {
      if (First >= Total)
        return false;
      uint64_t Left = Total - First;
      Size = Threads == 1 ? Left : std::max<uint64_t>(1, Left / (2 * uint64_t{Threads}));
    } while (!Next.compare_exchange_weak(First, First + Size, std::memory_order_relaxed));
    // In the ring of unsigned numbers, where a step beyond the end cannot overflow.
    From = static_cast<long>(static_cast<uint64_t>(Begin) + First * static_cast<uint64_t>(Step));
    To = First + Size == Total ? End
                               : static_cast<long>(static_cast<uint64_t>(Begin) +
                                                   (First + Size) * static_cast<uint64_t>(Step));
    return true;
  }

  void callBody() const { Function(Data); }

private:
  void (*const Function)(void *);
  void *const Data;
  const long Begin, End, Step;
  const uint64_t Total;
  unsigned Threads = 1;
  std::atomic<uint64_t> Next{0};
};

} // namespace specrt

#endif
