//===- runtime/compile/courtesy.cpp - when a compile makes room for the program ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compile/courtesy.h"
#include "runtime/base/clock.h"
#include "runtime/base/processors.h"
#include <algorithm>
#include <ctime>
#include <utility>

namespace specrt {

Courtesy::Courtesy(uint64_t (*OwnLoops)()) : OwnLoops(OwnLoops), BeginNs(monotonicNs()) {}

bool Courtesy::mayDisturb(uint64_t Ns, uint64_t Further) const {
  // Of the run's time. Threads that meet lose it several times over.
  const uint64_t PerCent = IsAlone ? 10 + 40 * Hurry : 1 + 2 * Hurry;
  const uint64_t Elapsed = monotonicNs() - BeginNs, Taken = takenNs() + Ns;
  return Taken <= Elapsed * PerCent / 100 &&
         isAffordable(static_cast<double>(Taken + Further), static_cast<double>(Elapsed));
}

bool Courtesy::isAffordable(double Ns, double ElapsedNs) const {
  const Limit *Known = Current.load(std::memory_order_acquire);
  return !Known || Ns <= Known->AffordableNs(ElapsedNs);
}

bool Courtesy::mayCompile() {
  const Limit *Known = Current.load(std::memory_order_acquire);
  if (!Known)
    return true;
  // At the end of a run that takes as long as others.
  const double Elapsed = std::max(static_cast<double>(monotonicNs() - BeginNs),
                                  Known->UsualNs > 0 ? Known->UsualNs : LongRunNs);
  if (isAffordable(static_cast<double>(takenNs() + CompilingNs), Elapsed))
    return true;
  return !findsNoProcessor();
}

bool Courtesy::findsNoProcessor() {
  look(/*Background=*/0);
  return !IsFree;
}

void Courtesy::look(pid_t Background) {
  constexpr uint64_t Weight = 4, MostNs = 2 * SeldomNs;
  const uint64_t Now = monotonicNs(), Passed = Now - std::exchange(LookedNs, Now);
  IsFree = isProcessorFree(Background);
  if (!IsFree && FreeNs > 0) {
    // Often one of the kernel's own threads, which run for moments, and with the clock that woke
    // this one. What programs do is still there a little later.
    constexpr timespec ALittle = {.tv_sec = 0, .tv_nsec = 200'000};
    nanosleep(&ALittle, nullptr);
    IsFree = isProcessorFree(Background);
  }
  // Threads that shared a loop of ours look for another one before they sleep.
  const uint64_t Loops = OwnLoops(), LoopsBefore = std::exchange(LoopsSeen, Loops);
  IsOurs = !IsFree && (Loops % 2 != 0 || Loops != LoopsBefore);
  IsAlone = !IsFree && otherThreadsThatRun(Background, 2) < 2;
  PauseNs = IsFree || IsOurs ? LookNs : std::min(2 * PauseNs, SeldomNs);
  if (Passed > SeldomNs) // what was then says nothing
    FreeNs = 0;
  else if (IsFree)
    FreeNs = std::min(FreeNs + Passed, MostNs);
  else if (!IsOurs)
    FreeNs -= std::min(FreeNs, Weight * Passed);
}

bool Courtesy::mustRest(pid_t Thread, uint64_t UsedNs) {
  // Programs leave their processors alone for moments.
  constexpr uint64_t MomentNs = 2 * LookNs;
  look(Thread);
  if (IsFree && FreeNs >= MomentNs)
    return false;
  // Moments later the processor is free again.
  if (IsOurs)
    return true;
  take(UsedNs);
  if (!mayDisturb(LookNs))
    return true;
  PauseNs = LookNs;
  return false;
}

bool Courtesy::mayTake(uint64_t Ns, uint64_t Further) {
  look(/*Background=*/0);
  if (IsFree && FreeNs >= Ns)
    return true;
  if (!mayDisturb(Ns, Further))
    return false;
  take(Ns);
  return true;
}

} // namespace specrt
