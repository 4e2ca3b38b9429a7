//===- runtime/compile/courtesy.h - when a compile makes room for the program ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowest priority does not suffice: threads that wait for each other, at OpenMP's barriers for
// example, yield to whoever is there while they wait, and then all of them wait for the one that
// got its processor back late. So a compile that no call waits for runs where a processor is free,
// and rests while none is, but for a share of the run's time: a small one, and a larger one when a
// single thread of the program runs, which loses what is taken and no more. Our own parallel loops
// take processors for moments between which these are free: while one runs the compile rests, but
// that tells nothing about the program.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_COMPILE_COURTESY_H
#define SPECRT_RUNTIME_COMPILE_COURTESY_H

#include "support/helper_functions.h"
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <sys/types.h>
#include <utility>

namespace specrt {

/// What background work of this process may take. Used by one thread, the worker, but for takenNs.
class Courtesy {
public:
  /// How often mustRest is to be asked, and at the least while no processor is free: a look takes
  /// some 50 us of one, and threads that meet lose that several times over.
  static constexpr uint64_t LookNs = 2'000'000, SeldomNs = 10 * LookNs;
  /// What most compiles take, or more.
  static constexpr uint64_t CompilingNs = 100'000'000;

  /// \p OwnLoops: see loopsSoFar.
  explicit Courtesy(uint64_t (*OwnLoops)() = loopsSoFar);

  /// Should \p Thread rest until the next look? \p UsedNs is the processor time it has had since
  /// the last one.
  bool mustRest(pid_t Thread, uint64_t UsedNs);

  /// What is compiled from now on was begun so often by runs that ended before it. It may take much
  /// more: to begin in each run anew costs more than to come to an end once.
  void hurry(uint32_t CutShort) { Hurry = std::min(CutShort, MostHurry); }

  /// The most nanoseconds that this run may cost when it has lasted so many, whatever shares allow:
  /// earlier runs may have cost much.
  /// UsualNs: what a run usually takes; 0: unknown. Null: whatever shares allow. Called by one
  /// thread at a time, also while the worker uses the one before.
  struct Limit {
    std::function<double(double ElapsedNs)> AffordableNs;
    double UsualNs = 0;
  };
  void setLimit(Limit New) {
    Limits.push_back(std::move(New));
    Current.store(Limits.back().AffordableNs ? &Limits.back() : nullptr, std::memory_order_release);
  }

  /// May a compile begin? Not when no processor is free and earlier runs have spent what this one
  /// could: it would only rest.
  bool mayCompile();

  /// Is no processor free?
  bool findsNoProcessor();

  /// Processor time taken so far while no processor was free. Any thread.
  uint64_t takenNs() const { return TakenNs.load(std::memory_order_relaxed); }

  /// When to look next.
  uint64_t pauseNs() const { return PauseNs; }

  /// As of the last look: no processor is free, and one thread of the program runs. It has to give
  /// something, or there would never be a version.
  bool servesOneThread() const { return IsAlone; }

  /// May something begin that takes \p Ns of a processor and cannot rest? Yes when one has been
  /// free for as long, but for moments, or when it is a small share of the run; then they count as
  /// taken. \p Further: without so much more it would be in vain, in this run or the next.
  bool mayTake(uint64_t Ns, uint64_t Further = 0);

private:
  void look(pid_t Background);
  /// What of the run's time may still be taken from threads that would use it.
  bool mayDisturb(uint64_t Ns, uint64_t Further = 0) const;
  bool isAffordable(double Ns, double ElapsedNs) const;
  void take(uint64_t Ns) { TakenNs.store(takenNs() + Ns, std::memory_order_relaxed); }

  static constexpr uint32_t MostHurry = 2;
  static constexpr double LongRunNs = 3e9;

  uint64_t (*const OwnLoops)();
  uint64_t LoopsSeen = 0;
  const uint64_t BeginNs;
  std::atomic<uint64_t> TakenNs{0};
  std::list<Limit> Limits; ///< all there have been
  std::atomic<const Limit *> Current{nullptr};
  uint32_t Hurry = 0;
  uint64_t LookedNs = 0;
  uint64_t PauseNs = LookNs;
  bool IsFree = false;  ///< is a processor?
  bool IsAlone = false; ///< is it a single thread that is disturbed?
  bool IsOurs = false;  ///< no processor is free because of our own loops
  /// For how long a processor has been free; time without one counts several times against that.
  uint64_t FreeNs = 0;
};

} // namespace specrt

#endif
