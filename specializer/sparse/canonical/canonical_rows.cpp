//===- specializer/sparse/canonical/canonical_rows.cpp - the canonical form of row loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/canonical/canonical_rows.h"
#include "specializer/module/memory_loops.h"
#include "specializer/polyhedral/model/iteration_scopes.h"
#include "specializer/sparse/canonical/entry_runs.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace specrt {

static void simplifyLoops(Function &F, FunctionAnalysisManager &FAM) {
  FunctionPassManager FPM;
  FPM.addPass(LoopSimplifyPass());
  FAM.invalidate(F, FPM.run(F, FAM));
}

void canonicaliseRows(Function &F, FunctionAnalysisManager &FAM) {
  // Copies of rows lie outside of the loops for whose iterations alias scopes were declared.
  forgetIterationScopes(F, FAM);
  expandMemoryCalls(F, FAM);
  simplifyLoops(F, FAM);
  while (cutIntoRuns(F, FAM))
    simplifyLoops(F, FAM);
}

} // namespace specrt
