//===- structure/rows/row_blocks.h - joins segments of rows into blocks ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_ROWS_ROW_BLOCKS_H
#define SPECRT_STRUCTURE_ROWS_ROW_BLOCKS_H

#include "structure/rows/row_structure.h"

namespace specrt {

/// Joins segments of \p S, which has no levels, whose rows interleave in blocks: a block has as
/// many segments as their class has steps, and each row differs from the one before it by the ties
/// of the class. Only joins classes c with \p MayJoin[c], which must have blocks.
void joinBlocks(RowStructure &S, const std::vector<bool> &MayJoin);

} // namespace specrt

#endif
