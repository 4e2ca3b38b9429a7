//===- specializer/sparse/canonical/canonical_rows.h - the canonical form of row loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_CANONICAL_CANONICAL_ROWS_H
#define SPECRT_SPECIALIZER_SPARSE_CANONICAL_CANONICAL_ROWS_H

#include "llvm/IR/PassManager.h"

namespace specrt {

/// Brings \p F into LoopSimplify form, in which fills and copies are loops (memory_loops.h) and
/// loops over entries are cut into runs (entry_runs.h). Idempotent.
void canonicaliseRows(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
