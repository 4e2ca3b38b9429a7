//===- structure/rows/row_structure.h - what the rows of a kernel look like ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The *trace* of a row is what integers in memory decide in it, in order of execution: values of
// index loads, trip counts of inner loops, outcomes of branches, sources of notes. For y = A x with
// compressed rows it is start, end, trip count, columns. Rows whose traces have the same control,
// and whose values differ by the same amounts from row to row, form a *class*: code can be made for
// it that does not read indices. A *segment* says which rows have a class, and the trace of the
// first of them.
//
// Values are added and compared modulo 2^64.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_ROWS_ROW_STRUCTURE_H
#define SPECRT_STRUCTURE_ROWS_ROW_STRUCTURE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace specrt {

enum class EntryKind : uint8_t { Value, Trips, Branch, Source };

/// What a value has in common with others, wherever rows of its class were seen. Rows side by side
/// need not be given it one by one.
struct RowTie {
  bool FollowsRow = false;           ///< it is as far from the row's number everywhere
  std::optional<int64_t> Beside;     ///< so far, if that is near
  std::optional<int64_t> Apart = {}; ///< from each row of a block to its next

  static constexpr int64_t MaxBeside = 8;
  bool operator==(const RowTie &) const = default;
};

/// All vectors have one element per entry of the trace.
struct RowClass {
  std::vector<EntryKind> Kinds;
  std::vector<int64_t> Control; ///< trip counts, outcomes and sources; 0 for values
  /// What a value grows by from one row of a segment to its next. Nothing: the value is *loaded*,
  /// the class says nothing about it. 0 for control.
  std::vector<std::optional<int64_t>> Deltas;
  std::vector<RowTie> Ties; ///< none: nothing is known
  uint32_t Step = 1;        ///< rows between two of a segment; b for blocks of b rows
  uint32_t MinRows = 8;     ///< a segment of fewer rows is not worth a change of the loop
  uint64_t Rows = 0;        ///< how many rows it covered where it was found

  size_t entries() const { return Kinds.size(); }
  RowTie tie(size_t Entry) const { return Entry < Ties.size() ? Ties[Entry] : RowTie(); }
  bool hasLoaded() const;
  /// Do the Step rows of a block differ by the same amounts everywhere, and have most values, such
  /// as columns, in common?
  bool hasBlocks() const;
  bool operator==(const RowClass &) const = default;
};

/// The class of rows for which the original loop runs, in order.
inline constexpr uint32_t RestClass = UINT32_MAX;

/// Rows First, First + RowStep, ... (Count of them). RowStep is the Step of the class, and 1 for
/// rest. Of blocks, all RowStep rows of each: First is the first row of the first one. In
/// loop-carried kernels rest may have other steps, and 0 means that the rows are the Count numbers
/// at Origins, ascending; rows of a segment do not wait for each other, except in rest of a serial
/// level.
struct RowSegment {
  uint32_t Class = RestClass;
  int64_t First = 0;
  int64_t RowStep = 1;
  int64_t Count = 0;
  /// Where in RowStructure::Origins the trace of row First begins, as many words as the class has
  /// entries; those of loaded values are 0. Unused for rest, unless RowStep is 0.
  uint64_t Origins = 0;
  bool IsBlocks = false;

  int64_t rows() const { return IsBlocks ? Count * RowStep : Count; }

  bool operator==(const RowSegment &) const = default;
};

/// Segments between which a loop-carried kernel needs no order, or, if serial, that must run one
/// after the other on one thread. It ends where the next level begins.
struct RowLevel {
  uint64_t FirstSegment = 0;
  bool Serial = false;

  bool operator==(const RowLevel &) const = default;
};

struct RowStructure {
  std::vector<RowClass> Classes;
  /// By first row, or, where there are levels, by level. Every row is in exactly one.
  std::vector<RowSegment> Segments;
  std::vector<int64_t> Origins;
  std::vector<RowLevel> Levels; ///< empty: the rows may run in any order
  int64_t Rows = 0;             ///< how many rows were seen
  bool GivenUp = false;         ///< a limit was met: there are no classes and no segments

  /// Entry \p Entry of the trace of row \p K (from 0) of \p Segment, whose class is not RestClass;
  /// 0 if it is loaded.
  int64_t entryOf(const RowSegment &Segment, int64_t K, size_t Entry) const;
  /// The number of row \p K (from 0) of \p Segment.
  int64_t rowOf(const RowSegment &Segment, int64_t K) const {
    return Segment.RowStep ? Segment.First + K * Segment.RowStep
                           : Origins[Segment.Origins + static_cast<uint64_t>(K)];
  }
};

inline bool RowClass::hasLoaded() const {
  for (const std::optional<int64_t> &Delta : Deltas)
    if (!Delta)
      return true;
  return false;
}

inline bool RowClass::hasBlocks() const {
  size_t Equal = 0, Others = 0;
  for (size_t I = 0; I < entries(); ++I) {
    if (Kinds[I] != EntryKind::Value)
      continue;
    if (!tie(I).Apart)
      return false;
    ++(tie(I).Apart == 0 ? Equal : Others);
  }
  return Step > 1 && Equal > Others;
}

/// Sets RowClass::Rows to what the segments cover.
inline void countRows(RowStructure &S) {
  for (RowClass &Class : S.Classes)
    Class.Rows = 0;
  for (const RowSegment &Segment : S.Segments)
    if (Segment.Class != RestClass)
      S.Classes[Segment.Class].Rows += static_cast<uint64_t>(Segment.rows());
}

inline int64_t RowStructure::entryOf(const RowSegment &Segment, int64_t K, size_t Entry) const {
  const uint64_t Delta = static_cast<uint64_t>(Classes[Segment.Class].Deltas[Entry].value_or(0));
  return static_cast<int64_t>(static_cast<uint64_t>(Origins[Segment.Origins + Entry]) +
                              Delta * static_cast<uint64_t>(K));
}

} // namespace specrt

#endif
