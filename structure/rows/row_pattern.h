//===- structure/rows/row_pattern.h - a class as rows are compared with it ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_ROWS_ROW_PATTERN_H
#define SPECRT_STRUCTURE_ROWS_ROW_PATTERN_H

#include "structure/rows/row_structure.h"

#include <cstring>

namespace specrt {

/// Are two layouts of that many entries equal? Inline and by words: it is asked for every row.
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

/// Are all entries of a trace as expected?
inline bool sameTrace(const int64_t *Trace, const uint64_t *Expected, size_t Entries) {
  uint64_t Differ = 0;
  for (size_t I = 0; I < Entries; ++I)
    Differ |= static_cast<uint64_t>(Trace[I]) ^ Expected[I];
  return Differ == 0;
}

class RowPattern {
public:
  RowPattern(const RowClass &Class, uint32_t Index);

  uint32_t Index; ///< of the class
  uint32_t MinRows;
  uint32_t Step;
  std::vector<EntryKind> Kinds;

  size_t entries() const { return Kinds.size(); }
  bool hasLoaded() const { return !Mask.empty(); }

  /// Has a row this control?
  bool fits(const EntryKind *RowKinds, const int64_t *Trace) const;
  /// Is a row that fits the next one after \p Last?
  bool follows(const uint64_t *Last, const int64_t *Trace) const;
  /// sameTrace, except where values are loaded.
  bool isExpected(const int64_t *Trace, const uint64_t *Expected) const {
    if (Mask.empty())
      return sameTrace(Trace, Expected, entries());
    uint64_t Differ = 0;
    for (size_t I = 0; I < entries(); ++I)
      Differ |= (static_cast<uint64_t>(Trace[I]) ^ Expected[I]) & Mask[I];
    return Differ == 0;
  }
  /// From what one row has to what row \p Steps after it has.
  void advance(uint64_t *Trace, uint64_t Steps = 1) const {
    for (size_t I = 0; I < entries(); ++I)
      Trace[I] += Steps * Delta[I];
  }
  /// What each entry grows by from row to row, as far as that is known; 0 for control.
  const std::vector<uint64_t> &deltas() const { return Delta; }
  /// The first expectation: of the row after this one, loaded values being 0.
  void expectAfter(const int64_t *Trace, uint64_t *Expected) const;

private:
  std::vector<uint64_t> Delta; // 0 for control and what is loaded
  std::vector<uint64_t> Mask;  // 0 for what is loaded, else all ones; empty: nothing is loaded
  std::vector<int64_t> Control;
  std::vector<uint32_t> ControlAt; // the entries that are control
};

/// The patterns of some classes, by their number of entries.
class RowPatterns {
public:
  /// Those of \p Classes that have \p Step and, or not, loaded values.
  RowPatterns(const std::vector<RowClass> &Classes, uint32_t Step, bool Loaded, size_t MaxEntries);

  bool empty() const { return Patterns.empty(); }
  /// The first that \p Accepts, or null.
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
