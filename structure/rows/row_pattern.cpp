//===- structure/rows/row_pattern.cpp - compares rows with a class --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/rows/row_pattern.h"

namespace specrt {

RowPattern::RowPattern(const RowClass &Class, uint32_t Index)
    : Index(Index), MinRows(Class.MinRows), Step(Class.Step), Kinds(Class.Kinds),
      Control(Class.Control) {
  const bool Masked = Class.hasLoaded();
  for (uint32_t I = 0; I < entries(); ++I) {
    const bool IsControl = Kinds[I] != EntryKind::Value;
    if (IsControl)
      ControlAt.push_back(I);
    Delta.push_back(IsControl ? 0 : static_cast<uint64_t>(Class.Deltas[I].value_or(0)));
    if (Masked)
      Mask.push_back(IsControl || Class.Deltas[I] ? ~uint64_t{0} : 0);
  }
}

bool RowPattern::fits(const EntryKind *RowKinds, const int64_t *Trace) const {
  for (uint32_t I : ControlAt)
    if (Trace[I] != Control[I])
      return false;
  return sameKinds(RowKinds, Kinds.data(), entries());
}

bool RowPattern::follows(const uint64_t *Last, const int64_t *Trace) const {
  for (size_t I = 0; I < entries(); ++I)
    if (static_cast<uint64_t>(Trace[I]) - Last[I] != Delta[I])
      return false;
  return true;
}

void RowPattern::expectAfter(const int64_t *Trace, uint64_t *Expected) const {
  for (size_t I = 0; I < entries(); ++I)
    Expected[I] = Mask.empty() || Mask[I] ? static_cast<uint64_t>(Trace[I]) + Delta[I] : 0;
}

RowPatterns::RowPatterns(const std::vector<RowClass> &Classes, uint32_t Step, bool Loaded,
                         size_t MaxEntries) {
  for (uint32_t I = 0; I < Classes.size(); ++I) {
    const RowClass &Class = Classes[I];
    if (Class.Step != Step || Class.hasLoaded() != Loaded || Class.entries() > MaxEntries)
      continue;
    if (ByEntries.size() <= Class.entries())
      ByEntries.resize(Class.entries() + 1);
    ByEntries[Class.entries()].push_back(static_cast<uint32_t>(Patterns.size()));
    Patterns.emplace_back(Class, I);
  }
}

} // namespace specrt
