//===- specializer/rounding/extrema.h - settles the results of fmin and fmax -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_ROUNDING_EXTREMA_H
#define SPECRT_SPECIALIZER_ROUNDING_EXTREMA_H

namespace llvm {
class Module;
} // namespace llvm

namespace specrt {

/// Replaces llvm.minnum and llvm.maxnum by comparisons that return the same of two equal operands
/// as the code of the original (analysis/rounding/extrema.h). A version has more constant operands
/// and more values in registers, so code generation could decide differently. Must run before any
/// pass.
void settleExtrema(llvm::Module &M);

} // namespace specrt

#endif
