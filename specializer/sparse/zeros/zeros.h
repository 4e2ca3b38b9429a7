//===- specializer/sparse/zeros/zeros.h - loops that skip what zeros make idle ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_ZEROS_ZEROS_H
#define SPECRT_SPECIALIZER_SPARSE_ZEROS_ZEROS_H

#include "specializer/sparse/zeros/skip_loop.h"
#include "llvm/IR/PassManager.h"

namespace specrt {

struct SkippedZeros {
  unsigned Loops = 0;  ///< that skip iterations
  unsigned Shared = 0; ///< loops around them whose iterations are shared by threads
};

/// Has loops of \p F, which must be in canonical form with its arrays set apart, execute only the
/// iterations in which an element of an array that may be sparse is not zero, where that changes
/// nothing. The loops as they were written stay beside them, for calls that are otherwise. \p
/// Parallel: threads share the outermost loops around them whose iterations are independent.
SkippedZeros skipZeros(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, MayBeSparse IsSparse,
                       bool Parallel);

} // namespace specrt

#endif
