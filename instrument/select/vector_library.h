//===- instrument/select/vector_library.h - calls that -fveclib replaces --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -fveclib the original calls vector functions where it is vectorised, and scalar functions in
// the rest of the loop. Their results differ, and the compiler decides only after the bitcode has
// been taken which iterations call which.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_SELECT_VECTOR_LIBRARY_H
#define SPECRT_INSTRUMENT_SELECT_VECTOR_LIBRARY_H

#include "instrument/select/eligibility.h"

namespace llvm {
class BasicBlock;
class Function;
class TargetLibraryInfo;
} // namespace llvm

namespace specrt {

/// Returns a reason against \p Blocks or \p F if they, or a visible callee, call a function that
/// has a vector form.
Refusal refuseVectorFunctions(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                              const llvm::TargetLibraryInfo &TLI);
Refusal refuseVectorFunctions(const llvm::Function &F, const llvm::TargetLibraryInfo &TLI);

} // namespace specrt

#endif
