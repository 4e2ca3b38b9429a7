//===- instrument/select/vector_library.h - calls that -fveclib replaces --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -fveclib the original calls vector functions where it is vectorised, and scalar functions in
// the rest of the loop. Their results differ, and which iteration gets which is decided after the
// bitcode is taken.
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

/// Refuses \p Blocks or \p F when they, or a visible callee, call a function that has a vector
/// form.
Refusal refuseVectorFunctions(llvm::ArrayRef<llvm::BasicBlock *> Blocks,
                              const llvm::TargetLibraryInfo &TLI);
Refusal refuseVectorFunctions(const llvm::Function &F, const llvm::TargetLibraryInfo &TLI);

} // namespace specrt

#endif
