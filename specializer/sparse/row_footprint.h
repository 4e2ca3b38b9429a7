//===- specializer/sparse/row_footprint.h - bytes that blocks of rows access ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_ROW_FOOTPRINT_H
#define SPECRT_SPECIALIZER_SPARSE_ROW_FOOTPRINT_H

#include "specializer/sparse/loops/row_loop.h"

namespace specrt {

/// Builds a specrt_rows_footprint, void (ptr inputs, i64 block_rows, ptr low, ptr high). \p Rows
/// must make no notes and call nothing that reports errors.
llvm::Function *buildFootprint(const RowLoop &Rows);

} // namespace specrt

#endif
