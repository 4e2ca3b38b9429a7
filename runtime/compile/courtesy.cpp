//===- runtime/compile/courtesy.cpp - when a compile makes room for the program ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compile/courtesy.h"
#include "runtime/base/clock.h"
#include "runtime/base/processors.h"
#include <utility>

namespace specrt {

/// Of the run's time. Threads that meet lose it several times over, so that it is less than what
/// a run may lose.
static constexpr uint64_t Share = 100;

Courtesy::Courtesy() : BeginNs(monotonicNs()) {}

bool Courtesy::mayDisturb(uint64_t Ns) const {
  return TakenNs + Ns <= (monotonicNs() - BeginNs) / Share;
}

uint64_t Courtesy::freeForNs(pid_t Background) {
  const uint64_t Now = monotonicNs();
  const bool IsNews = Now - std::exchange(LookedNs, Now) > 10 * LookNs;
  if (IsNews || !isProcessorFree(Background))
    FreeSinceNs = Now;
  return Now - FreeSinceNs;
}

bool Courtesy::mustRest(pid_t Thread, uint64_t UsedNs) {
  // Programs leave their processors alone for moments.
  constexpr uint64_t MomentNs = 2 * LookNs;
  if (freeForNs(Thread) >= MomentNs)
    return false;
  TakenNs += UsedNs;
  return !mayDisturb(LookNs);
}

bool Courtesy::mayTake(uint64_t Ns) {
  if (freeForNs(/*Background=*/0) >= Ns)
    return true;
  if (!mayDisturb(Ns))
    return false;
  TakenNs += Ns;
  return true;
}

} // namespace specrt
