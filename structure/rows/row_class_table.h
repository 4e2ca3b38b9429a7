//===- structure/rows/row_class_table.h - finds classes by what they say ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_ROWS_ROW_CLASS_TABLE_H
#define SPECRT_STRUCTURE_ROWS_ROW_CLASS_TABLE_H

#include "structure/rows/row_structure.h"

#include <unordered_map>

namespace specrt {

/// For hashes that only have to find.
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

/// What rows that lie Step apart have in common. Trace: that of one of them, whose number is Row.
struct RowView {
  const EntryKind *Kinds;
  const uint64_t *Trace, *Delta;
  size_t Entries;
  uint32_t Step;
  int64_t Row = 0;
  /// What the row has more than the one before it in its block; null: they differ in other ways, or
  /// there is none.
  const uint64_t *Apart = nullptr;

  size_t values() const { return numValues(Kinds, Entries); }
  bool isFirstOfBlock() const { return Row % Step == 0; }
  /// Without loaded values and ties; MinRows is not set.
  RowClass toClass() const;
  bool is(const RowClass &Class) const;
  uint64_t hash() const;
};

/// Numbers classes without loaded values; others are never found.
class RowClassTable {
public:
  static constexpr uint32_t None = UINT32_MAX;

  void add(const RowClass &Class, uint32_t Number);
  /// The number of the class that \p View shows, or None. \p Class(Number) is the class.
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
