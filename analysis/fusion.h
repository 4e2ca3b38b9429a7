//===- analysis/fusion.h - who fuses multiplications with additions -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fused multiplication and addition is rounded once. Code generation makes one of llvm.fmuladd
// wherever the target of the function has the instruction, and never elsewhere.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_FUSION_H
#define SPECRT_ANALYSIS_FUSION_H

namespace llvm {
class Function;
} // namespace llvm

namespace specrt {

/// Has the target that \p F itself is compiled for a fused multiply-add?
bool mayFuse(const llvm::Function &F);

} // namespace specrt

#endif
