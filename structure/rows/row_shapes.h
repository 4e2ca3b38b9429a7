//===- structure/rows/row_shapes.h - neighbouring rows with equal control ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equal control alone is useful for rows whose values follow no pattern: several rows of equal
// length can be executed at a time. A majority vote decides which values still follow the row
// number.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_ROWS_ROW_SHAPES_H
#define SPECRT_STRUCTURE_ROWS_ROW_SHAPES_H

#include "structure/rows/row_candidates.h"

#include <array>

namespace specrt {

/// Steps between rows that are tried.
inline constexpr std::array<uint32_t, 5> RowSteps = {1, 2, 3, 4, 6};
/// A number per step.
using PerRowStep = std::array<int64_t, RowSteps.size()>;

class RowShapes {
public:
  RowShapes(const RowCosts &Costs, size_t MaxBytes) : Costs(Costs), MaxBytes(MaxBytes) {}

  /// Adds the next row. \p Covered: per step, by how much the number of rows in segments of classes
  /// without loaded values has grown.
  void row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries, const PerRowStep &Covered);
  /// Adds a row that cannot have a class.
  void skip() { endRun(); }
  /// Returns classes for the rows that RowSteps[\p Step] does not cover.
  std::vector<RowCandidate> candidates(size_t Step);

private:
  struct Ballot {
    uint64_t Delta = 0;
    int64_t Votes = 0; // Boyer-Moore counter of the majority's delta, if there is one
    int64_t For = 0;   // votes since Delta was set
  };
  struct Shape {
    std::vector<EntryKind> Kinds;
    std::vector<int64_t> Control;
    std::vector<Ballot> Ballots;
    int64_t Transitions = 0;
    int64_t Rows = 0, Runs = 0; // in runs that are long enough
    PerRowStep Covered{};
    bool is(const EntryKind *OtherKinds, const int64_t *Trace, size_t Entries) const;
  };

  uint32_t find(const EntryKind *Kinds, const int64_t *Trace, size_t Entries);
  void vote(Shape &S, const int64_t *Trace);
  void endRun();

  static constexpr uint32_t None = UINT32_MAX;
  const RowCosts Costs;
  const size_t MaxBytes;
  size_t Bytes = 0;
  std::vector<Shape> Shapes;
  std::unordered_multimap<uint64_t, uint32_t> ByHash;
  uint32_t Current = None;
  int64_t Count = 0;
  PerRowStep RunCovered{};
  std::vector<int64_t> Last;
};

} // namespace specrt

#endif
