//===- runtime/call/pace.h - does the program get on faster with a version? ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trial compares calls. What a version costs others it cannot see: threads leave data in the
// caches of other cores, where what the program does next misses them, and that shows only after
// many calls in a row. So a version with a small gain is put to the test in place: the region runs
// with its versions for some 20 ms of calls, as written for as long, and so on in turn, and what is
// compared is the time from call to call, whatever else the program does in between.
//
// One region at a time. Moments in which something is compiled or on trial do not count.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CALL_PACE_H
#define SPECRT_RUNTIME_CALL_PACE_H

#include <array>
#include <atomic>
#include <cstdint>

namespace specrt {

class Pace {
public:
  enum class Verdict : uint8_t {
    Open,   ///< not enough comparable calls, so far or at all
    Faster, ///< the program is, with the versions
    Alike,
    Slower
  };

  explicit Pace(double NsPerTick);

  /// A call arrives at \p Ticks, in a moment that is like others unless something \p IsCompiling or
  /// \p TrialRuns, a count of the process's, went on. Returns true when with this call the
  /// comparison is over. One thread at a time.
  bool addCall(uint64_t Ticks, bool IsCompiling, uint32_t TrialRuns);

  /// Does the call that arrived last run as written? Any thread.
  bool runsAsWritten() const { return AsWritten.load(std::memory_order_relaxed); }

  // When it is over.
  bool isOver() const { return Over.load(std::memory_order_acquire); }
  Verdict verdict() const { return Result; }
  /// So many times as often do calls come with the versions; 0: unknown.
  double gain() const;

private:
  static constexpr uint32_t MaxRatios = 6;

  bool takeTurn(uint64_t Ticks);
  void restartBlock(uint64_t Ticks);
  bool endBlock(double Period);
  Verdict judge() const;
  bool end(Verdict V);

  const double NsPerTick;
  std::atomic<bool> AsWritten{false}, Over{false};
  Verdict Result = Verdict::Open;
  bool IsOriginalsTurn = false;
  // Of the block: calls that belong together.
  bool IsMeasured = false; ///< else it settles
  uint64_t Begin = 0;      ///< ticks; 0: no block
  uint64_t Last = 0;       ///< when the last call came
  uint32_t Calls = 0;
  uint32_t Restarts = 0;
  uint32_t TrialRunsSeen = 0;
  // Periods of finished blocks: the versions' before the original's, and the original's.
  double Before = 0, Original = 0;
  std::array<double, MaxRatios> Ratios{}; ///< of periods, versions' to original's
  uint32_t NumRatios = 0;
};

} // namespace specrt

#endif
