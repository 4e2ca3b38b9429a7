//===- specializer/loops/unrolled_stages.h - unrolls loops that set strides ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fast Fourier transform, a sorting network or a wavelet transform executes its stages in a short
// loop. Strides and bounds of the loops inside double or halve from stage to stage, which no affine
// model describes. If the number of stages is constant, each stage becomes separate code with
// constant strides.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_UNROLLED_STAGES_H
#define SPECRT_SPECIALIZER_LOOPS_UNROLLED_STAGES_H

#include "llvm/IR/PassManager.h"

namespace specrt {

/// Unrolls such loops of \p F completely. Returns whether there was one. Strides become constants
/// when the caller folds the code; then the number of further stages may be known.
bool unrollStages(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
