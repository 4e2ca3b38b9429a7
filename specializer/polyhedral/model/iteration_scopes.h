//===- specializer/polyhedral/model/iteration_scopes.h - restrict of inlined functions ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What restrict parameters promised outlives the inlining of their function as alias scopes. They
// hold from one execution of their declaration (llvm.experimental.noalias.scope.decl) to the next:
// in a loop, for one iteration, while other iterations may access the same memory through other
// pointers. LLVM's passes know that. Polly compares the accesses of all iterations by the same
// alias analysis, and is only kept from mistakes because it takes a declaration for a call that it
// cannot model.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_ITERATION_SCOPES_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_ITERATION_SCOPES_H

#include "llvm/IR/PassManager.h"

namespace specrt {

/// Does \p F declare alias scopes?
bool declaresScopes(llvm::Function &F);

/// Forgets the scopes that are declared in loops of \p F, with their declarations. The other scopes
/// hold for a whole call of \p F. They keep their declarations: if \p F is inlined into a loop, the
/// scopes hold for one iteration of that loop, and only the declarations show this. Invalidates
/// analyses when it changes something.
void forgetLoopScopes(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Does the same and removes all declarations, so that neither Polly nor code that compares
/// accesses of different iterations is misled. \p F must not be inlined afterwards. Invalidates
/// analyses when it changes something.
void forgetIterationScopes(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
