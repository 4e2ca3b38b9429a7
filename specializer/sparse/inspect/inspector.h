//===- specializer/sparse/inspect/inspector.h - a loop that shows what its rows are ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_INSPECT_INSPECTOR_H
#define SPECRT_SPECIALIZER_SPARSE_INSPECT_INSPECTOR_H

#include "specializer/sparse/loops/row_loop.h"

namespace specrt {

/// Writes down the traces of rows (specrt/rows.h). void (ptr inputs, ptr trace):
/// specrt_rows_inspector.
llvm::Function *buildInspector(const RowLoop &Rows, const llvm::LoopInfo &LI);

} // namespace specrt

#endif
