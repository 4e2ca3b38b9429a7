//===- structure/rows/row_traces.h - complete traces of a small loop ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If no two rows look alike, as in a factor with fill, code can unroll a small pattern completely.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_ROWS_ROW_TRACES_H
#define SPECRT_STRUCTURE_ROWS_ROW_TRACES_H

#include "structure/rows/row_structure.h"

#include <string>

namespace specrt {

/// The traces of all rows, one after the other. Empty if they are unknown or too long.
struct RowTraces {
  /// Limit on the entries of all rows together: beyond it, reading the code takes longer than
  /// reading the indices.
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
  /// Returns a digest of all traces.
  std::string digest() const;
  size_t bytes() const {
    return Lengths.size() * sizeof(uint32_t) + Kinds.size() * (sizeof(EntryKind) + sizeof(int64_t));
  }
  bool operator==(const RowTraces &) const = default;
};

} // namespace specrt

#endif
