//===- structure/rows/row_structure.h - row classes and segments of a kernel -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The *trace* of a row consists of the integers in memory that determine it, in order of execution:
// values of index loads, trip counts of inner loops, outcomes of branches, sources of notes. For y
// = A x with compressed rows it is start, end, trip count, columns. Rows whose traces have the same
// control, and whose values differ by constant amounts from row to row, form a *class*, for which
// code needs no indices. A *segment* lists rows of a class and has the trace of the first of them.
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

/// Relations of a value that held wherever rows of its class were seen. Code for rows in lanes need
/// not be given such values one by one.
struct RowTie {
  bool FollowsRow = false;           ///< its distance from the row number is constant
  std::optional<int64_t> Beside;     ///< this distance, if it is small
  std::optional<int64_t> Apart = {}; ///< difference to the next row of a block

  static constexpr int64_t MaxBeside = 8;
  bool operator==(const RowTie &) const = default;
};

/// All vectors have one element per entry of the trace.
struct RowClass {
  std::vector<EntryKind> Kinds;
  std::vector<int64_t> Control; ///< trip counts, outcomes and sources; 0 for values
  /// Growth of a value from one row of a segment to the next. Nothing: the value is *loaded*, and
  /// the class does not determine it. 0 for control.
  std::vector<std::optional<int64_t>> Deltas;
  std::vector<RowTie> Ties; ///< empty: unknown
  uint32_t Step = 1;        ///< distance of the rows of a segment; b for blocks of b rows
  uint32_t MinRows = 8;     ///< smallest number of rows for which a segment pays
  uint64_t Rows = 0;        ///< number of rows that it covered where it was found

  size_t entries() const { return Kinds.size(); }
  RowTie tie(size_t Entry) const { return Entry < Ties.size() ? Ties[Entry] : RowTie(); }
  bool hasLoaded() const;
  /// Returns whether the Step rows of a block differ by constant amounts everywhere, and most
  /// values, such as columns, are equal.
  bool hasBlocks() const;
  bool operator==(const RowClass &) const = default;
};

/// The class of rows that the original loop executes, in order.
inline constexpr uint32_t RestClass = UINT32_MAX;

/// Rows First, First + RowStep, ... (Count of them). RowStep is the Step of the class, and 1 for
/// rest. A segment of blocks covers all RowStep rows of each, and First is the first row of the
/// first block. In loop-carried kernels rest may have other steps, and 0 means that the rows are
/// the Count numbers at Origins, ascending; rows of a segment do not wait for each other, except in
/// rest of a serial level.
struct RowSegment {
  uint32_t Class = RestClass;
  int64_t First = 0;
  int64_t RowStep = 1;
  int64_t Count = 0;
  /// Position in RowStructure::Origins of the trace of row First, with one word per entry of the
  /// class and 0 for loaded values. Unused for rest, unless RowStep is 0.
  uint64_t Origins = 0;
  bool IsBlocks = false;

  int64_t rows() const { return IsBlocks ? Count * RowStep : Count; }

  bool operator==(const RowSegment &) const = default;
};

/// Segments that a loop-carried kernel may execute in any order or, if serial, must execute one
/// after the other on one thread. A level ends where the next one begins.
struct RowLevel {
  uint64_t FirstSegment = 0;
  bool Serial = false;

  bool operator==(const RowLevel &) const = default;
};

struct RowStructure {
  std::vector<RowClass> Classes;
  /// Sorted by first row or, if there are levels, by level. Every row is in exactly one.
  std::vector<RowSegment> Segments;
  std::vector<int64_t> Origins;
  std::vector<RowLevel> Levels; ///< empty: the rows may run in any order
  int64_t Rows = 0;             ///< number of rows that were seen
  bool GivenUp = false;         ///< a limit was exceeded: there are no classes and no segments

  /// Returns entry \p Entry of the trace of row \p K (from 0) of \p Segment, whose class is not
  /// RestClass; 0 if it is loaded.
  int64_t entryOf(const RowSegment &Segment, int64_t K, size_t Entry) const;
  /// Returns the number of row \p K (from 0) of \p Segment.
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

/// Sets RowClass::Rows to the number of rows in segments.
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
