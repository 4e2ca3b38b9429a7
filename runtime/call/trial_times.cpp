//===- runtime/call/trial_times.cpp - evaluates the samples of a trial ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/trial.h"

#include <algorithm>
#include <cmath>

namespace specrt {

static constexpr auto Relaxed = std::memory_order_relaxed;

Spread spreadOf(const Candidate &C, std::optional<uint32_t> Class) {
  std::array<double, Candidate::MaxSamples> Sorted;
  size_t Count = 0;
  for (uint32_t I = 0, E = std::min(C.NumSamples.load(Relaxed), Candidate::MaxSamples); I < E; ++I)
    if (!Class || C.Class[I] == *Class)
      Sorted[Count++] = static_cast<double>(C.Ticks[I]);
  if (Count == 0)
    return {};
  std::sort(Sorted.begin(), Sorted.begin() + Count);
  const double Median = (Sorted[(Count - 1) / 2] + Sorted[Count / 2]) / 2;
  // The error that a single long call may have.
  constexpr double OneSample = 0.05;
  if (Count == 1)
    return {Median * (1 - OneSample), Median, Median * (1 + OneSample)};
  const size_t Tail = Count < 4 ? 0 : Count / 4;
  return {Sorted[Tail], Median, Sorted[Count - 1 - Tail]};
}

uint64_t Candidate::medianTicks() const {
  return static_cast<uint64_t>(spreadOf(*this, std::nullopt).Median);
}

Comparison compare(const Trial &T, uint32_t Index) {
  Comparison Sum;
  double Weight = 0, BaselineLow = 0, CandidateHigh = 0;
  for (uint32_t Class = 0; Class < (T.Varying ? Trial::MaxClasses : 1); ++Class) {
    const Spread B = spreadOf(*T.Candidates[0], Class), C = spreadOf(*T.Candidates[Index], Class);
    if (B.Median == 0 || C.Median == 0)
      continue;
    const double Calls =
        std::max(1.0, static_cast<double>(T.Classes[Class].NumCalls.load(Relaxed)));
    Weight += Calls;
    Sum.Baseline += Calls * B.Median;
    Sum.Candidate += Calls * C.Median;
    BaselineLow += Calls * B.Low;
    CandidateHigh += Calls * C.High;
  }
  if (Weight == 0)
    return {};
  return {Sum.Baseline / Weight, Sum.Candidate / Weight, CandidateHigh < BaselineLow};
}

double baselineTicks(const Trial &T, uint32_t Class) {
  const Candidate &Baseline = *T.Candidates[0];
  const auto Recalled = static_cast<double>(T.RecalledTicks);
  if (!T.Varying)
    return std::max(Recalled, static_cast<double>(Baseline.medianTicks()));
  if (const Spread In = spreadOf(Baseline, Class); In.Median > 0)
    return In.Median;
  const uint64_t Key = T.Classes[Class].Key.load(Relaxed);
  if (Key >> 63) // the work is not known
    return 0;
  for (uint32_t I = 0; I < Trial::MaxClasses; ++I) {
    const uint64_t Other = T.Classes[I].Key.load(Relaxed);
    if (const Spread In = spreadOf(Baseline, I); In.Median > 0 && !(Other >> 63))
      return std::scalbn(In.Median, static_cast<int>(Key) - static_cast<int>(Other));
  }
  return 0;
}

void Trial::addBaselineGain(double Gain) {
  BaselineCalls.fetch_add(1, Relaxed);
  BaselineGains.fetch_add(Gain > 0 ? static_cast<uint64_t>(1000 * Gain) : 1000, Relaxed);
}

double Trial::gainOfBaseline() const {
  const auto Calls = static_cast<double>(BaselineCalls.load(Relaxed));
  return Calls > 0 ? static_cast<double>(BaselineGains.load(Relaxed)) / (1000 * Calls) : 1;
}

} // namespace specrt
