//===- runtime/call/trial_times.cpp - times in a trial, known and measured ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/call/trial.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace specrt {

static constexpr auto Relaxed = std::memory_order_relaxed;

void Trial::recallBaseline(uint64_t Ticks, bool Cold) {
  Candidate &Baseline = *Candidates[0];
  Baseline.Ticks[0] = Ticks;
  Baseline.NumSamples = 1;
  Baseline.SamplesIn[0] = 1;
  Baseline.LeastTicks = Ticks;
  IsBaselineRecalled = true;
  RecalledTicks = Ticks;
  CountsCold = Cold;
  Classes[0].Turn = 1;
}

bool Trial::isUnmeasured(uint32_t Index) const {
  const Candidate &C = *Candidates[Index];
  return LackedProcessors && C.Parallel && C.NumPreempted > 0 &&
         2 * C.NumPreempted >= C.NumSamples.load(Relaxed);
}

Spread spreadOf(const Candidate &C, std::optional<uint32_t> Class) {
  std::array<double, Candidate::MaxSamples> Samples;
  size_t Count = 0;
  for (uint32_t I = 0, E = std::min(C.NumSamples.load(Relaxed), Candidate::MaxSamples); I < E; ++I)
    if (!Class || C.Class[I] == *Class)
      Samples[Count++] = static_cast<double>(C.Ticks[I]);
  return spreadOf(std::span(Samples).first(Count));
}

uint64_t Candidate::medianTicks() const {
  return static_cast<uint64_t>(spreadOf(*this, std::nullopt).Median);
}

Evidence compare(const Trial &T, uint32_t Index) {
  Evidence Sum;
  double Weight = 0;
  for (uint32_t Class = 0; Class < (T.Varying ? Trial::MaxClasses : 1); ++Class) {
    const Spread B = spreadOf(*T.Candidates[0], Class), C = spreadOf(*T.Candidates[Index], Class);
    if (B.Median == 0 || C.Median == 0)
      continue;
    const double Calls =
        std::max(1.0, static_cast<double>(T.Classes[Class].NumCalls.load(Relaxed)));
    Weight += Calls;
    Sum.New += Calls * C;
    Sum.Old += Calls * B;
  }
  if (Weight == 0)
    return {};
  return {.New = 1 / Weight * Sum.New, .Old = 1 / Weight * Sum.Old};
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
