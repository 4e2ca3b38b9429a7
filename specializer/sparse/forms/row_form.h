//===- specializer/sparse/forms/row_form.h - the form in which row loops are looked for ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_FORMS_ROW_FORM_H
#define SPECRT_SPECIALIZER_SPARSE_FORMS_ROW_FORM_H

#include "llvm/IR/PassManager.h"

namespace specrt {

/// Brings \p F into the form of LoopSimplify, in which fills and copies are loops (memory_loops.h)
/// and loops over entries are cut into runs (entry_runs.h). Nothing changes the second time.
void bringIntoRowForm(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
