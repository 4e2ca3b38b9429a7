//===- specializer/sparse/zeros/zeros.h - makes loops skip iterations that zeros make idle -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_ZEROS_ZEROS_H
#define SPECRT_SPECIALIZER_SPARSE_ZEROS_ZEROS_H

#include "specializer/sparse/zeros/skip_loop.h"
#include "llvm/IR/PassManager.h"

namespace specrt {

struct SkippedZeros {
  unsigned Loops = 0;  ///< loops that skip iterations
  unsigned Shared = 0; ///< loops around them that threads share
};

/// Makes loops of \p F execute only iterations in which an element of an array that may be sparse
/// is nonzero, where that does not change results. \p F must be in canonical form with its arrays
/// separated. The original loops are kept for calls that do not meet the demands. \p Parallel:
/// threads share the outermost independent loops around them.
SkippedZeros skipZeros(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, MayBeSparse IsSparse,
                       bool Parallel);

} // namespace specrt

#endif
