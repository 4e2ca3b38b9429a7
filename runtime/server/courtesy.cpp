//===- runtime/server/courtesy.cpp - when a compile makes room for programs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/server/courtesy.h"
#include "runtime/base/clock.h"
#include "runtime/base/processors.h"
#include <algorithm>
#include <ctime>
#include <unistd.h>
#include <utility>

namespace specrt {

Courtesy::Machine Courtesy::thisMachine() {
  return {.Processors = static_cast<unsigned>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L)),
          .Others = othersThatRun,
          .NowNs = monotonicNs};
}

Courtesy::Courtesy(Machine Of) : Here(std::move(Of)), BeginNs(Here.NowNs()) {}

bool Courtesy::mayDisturb(uint64_t Ns) const {
  // Of the time since the server began. Threads that meet lose it several times over.
  const uint64_t PerCent = IsAlone ? 10 : 1;
  return TakenNs + Ns <= (Here.NowNs() - BeginNs) * PerCent / 100;
}

void Courtesy::look(std::span<const pid_t> Ours) {
  constexpr uint64_t Weight = 4, MostNs = 2 * SeldomNs;
  const uint64_t Now = Here.NowNs(), Passed = Now - std::exchange(LookedNs, Now);
  unsigned Others = Here.Others(Ours);
  if (Others >= Here.Processors && FreeNs > 0) {
    // Often one of the kernel's own threads, which run for moments, and with the clock that woke
    // this one. What programs do is still there a little later.
    constexpr timespec ALittle = {.tv_sec = 0, .tv_nsec = 200'000};
    nanosleep(&ALittle, nullptr);
    Others = Here.Others(Ours);
  }
  IsFree = Others < Here.Processors;
  IsAlone = !IsFree && Others < 2;
  PauseNs = IsFree ? LookNs : std::min(2 * PauseNs, SeldomNs);
  if (Passed > SeldomNs) // what was then says nothing
    FreeNs = 0;
  else if (IsFree)
    FreeNs = std::min(FreeNs + Passed, MostNs);
  else
    FreeNs -= std::min(FreeNs, Weight * Passed);
}

bool Courtesy::mustRest(std::span<const pid_t> Ours, uint64_t UsedNs) {
  // Programs leave their processors alone for moments.
  constexpr uint64_t MomentNs = 2 * LookNs;
  look(Ours);
  if (IsFree && FreeNs >= MomentNs)
    return false;
  TakenNs += UsedNs;
  if (!mayDisturb(LookNs))
    return true;
  PauseNs = LookNs;
  return false;
}

} // namespace specrt
