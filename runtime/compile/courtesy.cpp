//===- runtime/compile/courtesy.cpp - when a compile makes room for the program ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compile/courtesy.h"
#include "runtime/base/clock.h"
#include "runtime/base/processors.h"
#include <algorithm>
#include <utility>

namespace specrt {

/// Of the run's time. Threads that meet lose it several times over, so that it is less than what
/// a run may lose.
static constexpr uint64_t Share = 100;

Courtesy::Courtesy() : BeginNs(monotonicNs()) {}

bool Courtesy::mayDisturb(uint64_t Ns) const {
  return TakenNs + Ns <= (monotonicNs() - BeginNs) / Share;
}

bool Courtesy::look(pid_t Background) {
  constexpr uint64_t Weight = 4, MostNs = 20 * LookNs;
  const uint64_t Now = monotonicNs(), Passed = Now - std::exchange(LookedNs, Now);
  const bool IsFree = isProcessorFree(Background);
  if (Passed > 10 * LookNs) // what was then says nothing
    FreeNs = 0;
  else if (IsFree)
    FreeNs = std::min(FreeNs + Passed, MostNs);
  else
    FreeNs -= std::min(FreeNs, Weight * Passed);
  return IsFree;
}

bool Courtesy::mustRest(pid_t Thread, uint64_t UsedNs) {
  // Programs leave their processors alone for moments.
  constexpr uint64_t MomentNs = 2 * LookNs;
  if (look(Thread) && FreeNs >= MomentNs)
    return false;
  TakenNs += UsedNs;
  return !mayDisturb(LookNs);
}

bool Courtesy::mayTake(uint64_t Ns) {
  if (look(/*Background=*/0) && FreeNs >= Ns)
    return true;
  if (!mayDisturb(Ns))
    return false;
  TakenNs += Ns;
  return true;
}

} // namespace specrt
