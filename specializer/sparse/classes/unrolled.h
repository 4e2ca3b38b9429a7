//===- specializer/sparse/classes/unrolled.h - unrolls all rows of a small loop -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_CLASSES_UNROLLED_H
#define SPECRT_SPECIALIZER_SPARSE_CLASSES_UNROLLED_H

#include "specializer/sparse/loops/row_loop.h"

namespace specrt {

/// Builds void (inputs...), which executes the rows of \p Traces in the order of the program. All
/// entries are constants, so only the computation remains. Returns null if the traces do not fit
/// the loop, or if the code would be too large.
llvm::Function *buildUnrolled(const RowLoop &Rows, const llvm::LoopInfo &LI,
                              const specrt_row_traces &Traces);

} // namespace specrt

#endif
