//===- specializer/polyhedral/kernel/contraction_sizes.h - blocks of a contraction ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_CONTRACTION_SIZES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_CONTRACTION_SIZES_H

#include "specializer/polyhedral/kernel/contraction_kernel.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace specrt {

/// Limit on computed or packed values on the stack; larger ones use scratch memory. It is small
/// because a program may give its threads 16 KB of stack.
inline constexpr int64_t MaxStackBytes = 2 * 1024;

/// Bytes of the smallest vector register.
inline constexpr int64_t SmallestVector = 16;

/// Numbers of elements; see packed_contraction.h.
struct BlockSizes {
  int64_t Mr = 1, Nv = 1, Nr = 1;
  int64_t Mc = 1, Nc = 1, Kc = 1;

  int64_t rowElements(int64_t NumRows) const { return Mc * Kc * NumRows; }
  int64_t columnElements(int64_t NumColumns) const { return Nc * Kc * NumColumns; }
};

/// Returns whether column values are used without packing if they are adjacent: without rows each
/// is used once, with few rows hardly more often.
bool readsDirectly(const Contraction &C, const ContractionBlock &Block);

/// Chooses a panel of Nr columns as large as L1, and packed rows that fill at most half of L2. A
/// smaller panel would stay in L1, but the results would pass through the caches more often.
BlockSizes chooseSizes(const Contraction &C, const ContractionBlock &Block,
                       const TilingTarget &Target);

/// A block whose bounds are constants and do not depend on i.
struct ConstantBlock {
  int64_t RowBegin = 0, ColumnBegin = 0, ReducedBegin = 0;
  int64_t Rows = 1, Columns = 1, Reduced = 1;
};

/// Count consecutive pieces of length Size, from Begin on.
struct EqualPieces {
  int64_t Begin, Count, Size;
};

/// Cuts \p Extent, which is positive, into the fewest pieces of at most \p Most, which differ in
/// size by one at most.
llvm::SmallVector<EqualPieces, 2> cutEvenly(int64_t Extent, int64_t Most);

/// The largest register block of an unpacked contraction: rows, vectors of columns.
struct RegisterBlock {
  int64_t Mr = 1, Nv = 1;
};

/// Returns the register block with which \p Block takes the fewest cycles without packing; nothing
/// if packing pays.
std::optional<RegisterBlock> chooseUnpacked(const Contraction &C, const ConstantBlock &Block,
                                            const TilingTarget &Target);

/// Returns whether values of a row operand, or vectors of a column operand, can be read in place.
bool isRowInPlace(const Contraction &C, llvm::Value *Operand);
bool isColumnInPlace(const Contraction &C, llvm::Value *Operand, const ConstantBlock &Block,
                     const TilingTarget &Target);

} // namespace specrt

#endif
