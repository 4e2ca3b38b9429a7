//===- runtime/call/in_place_comparison.h - a region with and without versions ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trial compares single calls. It cannot see what a version costs the rest of the program:
// threads leave data in the caches of other cores, where later code misses them, and that shows
// only after many calls in a row. So a version with a small gain is compared in place: the region
// runs with its versions for some 20 ms of calls, then as long without them, and so on in turn. The
// time from call to call is compared, whatever else the program does in between.
//
// It decides alone about calls that are shorter than what timing one of them costs: the calls of a
// program overlap in the processor, a timed one does not. In such calls the thunk would dominate,
// so they come here in strides: of that many calls in an entry, or that the thunk lets pass, one
// is added.
//
// Only one region is compared at a time. Periods in which something is compiled or on trial do not
// count.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CALL_IN_PLACE_COMPARISON_H
#define SPECRT_RUNTIME_CALL_IN_PLACE_COMPARISON_H

#include "runtime/base/policy/evidence.h"

#include <atomic>
#include <cstdint>

namespace specrt {

class InPlaceComparison {
public:
  enum class Verdict : uint8_t {
    Open,   ///< too few comparable calls so far, or until the end
    Faster, ///< the program is faster with the versions
    Alike,
    Slower
  };

  /// \p Stride is the number of calls of which one is to be added.
  explicit InPlaceComparison(double NsPerTick, uint32_t Stride = 1);

  /// Adds a call that arrives at \p Ticks, and the NumCalls - 1 calls since the one before. Their
  /// period does not count if \p IsCompiling, or if \p TrialRuns, a counter of the process, has
  /// changed. Returns true when the comparison ends with this call. Must be called by one thread at
  /// a time.
  bool addCall(uint64_t Ticks, bool IsCompiling, uint32_t TrialRuns, uint32_t NumCalls = 1);

  uint32_t stride() const { return Stride; }

  /// Returns whether the call that arrived last runs the original. Any thread.
  bool runsAsWritten() const { return AsWritten.load(std::memory_order_relaxed); }

  // These are valid after the comparison has ended.
  bool isOver() const { return Over.load(std::memory_order_acquire); }
  Verdict verdict() const { return Result; }
  /// Returns the ratio by which calls come more often with the versions; 0: unknown.
  double gain() const;
  /// Returns the time that the program saves per call with the versions, in nanoseconds; 0 if that
  /// is unknown or within the error, negative if it takes longer.
  double savedNs() const;

private:
  bool takeTurn(uint64_t Ticks);
  void restartBlock(uint64_t Ticks);
  bool endBlock(double Period);
  Verdict judge() const;
  bool end(Verdict V);

  const double NsPerTick;
  const uint32_t Stride;
  std::atomic<bool> AsWritten{false}, Over{false};
  Verdict Result = Verdict::Open;
  bool IsOriginalsTurn = false;
  // The state of the current block of calls.
  bool IsMeasured = false; ///< false while the block settles
  uint64_t Begin = 0;      ///< ticks; 0: no block
  uint64_t Last = 0;       ///< ticks of the last call
  uint32_t Calls = 0;
  uint32_t Restarts = 0;
  uint32_t TrialRunsSeen = 0;
  // Periods of finished blocks: the versions' before the original's, and the original's.
  double Before = 0, Original = 0;
  PairedTimes Periods; ///< the versions' and the original's
};

} // namespace specrt

#endif
