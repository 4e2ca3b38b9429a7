//===- specializer/sparse/forms/memory_loops.h - fills and copies as the loops they are ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_FORMS_MEMORY_LOOPS_H
#define SPECRT_SPECIALIZER_SPARSE_FORMS_MEMORY_LOOPS_H

#include "llvm/IR/PassManager.h"

namespace specrt {

/// Makes loops of calls of memset with zero and of memcpy that stand in loops of \p F, where whole
/// elements are written: compilers have made the calls out of such loops. Analyses of \p F are
/// invalidated where that happens.
void expandMemoryCalls(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
