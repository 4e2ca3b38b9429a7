//===- specializer/polyhedral/model/reload_scalars.h - turns forwarded values into loads -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM forwards stored values: in "C[i] += ..." the running sum lives in a phi, beside the store of
// every iteration. In a model of memory accesses such a phi is a scalar that all iterations share,
// and its dependences forbid every other order. Here phis that always equal the contents of a known
// place in memory are replaced by loads of it. LLVM forwards again when the code is final.
//
//===--------------------------------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_RELOAD_SCALARS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_MODEL_RELOAD_SCALARS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace specrt {

/// Replaces such phis of \p F; invalidates affected analyses in \p FAM. Stops as soon as \p
/// Expired, which may be null, returns true; \p F is valid at any time. Returns the number of
/// replaced phis.
unsigned reloadScalars(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                       llvm::function_ref<bool()> Expired = nullptr);

} // namespace specrt

#endif
