//===- profiler/folding/shapes/residuals.cpp - sums of powers -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/folding/shapes/residuals.h"

#include "profiler/folding/shapes/shape.h"

#include <array>

namespace specrt::folding {
namespace {

struct LevelBase {
  Residue Base, Inverse; // r and 1 / (r - 1)
};

/// The bases are multiples of the golden ratio's digits, which no program has reason to contain.
std::array<LevelBase, MaxLevels> makeBases() {
  std::array<LevelBase, MaxLevels> Bases;
  for (unsigned Level = 0; Level < MaxLevels; ++Level) {
    uint64_t Digits = 0x9E3779B97F4A7C15u * (Level + 1);
    Residue Base(int64_t(Digits >> 4));
    Bases[Level] = {Base, (Base - Residue(1)).toThe(Residue::Prime - 2)};
  }
  return Bases;
}

const LevelBase &levelBase(unsigned Level) {
  static const std::array<LevelBase, MaxLevels> Bases = makeBases();
  return Bases[Level];
}

} // namespace

Residue Residue::toThe(uint64_t Exponent) const {
  Residue Result(1);
  for (Residue Power = *this; Exponent; Exponent >>= 1, Power = Power * Power)
    if (Exponent & 1)
      Result = Result * Power;
  return Result;
}

Residue base(unsigned Level) { return levelBase(Level).Base; }

// (r^n - 1) / (r - 1)
Residue weight(unsigned Level, uint64_t Count) {
  if (Count == 1)
    return Residue(1);
  const auto &[Base, Inverse] = levelBase(Level);
  return (Base.toThe(Count) - Residue(1)) * Inverse;
}

// ((n - 1) r^n - (r^n - r) / (r - 1)) / (r - 1)
Residue moment(unsigned Level, uint64_t Count) {
  if (Count == 1)
    return Residue();
  const auto &[Base, Inverse] = levelBase(Level);
  Residue Power = Base.toThe(Count);
  return (Residue(int64_t(Count) - 1) * Power - (Power - Base) * Inverse) * Inverse;
}

} // namespace specrt::folding
