//===- specializer/sparse/forms/row_form.h - canonical form for finding row loops -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_FORMS_ROW_FORM_H
#define SPECRT_SPECIALIZER_SPARSE_FORMS_ROW_FORM_H

#include "llvm/IR/PassManager.h"

namespace specrt {

/// Brings \p F into LoopSimplify form, in which fills and copies are loops (memory_loops.h) and
/// loops over entries are cut into runs (entry_runs.h). Idempotent.
void bringIntoRowForm(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
