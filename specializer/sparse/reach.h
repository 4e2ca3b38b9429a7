//===- specializer/sparse/reach.h - byte ranges that blocks of rows access -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_REACH_H
#define SPECRT_SPECIALIZER_SPARSE_REACH_H

#include "specializer/sparse/loops/row_loop.h"

namespace specrt {

/// Builds a specrt_rows_reach, void (ptr inputs, i64 block_rows, ptr low, ptr high). \p Rows must
/// make no notes and call nothing that reports errors.
llvm::Function *buildReach(const RowLoop &Rows);

} // namespace specrt

#endif
