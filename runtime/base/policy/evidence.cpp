//===- runtime/base/policy/evidence.cpp - whether one code is faster than another ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/policy/evidence.h"

#include <algorithm>

namespace specrt {

Spread &Spread::operator+=(const Spread &Other) {
  Low += Other.Low;
  Median += Other.Median;
  High += Other.High;
  return *this;
}

Spread spreadOf(double Sample) {
  // The error that a single long call may have.
  constexpr double OneSample = 0.05;
  return {Sample * (1 - OneSample), Sample, Sample * (1 + OneSample)};
}

Spread spreadOf(std::span<double> Samples) {
  const size_t Count = Samples.size();
  if (Count == 0)
    return {};
  if (Count == 1)
    return spreadOf(Samples[0]);
  std::sort(Samples.begin(), Samples.end());
  const size_t Tail = Count < 4 ? 0 : Count / 4;
  return {Samples[Tail], (Samples[(Count - 1) / 2] + Samples[Count / 2]) / 2,
          Samples[Count - 1 - Tail]};
}

Evidence PairedTimes::evidence() const {
  std::array<double, MaxPairs> Sorted = Ratios;
  Spread New = spreadOf(std::span(Sorted).first(count()));
  if (count() > 1 && !areAll()) {
    New.Low = Sorted[0];
    New.High = Sorted[count() - 1];
  }
  return {.New = New, .Old = {1, 1, 1}};
}

double PairedTimes::oldNs() const {
  std::array<double, MaxPairs> Sorted = Olds;
  return spreadOf(std::span(Sorted).first(count())).Median;
}

} // namespace specrt
