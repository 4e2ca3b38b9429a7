//===- structure/rows/row_candidates.h - classes that were seen, and what they save ---===//
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
  double Saved = 0;    ///< cycles, in all segments that are long enough
  double Original = 0; ///< what these rows take in the original
  int64_t Segments = 0;

  /// Another segment. The class has MinRows.
  void addSegment(const RowCosts &Costs, size_t Values, int64_t Count) {
    const double Before = Costs.original(Values) * static_cast<double>(Count);
    Original += Before;
    Saved += Before - Costs.segment(Values, Class.Step, Class.hasLoaded(), Count);
    Class.Rows += static_cast<uint64_t>(Count);
    ++Segments;
  }
  /// What ties its values in the segment that \p Seen shows.
  void tie(const RowView &Seen);
  /// Once all segments are known: the class gets the ties that all of them have. Where those are
  /// blocks, as many segments as the class has steps are one, and rows lie side by side.
  void finish(const RowCosts &Costs, size_t Values);

private:
  /// For each entry, unless segments differ: how far it is from the number of the row, and what a
  /// row has more than the one before it in its block.
  std::vector<std::optional<int64_t>> Offsets, Aparts;
};

/// Classes without loaded values, found by their contents.
class RowCandidates {
public:
  RowCandidates(const RowCosts &Costs, size_t MaxBytes) : Costs(Costs), MaxBytes(MaxBytes) {}

  /// A segment of \p Count rows. One that is too short or for which there is no memory left is
  /// forgotten.
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

  /// Is all that is known without looking at values in blocks?
  bool hasBlocks() const {
    return std::all_of(Classes.begin(), Classes.end(), [](const RowClass &Class) {
      return Class.hasLoaded() || Class.hasBlocks();
    });
  }
};

/// The few of \p Candidates that save most of \p OriginalCycles, within the limits of code.
RowSelection selectClasses(std::vector<RowCandidate> Candidates, const RowMinerOptions &Options,
                           double OriginalCycles);

} // namespace specrt

#endif
