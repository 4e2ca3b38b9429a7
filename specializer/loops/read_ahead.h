//===- specializer/loops/read_ahead.h - values that loops read one iteration early ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (end = 0, i = 0; i < n; ++i) {        for (i = 0; i < n; ++i) {
//       begin = end;                              begin = i == 0 ? 0 : rows[i];
//       end = rows[i + 1];              ──>       end = rows[i + 1];
//       ...                                       ...
//     }                                         }
//
// LLVM keeps the end of a row of a sparse matrix in a register, because the next row begins there.
// Then each iteration needs a value of the one before. The value of the first iteration need not be
// in memory, so this is more than reload_scalars.h does.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_READ_AHEAD_H
#define SPECRT_SPECIALIZER_LOOPS_READ_AHEAD_H

#include "llvm/IR/PassManager.h"

namespace specrt {

/// Replaces phis in the headers of loops of \p F whose values the iteration before has loaded, if
/// the loop does not write to that memory. The loops must be in canonical form. Returns the number
/// of phis; invalidates nothing that concerns loops.
unsigned reloadReadAheads(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
