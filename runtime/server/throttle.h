//===- runtime/server/throttle.h - pauses background compiles -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scheduler's idle class alone does not protect programs. Threads that wait for each other, at
// OpenMP's barriers for example, yield to any other thread while they wait, and then all of them
// wait for the one that gets its processor back late. So background compiles run while a processor
// is free and pause while none is. They still get a share of a busy machine: 1 % of the time, or
// 10 % where a single thread runs, because no other thread waits for that one.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_SERVER_THROTTLE_H
#define SPECRT_RUNTIME_SERVER_THROTTLE_H

#include <cstdint>
#include <functional>
#include <span>
#include <sys/types.h>

namespace specrt {

/// Decides when background compiles pause. Not thread-safe.
class Throttle {
public:
  /// The interval between checks while a processor is free, and the longest one while none is, in
  /// nanoseconds. A check takes some 50 us of a processor (measured), and threads that meet at
  /// barriers lose that several times over: at most 2.5 % where one is free, 0.25 % otherwise.
  static constexpr uint64_t CheckNs = 2'000'000, MaxCheckNs = 10 * CheckNs;

  /// The state of the machine; tests replace it.
  struct Machine {
    unsigned Processors;
    /// See othersThatRun.
    std::function<unsigned(std::span<const pid_t> Ours)> Others;
    std::function<uint64_t()> NowNs;
  };
  static Machine thisMachine();

  explicit Throttle(Machine Here = thisMachine());

  /// Returns whether the processes \p Ours must pause until the next check. \p UsedNs is the
  /// processor time that they have used since the last one.
  bool mustPause(std::span<const pid_t> Ours, uint64_t UsedNs);

  /// The time until the next check, in nanoseconds.
  uint64_t intervalNs() const { return IntervalNs; }

private:
  void check(std::span<const pid_t> Ours);
  bool mayTake(uint64_t Ns) const;

  const Machine Here;
  const uint64_t BeginNs;
  uint64_t TakenNs = 0;     ///< processor time used while no processor was free
  uint64_t LastCheckNs = 0; ///< of Here.NowNs
  uint64_t IntervalNs = CheckNs;
  bool IsFree = false;         ///< a processor was free at the last check
  bool IsSingleThread = false; ///< one other thread ran, on the only processor there is
  /// How long a processor has been free. Time without a free one is subtracted several times over.
  uint64_t FreeNs = 0;
};

} // namespace specrt

#endif
