//===- runtime/call/in_place_comparison.cpp - a region with and without versions ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/in_place_comparison.h"

#include <algorithm>
#include <utility>

namespace specrt {

namespace {

/// A minimal length of a part of a block, in time and calls.
struct Extent {
  double Ns;
  uint32_t Calls;
};
/// The part that is not measured: data move to other caches, and threads wake up or go to sleep.
constexpr Extent Settling{5e6, 8};
constexpr Extent Measured{20e6, 24};
/// The limit for blocks: a run has not enough blocks that last longer, and caches have little
/// influence on such long calls.
constexpr double LongestBlockNs = 250e6;
/// A longer gap between calls means that the program does something else.
constexpr double LongestGapNs = 100e6;
constexpr uint32_t MaxRestarts = 64;
/// The nanoseconds by which an original in place takes longer when the thunk lets it pass, because
/// the stub saves registers, than with an empty slot: 8 were measured on a Xeon.
constexpr double PassingNs = 10;

/// The current comparison of this process.
std::atomic<const InPlaceComparison *> Current{nullptr};
/// Ticks of its last call.
std::atomic<uint64_t> CurrentTicks{0};

} // namespace

InPlaceComparison::InPlaceComparison(double NsPerTick, uint32_t Stride)
    : NsPerTick(NsPerTick), Stride(Stride) {}

double InPlaceComparison::gain() const {
  const Evidence E = Periods.evidence();
  return E.isKnown() ? 1 / E.ratio() : 0;
}

double InPlaceComparison::savedNs() const {
  if (Result != Verdict::Faster && Result != Verdict::Slower)
    return 0;
  return Periods.oldNs() * (1 - Periods.evidence().ratio());
}

/// Returns whether this comparison may use the call. Only one comparison runs at a time, because
/// two would disturb each other; one that gets no more calls is abandoned.
bool InPlaceComparison::takeTurn(uint64_t Ticks) {
  const InPlaceComparison *Turn = Current.load(std::memory_order_relaxed);
  if (Turn != this) {
    const uint64_t Seen = CurrentTicks.load(std::memory_order_relaxed);
    const bool IsAbandoned =
        Ticks > Seen && static_cast<double>(Ticks - Seen) * NsPerTick > LongestGapNs;
    if ((Turn && !IsAbandoned) ||
        !Current.compare_exchange_strong(Turn, this, std::memory_order_relaxed))
      return false;
    Begin = 0;
  }
  CurrentTicks.store(Ticks, std::memory_order_relaxed);
  return true;
}

void InPlaceComparison::restartBlock(uint64_t Ticks) {
  IsMeasured = false;
  Begin = Ticks;
  Calls = 0;
}

bool InPlaceComparison::end(Verdict V) {
  Result = V;
  AsWritten.store(false, std::memory_order_relaxed);
  const InPlaceComparison *This = this;
  Current.compare_exchange_strong(This, nullptr, std::memory_order_relaxed);
  return !Over.exchange(true, std::memory_order_release);
}

InPlaceComparison::Verdict InPlaceComparison::judge() const {
  const Evidence E = Periods.evidence();
  if (Periods.areEnough() && E.isWin())
    return Verdict::Faster;
  if (Periods.areEnough() && E.isLoss())
    return Verdict::Slower;
  return Periods.areAll() ? Verdict::Alike : Verdict::Open;
}

/// Ends a block. A block of the original is compared with the mean of the versions' blocks before
/// and after it, so that a linear drift has no effect. Returns true when the comparison has ended.
bool InPlaceComparison::endBlock(double Period) {
  if (!std::exchange(IsOriginalsTurn, !IsOriginalsTurn)) {
    const double Both = (std::exchange(Before, Period) + Period) / 2;
    if (Original > 0)
      Periods.add(Both, std::exchange(Original, 0));
  } else {
    // Such a call that takes less would not be worth a version.
    Original = Stride > 1 ? std::max(Period - PassingNs, 1.0) : Period;
  }
  const Verdict V = judge();
  return V != Verdict::Open && end(V);
}

bool InPlaceComparison::addCall(uint64_t Ticks, bool IsCompiling, uint32_t TrialRuns,
                                uint32_t NumCalls) {
  if (isOver())
    return false;
  if (!takeTurn(Ticks)) {
    AsWritten.store(false, std::memory_order_relaxed);
    return false;
  }
  const bool IsQuiet = std::exchange(TrialRunsSeen, TrialRuns) == TrialRuns && !IsCompiling;
  const uint64_t Previous = std::exchange(Last, Ticks);
  const bool Follows = Begin > 0 && Ticks >= Previous &&
                       static_cast<double>(Ticks - Previous) * NsPerTick < LongestGapNs;
  if (!IsQuiet || !Follows) {
    Restarts += Calls > 0;
    restartBlock(Ticks);
    AsWritten.store(IsQuiet && IsOriginalsTurn, std::memory_order_relaxed);
    return Restarts > MaxRestarts && end(Verdict::Open);
  }
  Calls += NumCalls;
  const double Ns = static_cast<double>(Ticks - Begin) * NsPerTick;
  const Extent &Needed = IsMeasured ? Measured : Settling;
  if (Ns > LongestBlockNs)
    return end(Verdict::Open);
  if (Ns >= Needed.Ns && Calls >= Needed.Calls) {
    const double Period = Ns / Calls;
    const bool WasMeasured = IsMeasured;
    restartBlock(Ticks);
    IsMeasured = !WasMeasured;
    if (WasMeasured && endBlock(Period))
      return true;
  }
  AsWritten.store(IsOriginalsTurn, std::memory_order_relaxed);
  return false;
}

} // namespace specrt
