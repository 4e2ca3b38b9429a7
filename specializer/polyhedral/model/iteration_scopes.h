//===- specializer/polyhedral/model/iteration_scopes.h - alias scopes of single iterations -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After inlining, restrict parameters become alias scopes. They hold from one execution of their
// declaration (llvm.experimental.noalias.scope.decl) to the next: in a loop, for one iteration,
// while other iterations may access the same memory through other pointers. LLVM's passes respect
// that. Polly uses the same alias analysis for accesses of all iterations, and is only correct
// because it treats a declaration as a call that it cannot model.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_ITERATION_SCOPES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_ITERATION_SCOPES_H

#include "llvm/IR/PassManager.h"

namespace specrt {

/// Returns whether \p F declares alias scopes.
bool declaresScopes(llvm::Function &F);

/// Removes the scopes that are declared in loops of \p F, with their declarations. The other scopes
/// hold for a whole call of \p F. They keep their declarations: if \p F is inlined into a loop, the
/// scopes hold for one iteration of that loop, and only the declarations show this. Invalidates
/// analyses if it changes something.
void forgetLoopScopes(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Does the same and removes all declarations, so that Polly and code that compares accesses of
/// different iterations are correct. \p F must not be inlined afterwards. Invalidates analyses if
/// it changes something.
void forgetIterationScopes(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
