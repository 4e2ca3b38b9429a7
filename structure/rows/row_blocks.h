//===- structure/rows/row_blocks.h - rows with the same columns, block by block ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_ROWS_ROW_BLOCKS_H
#define SPECRT_STRUCTURE_ROWS_ROW_BLOCKS_H

#include "structure/rows/row_structure.h"

namespace specrt {

/// Joins segments of \p S, which has no levels, whose rows take turns in blocks: as many as their
/// class has steps, each with rows that are as far apart from the one before it as the class says.
/// Only of classes c for which \p MayJoin[c] is true; they have blocks.
void joinBlocks(RowStructure &S, const std::vector<bool> &MayJoin);

} // namespace specrt

#endif
