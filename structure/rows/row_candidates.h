//===- structure/rows/row_candidates.h - classes that were seen, and what they save ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_ROWS_ROW_CANDIDATES_H
#define SPECRT_STRUCTURE_ROWS_ROW_CANDIDATES_H

#include "structure/rows/row_costs.h"
#include "structure/rows/row_structure.h"

#include <unordered_map>

namespace specrt {

struct RowCandidate {
  RowClass Class;
  double Saved = 0;    ///< cycles, in all segments that are long enough
  double Original = 0; ///< what these rows take in the original

  /// Another segment. The class has MinRows.
  void addSegment(const RowCosts &Costs, size_t Values, int64_t Count) {
    const double Before = Costs.original(Values) * static_cast<double>(Count);
    Original += Before;
    Saved += Before - Costs.segment(Values, Class.Step, Class.hasLoaded(), Count);
    Class.Rows += static_cast<uint64_t>(Count);
  }
};

inline size_t numValues(const EntryKind *Kinds, size_t Entries) {
  size_t Values = 0;
  for (size_t I = 0; I < Entries; ++I)
    Values += Kinds[I] == EntryKind::Value;
  return Values;
}

/// Classes without loaded values, found by their contents.
class RowCandidates {
public:
  RowCandidates(const RowCosts &Costs, size_t MaxBytes) : Costs(Costs), MaxBytes(MaxBytes) {}

  /// A segment of \p Count rows. \p Trace: that of one of them, of which only control matters. One
  /// that is too short or for which there is no memory left is forgotten.
  void add(const EntryKind *Kinds, const uint64_t *Trace, const uint64_t *Delta, size_t Entries,
           uint32_t Step, int64_t Count);
  const std::vector<RowCandidate> &all() const { return Candidates; }

private:
  const RowCosts Costs;
  const size_t MaxBytes;
  size_t Bytes = 0;
  std::vector<RowCandidate> Candidates;
  std::unordered_multimap<uint64_t, uint32_t> ByHash;
};

/// For hashes that only have to find.
inline uint64_t mixed(uint64_t Hash, uint64_t Word) {
  Hash = (Hash ^ Word) * 0x9e3779b97f4a7c15u;
  return Hash ^ (Hash >> 29);
}

} // namespace specrt

#endif
