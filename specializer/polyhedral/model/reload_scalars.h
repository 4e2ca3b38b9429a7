//===- specializer/polyhedral/model/reload_scalars.h - give array elements back to memory ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM forwards stored values: in "C[i] += ..." the running sum lives in a phi, beside the store of
// every iteration. In a model of memory accesses such a phi is a scalar that all iterations share,
// and its dependences forbid every other order. Here phis that always hold what a known place in
// memory holds are replaced by loads of it. LLVM forwards again when the code is final.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_RELOAD_SCALARS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_RELOAD_SCALARS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace specrt {

/// Replaces such phis of \p F; analyses in \p FAM that this affects are invalidated. Stops as soon
/// as
/// \p Expired, unless it is null, says that the compile budget is used up; \p F is valid at any
/// time. Returns the number of phis replaced.
unsigned reloadScalars(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                       llvm::function_ref<bool()> Expired = nullptr);

} // namespace specrt

#endif
