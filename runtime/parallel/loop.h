//===- runtime/parallel/loop.h - one parallel loop and its chunks ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The iterations 0 .. Total-1 are distributed in chunks that shrink with the remaining work (guided
// scheduling), which needs few requests and gives even ends. Each thread has a share from which it
// takes first, the same one in every loop of that length: its cache still holds the data from the
// last time. Then it takes from other shares. Counters that only grow make every iteration run
// exactly once, on whatever threads ask.
//
// In a pipeline there is one chunk per thread, its range, and ranges are taken in ascending order.
// So a range is only taken when some thread has taken all lower ones, and a thread that waits for
// the range before its own waits for a thread that is running.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_PARALLEL_LOOP_H
#define SPECRT_RUNTIME_PARALLEL_LOOP_H

#include "runtime/parallel/pipeline.h"
#include "runtime/parallel/shared_nest.h"
#include "support/ranking/guided_chunks.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

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
        Total(iterationCount(Begin, End, Step)) {
    setThreads(1);
  }

  /// The order of the threads if the loop is a pipeline that several threads share, else null.
  Pipeline *pipeline() { return Order ? &*Order : nullptr; }

  /// Must be called before the loop begins: its iterations are the ranks of \p Of, which must
  /// outlive it.
  void setNest(const SharedNest &Of) { Nest = &Of; }
  /// The nest whose ranks are the iterations; null if they are those of a loop.
  const SharedNest *nest() const { return Nest; }

  uint64_t total() const { return Total; }
  bool exhausted() const {
    return std::all_of(Shares.begin(), Shares.begin() + Chunks.numShares(), [](const Share &S) {
      return S.Next.load(std::memory_order_relaxed) >= S.End;
    });
  }
  /// Must be called before the loop begins. With 1, the whole loop is one chunk.
  void setThreads(unsigned Count) {
    Chunks = GuidedChunks(Total, Count);
    for (unsigned I = 0; I < Chunks.numShares(); ++I) {
      Shares[I].Next.store(Chunks.begin(I), std::memory_order_relaxed);
      Shares[I].End = Chunks.begin(I + 1);
    }
  }

  /// Does the same for a pipeline, in which each thread takes one range. \p Memory is as for
  /// Pipeline.
  void setPipeline(unsigned Count, void *Memory) {
    Chunks = GuidedChunks(/*Total=*/0, Count);
    Shares[0].End = Count;
    Order.emplace(Memory, Count);
  }

  /// Takes a chunk for this thread, whose number counts from 0. Returns the number of its first
  /// iteration; nothing when none is left. Thread-safe. Relaxed order suffices: the counters guard
  /// no other data, and TBB orders the end of the loop.
  std::optional<uint64_t> take(unsigned Thread, long &From, long &To) {
    for (unsigned I = 0, Count = Chunks.numShares(); I < Count; ++I)
      if (const auto First = takeFrom(Shares[(Thread + I) % Count], From, To))
        return First;
    return std::nullopt;
  }

  /// Takes a range of a pipeline; nothing when none is left. Thread-safe.
  std::optional<unsigned> takeRange(long &From, long &To) {
    const uint64_t Range = Shares[0].Next.fetch_add(1, std::memory_order_relaxed);
    if (Range >= Shares[0].End)
      return std::nullopt;
    const unsigned Threads = Chunks.numThreads();
    From = at(Total * Range / Threads);
    To = Range + 1 == Threads ? End : at(Total * (Range + 1) / Threads);
    return unsigned(Range);
  }

  void callBody() const { Function(Data); }

private:
  struct alignas(64) Share {
    std::atomic<uint64_t> Next{0};
    uint64_t End = 0;
  };

  std::optional<uint64_t> takeFrom(Share &Of, long &From, long &To) {
    uint64_t First = Of.Next.load(std::memory_order_relaxed), Size;
    do {
      if (First >= Of.End)
        return std::nullopt;
      Size = Chunks.next(Of.End - First, Nest ? Nest->leastChunk() : 1);
    } while (!Of.Next.compare_exchange_weak(First, First + Size, std::memory_order_relaxed));
    From = at(First);
    To = First + Size == Total ? End : at(First + Size);
    return First;
  }

  /// The arithmetic is unsigned, so that a step beyond the end cannot overflow.
  long at(uint64_t Iteration) const {
    return static_cast<long>(static_cast<uint64_t>(Begin) +
                             Iteration * static_cast<uint64_t>(Step));
  }

  void (*const Function)(void *);
  void *const Data;
  const long Begin, End, Step;
  const uint64_t Total;
  const SharedNest *Nest = nullptr;
  std::optional<Pipeline> Order;
  GuidedChunks Chunks;
  std::array<Share, GuidedChunks::MaxShares> Shares;
};

} // namespace specrt

#endif
