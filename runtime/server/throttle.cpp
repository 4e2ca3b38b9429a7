//===- runtime/server/throttle.cpp - when background compiles pause -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/server/throttle.h"
#include "runtime/base/clock.h"
#include "runtime/base/processors.h"
#include <algorithm>
#include <ctime>
#include <unistd.h>
#include <utility>

namespace specrt {

Throttle::Machine Throttle::thisMachine() {
  return {.Processors = static_cast<unsigned>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L)),
          .Others = othersThatRun,
          .NowNs = monotonicNs};
}

Throttle::Throttle(Machine Of) : Here(std::move(Of)), BeginNs(Here.NowNs()) {}

/// Returns whether another \p Ns of processor time keep what was taken from busy programs within
/// its share of the time since the server began (docs/server.md).
bool Throttle::mayTake(uint64_t Ns) const {
  const uint64_t PerCent = IsSingleThread ? 10 : 1;
  return TakenNs + Ns <= (Here.NowNs() - BeginNs) * PerCent / 100;
}

void Throttle::check(std::span<const pid_t> Ours) {
  // A busy moment counts as much as the several free ones that a program would lose at a barrier.
  constexpr uint64_t Weight = 4, MaxFreeNs = 2 * MaxCheckNs;
  const uint64_t Now = Here.NowNs(), Passed = Now - std::exchange(LastCheckNs, Now);
  unsigned Others = Here.Others(Ours);
  if (Others >= Here.Processors && FreeNs > 0) {
    // Kernel threads often wake on the same clock tick as this thread and run for less than this. A
    // program's thread still runs afterwards.
    constexpr timespec KernelThread = {.tv_sec = 0, .tv_nsec = 200'000};
    nanosleep(&KernelThread, nullptr);
    Others = Here.Others(Ours);
  }
  IsFree = Others < Here.Processors;
  IsSingleThread = !IsFree && Others < 2;
  IntervalNs = IsFree ? CheckNs : std::min(2 * IntervalNs, MaxCheckNs);
  if (Passed > MaxCheckNs) // there was nothing to check, so the last state is too old
    FreeNs = 0;
  else if (IsFree)
    FreeNs = std::min(FreeNs + Passed, MaxFreeNs);
  else
    FreeNs -= std::min(FreeNs, Weight * Passed);
}

bool Throttle::mustPause(std::span<const pid_t> Ours, uint64_t UsedNs) {
  // Two checks in a row are required, because all threads of a program sleep for a moment now and
  // then.
  constexpr uint64_t LeastFreeNs = 2 * CheckNs;
  check(Ours);
  if (IsFree && FreeNs >= LeastFreeNs)
    return false;
  TakenNs += UsedNs;
  if (!mayTake(CheckNs))
    return true;
  IntervalNs = CheckNs;
  return false;
}

} // namespace specrt
