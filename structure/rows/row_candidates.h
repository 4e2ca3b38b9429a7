//===- structure/rows/row_candidates.h - candidate classes and their savings -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_ROWS_ROW_CANDIDATES_H
#define SPECRT_STRUCTURE_ROWS_ROW_CANDIDATES_H

#include "structure/rows/row_class_table.h"
#include "structure/rows/row_miner.h"

#include <algorithm>

namespace specrt {

class RowCandidate {
public:
  RowCandidate() = default;
  explicit RowCandidate(RowClass Class) : Class(std::move(Class)) {}

  RowClass Class;
  double Saved = 0;    ///< cycles saved by all segments that are long enough
  double Original = 0; ///< cycles of these rows in the original
  int64_t Segments = 0;

  /// Adds a segment. The class has its MinRows.
  void addSegment(const RowCosts &Costs, size_t Values, int64_t Count) {
    const double Before = Costs.original(Values) * static_cast<double>(Count);
    Original += Before;
    Saved += Before - Costs.segment(Values, Class.Step, Class.hasLoaded(), Count);
    Class.Rows += static_cast<uint64_t>(Count);
    ++Segments;
  }
  /// Keeps only the ties of values that also hold in the segment of \p Seen.
  void tie(const RowView &Seen);
  /// Must be called after all segments: sets the ties of the class to those that all segments have.
  /// If these are blocks, counts as many segments as the class has steps as one, with rows side by
  /// side.
  void finish(const RowCosts &Costs, size_t Values);

private:
  /// Per entry, unless segments differ: its distance from the row number (Offsets), and its
  /// difference to the row before it in the block (Aparts).
  std::vector<std::optional<int64_t>> Offsets, Aparts;
};

/// Collects classes without loaded values by their contents.
class RowCandidates {
public:
  RowCandidates(const RowCosts &Costs, size_t MaxBytes) : Costs(Costs), MaxBytes(MaxBytes) {}

  /// Adds a segment of \p Count rows; ignores it if it is too short or memory is used up.
  void add(const RowView &Seen, int64_t Count);
  const std::vector<RowCandidate> &all() const { return Candidates; }

private:
  const RowCosts Costs;
  const size_t MaxBytes;
  size_t Bytes = 0;
  std::vector<RowCandidate> Candidates;
  RowClassTable Table;
};

struct RowSelection {
  std::vector<RowClass> Classes;
  double Saved = 0;

  /// Returns whether blocks cover everything that is known without reading values.
  bool hasBlocks() const {
    return std::all_of(Classes.begin(), Classes.end(), [](const RowClass &Class) {
      return Class.hasLoaded() || Class.hasBlocks();
    });
  }
};

/// Selects the few of \p Candidates that save most of \p OriginalCycles, within the limits on code.
RowSelection selectClasses(std::vector<RowCandidate> Candidates, const RowMinerOptions &Options,
                           double OriginalCycles);

} // namespace specrt

#endif
