//===- structure/rows/row_pattern.h - compares rows with a class ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_ROWS_ROW_PATTERN_H
#define SPECRT_STRUCTURE_ROWS_ROW_PATTERN_H

#include "structure/rows/row_structure.h"

#include <cstring>

namespace specrt {

/// Returns whether two layouts are equal. Inline and by words, as it runs for every row.
inline bool sameKinds(const EntryKind *A, const EntryKind *B, size_t Entries) {
  uint64_t Differ = 0;
  size_t I = 0;
  for (; I + sizeof(uint64_t) <= Entries; I += sizeof(uint64_t)) {
    uint64_t WordA, WordB;
    std::memcpy(&WordA, A + I, sizeof(WordA));
    std::memcpy(&WordB, B + I, sizeof(WordB));
    Differ |= WordA ^ WordB;
  }
  for (; I < Entries; ++I)
    Differ |= static_cast<uint64_t>(A[I]) ^ static_cast<uint64_t>(B[I]);
  return Differ == 0;
}

/// Returns whether all entries of a trace are as expected.
inline bool sameTrace(const int64_t *Trace, const uint64_t *Expected, size_t Entries) {
  uint64_t Differ = 0;
  for (size_t I = 0; I < Entries; ++I)
    Differ |= static_cast<uint64_t>(Trace[I]) ^ Expected[I];
  return Differ == 0;
}

class RowPattern {
public:
  RowPattern(const RowClass &Class, uint32_t Index);

  uint32_t Index; ///< number of the class
  uint32_t MinRows;
  uint32_t Step;
  std::vector<EntryKind> Kinds;

  size_t entries() const { return Kinds.size(); }
  bool hasLoaded() const { return !Mask.empty(); }

  /// Returns whether a row has this control.
  bool fits(const EntryKind *RowKinds, const int64_t *Trace) const;
  /// Returns whether a row with this control is the next one after \p Last.
  bool follows(const uint64_t *Last, const int64_t *Trace) const;
  /// Like sameTrace, but ignores loaded values.
  bool isExpected(const int64_t *Trace, const uint64_t *Expected) const {
    if (Mask.empty())
      return sameTrace(Trace, Expected, entries());
    uint64_t Differ = 0;
    for (size_t I = 0; I < entries(); ++I)
      Differ |= (static_cast<uint64_t>(Trace[I]) ^ Expected[I]) & Mask[I];
    return Differ == 0;
  }
  /// Advances \p Trace by \p Steps rows.
  void advance(uint64_t *Trace, uint64_t Steps = 1) const {
    for (size_t I = 0; I < entries(); ++I)
      Trace[I] += Steps * Delta[I];
  }
  /// Returns the growth of each entry from row to row; 0 for control and loaded values.
  const std::vector<uint64_t> &deltas() const { return Delta; }
  /// Sets \p Expected to the row after \p Trace, with 0 for loaded values.
  void expectAfter(const int64_t *Trace, uint64_t *Expected) const;

private:
  std::vector<uint64_t> Delta; // 0 for control and loaded values
  std::vector<uint64_t> Mask;  // 0 for loaded values, otherwise all ones; empty: none are loaded
  std::vector<int64_t> Control;
  std::vector<uint32_t> ControlAt; // indices of the control entries
};

/// The patterns of some classes, by number of entries.
class RowPatterns {
public:
  /// Takes those of \p Classes with \p Step that have loaded values if \p Loaded, and none
  /// otherwise.
  RowPatterns(const std::vector<RowClass> &Classes, uint32_t Step, bool Loaded, size_t MaxEntries);

  bool empty() const { return Patterns.empty(); }
  /// Returns the first pattern that \p Accepts, or null.
  template <typename Predicate> const RowPattern *find(size_t Entries, Predicate Accepts) const {
    if (Entries < ByEntries.size())
      for (uint32_t At : ByEntries[Entries])
        if (Accepts(Patterns[At]))
          return &Patterns[At];
    return nullptr;
  }

private:
  std::vector<RowPattern> Patterns;
  std::vector<std::vector<uint32_t>> ByEntries;
};

} // namespace specrt

#endif
