//===- structure/rows/row_class_table.h - looks up classes by their contents -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_ROWS_ROW_CLASS_TABLE_H
#define SPECRT_STRUCTURE_ROWS_ROW_CLASS_TABLE_H

#include "structure/rows/row_structure.h"

#include <unordered_map>

namespace specrt {

/// Mixes \p Word into \p Hash; only for hash tables.
inline uint64_t mixed(uint64_t Hash, uint64_t Word) {
  Hash = (Hash ^ Word) * 0x9e3779b97f4a7c15u;
  return Hash ^ (Hash >> 29);
}

inline size_t numValues(const EntryKind *Kinds, size_t Entries) {
  size_t Values = 0;
  for (size_t I = 0; I < Entries; ++I)
    Values += Kinds[I] == EntryKind::Value;
  return Values;
}

/// Common properties of rows that lie Step apart, with the Trace of the row number Row.
struct RowView {
  const EntryKind *Kinds;
  const uint64_t *Trace, *Delta;
  size_t Entries;
  uint32_t Step;
  int64_t Row = 0;
  /// Difference to the row before it in its block; null if there is none or it is not constant.
  const uint64_t *Apart = nullptr;

  size_t values() const { return numValues(Kinds, Entries); }
  bool isFirstOfBlock() const { return Row % Step == 0; }
  /// Returns the class without loaded values and ties; MinRows is not set.
  RowClass toClass() const;
  bool is(const RowClass &Class) const;
  uint64_t hash() const;
};

/// Maps classes without loaded values to numbers; other classes are never found.
class RowClassTable {
public:
  static constexpr uint32_t None = UINT32_MAX;

  void add(const RowClass &Class, uint32_t Number);
  /// Returns the number of the class that \p View shows, or None. \p Class(Number) returns the
  /// class.
  template <typename ClassOf> uint32_t find(const RowView &View, ClassOf Class) const {
    for (auto [At, End] = ByHash.equal_range(View.hash()); At != End; ++At)
      if (View.is(Class(At->second)))
        return At->second;
    return None;
  }

private:
  std::unordered_multimap<uint64_t, uint32_t> ByHash;
};

} // namespace specrt

#endif
