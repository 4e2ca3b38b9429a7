//===- specializer/sparse/inspect/inspector.h - builds the inspector of a row loop -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_INSPECT_INSPECTOR_H
#define SPECRT_SPECIALIZER_SPARSE_INSPECT_INSPECTOR_H

#include "specializer/sparse/loops/row_loop.h"

namespace specrt {

/// Builds a specrt_rows_inspector, void (ptr inputs, ptr trace), which reports the traces of all
/// rows (specrt/rows.h).
llvm::Function *buildInspector(const RowLoop &Rows, const llvm::LoopInfo &LI);

} // namespace specrt

#endif
