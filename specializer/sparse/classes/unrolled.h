//===- specializer/sparse/classes/unrolled.h - all rows of a small loop, without a loop ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_CLASSES_UNROLLED_H
#define SPECRT_SPECIALIZER_SPARSE_CLASSES_UNROLLED_H

#include "specializer/sparse/loops/row_loop.h"

namespace specrt {

/// void (inputs...): the rows that \p Traces has, in the order of the program. All that they say is
/// a constant, so that nothing is left but what rows compute. Null: they do not fit the loop, or
/// need too much code.
llvm::Function *buildUnrolled(const RowLoop &Rows, const llvm::LoopInfo &LI,
                              const specrt_row_traces &Traces);

} // namespace specrt

#endif
