//===- specializer/speculation/rows/row_tables.h - arrays of row pointers -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The row pointers of a `double **`, of a vector of vectors or of planes of rows: loads whose
// addresses count through memory behind a base that a guard can name. Nothing has to be known of
// what they hold: disjointness.h compares the rows of each call. Here stands which pointers these
// are, and which of them a guard may read, because every call reads them.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_ROWS_ROW_TABLES_H
#define SPECRT_SPECIALIZER_SPECULATION_ROWS_ROW_TABLES_H

#include "guards/memory/rows.h"
#include "specializer/speculation/element_boxes.h"
#include "specializer/speculation/known_loads.h"

namespace specrt {

struct PointerTable {
  /// Where the pointers lie: behind a base, or behind each of the pointers of another table.
  specrt_base Base{};
  std::optional<unsigned> Behind;
  /// Bytes: between neighbours, and from the base to the first and the last.
  int64_t Stride = 0, First = 0, Last = 0;
  /// The pointers that a guard may read: one extent for each table on the way to them, counted
  /// from the first.
  llvm::SmallVector<Box, 2> Boxes;
  llvm::SmallVector<llvm::LoadInst *, 8> Loads;

  int64_t count() const { return (Last - First) / Stride + 1; }
};

class PointerTables : KnownLoads {
public:
  PointerTables(Speculative &On, Notes &Refused);

  llvm::ArrayRef<PointerTable> tables() const { return Tables; }
  std::optional<unsigned> tableOf(const llvm::LoadInst &Load) const;
  /// What a guard reads to get at the rows: one entry for each box.
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
