//===- specializer/speculation/row_pointers/pointer_tables.h - arrays of row pointers ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The row pointers of a `double **`, of a vector of vectors or of planes of rows: loads at linear
// addresses behind a base that a guard can name. Their values need not be known, as guards compare
// the rows of each call (disjointness.h). This file finds these pointers, and those of them that a
// guard may read because every call reads them.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_ROW_POINTERS_POINTER_TABLES_H
#define SPECRT_SPECIALIZER_SPECULATION_ROW_POINTERS_POINTER_TABLES_H

#include "guards/memory/rows.h"
#include "specializer/speculation/element_boxes.h"
#include "specializer/speculation/known_loads.h"

namespace specrt {

struct PointerTable {
  /// The base of the pointers, or the table whose pointers they lie behind.
  specrt_base Base{};
  std::optional<unsigned> Behind;
  /// Bytes between neighbours, and from the base to the first and the last pointer.
  int64_t Stride = 0, First = 0, Last = 0;
  /// The pointers that a guard may read: one extent for each table on the way to them, counted from
  /// its first pointer.
  llvm::SmallVector<Box, 2> Boxes;
  llvm::SmallVector<llvm::LoadInst *, 8> Loads;

  int64_t count() const { return (Last - First) / Stride + 1; }
};

class PointerTables : KnownLoads {
public:
  PointerTables(Speculative &On, Notes &Refused);

  llvm::ArrayRef<PointerTable> tables() const { return Tables; }
  std::optional<unsigned> tableOf(const llvm::LoadInst &Load) const;
  /// Returns what a guard reads to find the rows: one entry per box.
  llvm::SmallVector<std::vector<PointerLevel>, 2> levelsOf(unsigned Table) const;

private:
  bool addLoad(llvm::LoadInst &Load);
  bool addTo(PointerTable &Known, const PointerTable &New) const;
  void findTables();
  std::optional<Box> boxOf(const llvm::LoadInst &Load, const PointerTable &In,
                           ElementWalk &Joint) const;
  bool mayChange(const PointerTable &Table) const;
  const char *complete(PointerTable &Table);
  bool readsBothEnds(const PointerTable &Table) const;
  void dropUnusable();

  llvm::SmallVector<PointerTable, 4> Tables;
};

} // namespace specrt

#endif
