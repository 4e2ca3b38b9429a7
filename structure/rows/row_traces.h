//===- structure/rows/row_traces.h - all rows of a small loop, entry by entry ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where no two rows look alike, as in a factor with fill, the whole of a small pattern can be code.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_ROWS_ROW_TRACES_H
#define SPECRT_STRUCTURE_ROWS_ROW_TRACES_H

#include "structure/rows/row_structure.h"

#include <string>

namespace specrt {

/// The traces of all rows, one after the other. No rows: they are not known, or too long.
struct RowTraces {
  /// Of all rows together: what has more takes longer to read as code than as data.
  static constexpr size_t MaxEntries = 32768;

  std::vector<uint32_t> Lengths; ///< entries of each row
  std::vector<EntryKind> Kinds;  ///< [the sum of Lengths]
  std::vector<int64_t> Values;   ///< likewise

  bool empty() const { return Lengths.empty(); }
  void add(const EntryKind *RowKinds, const int64_t *Trace, size_t Entries) {
    Lengths.push_back(static_cast<uint32_t>(Entries));
    Kinds.insert(Kinds.end(), RowKinds, RowKinds + Entries);
    Values.insert(Values.end(), Trace, Trace + Entries);
  }
  /// Tells different traces apart: of all that they are.
  std::string digest() const;
  size_t bytes() const {
    return Lengths.size() * sizeof(uint32_t) + Kinds.size() * (sizeof(EntryKind) + sizeof(int64_t));
  }
  bool operator==(const RowTraces &) const = default;
};

} // namespace specrt

#endif
