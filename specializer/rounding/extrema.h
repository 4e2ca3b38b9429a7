//===- specializer/rounding/extrema.h - fmin and fmax, written down ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_ROUNDING_EXTREMA_H
#define SPECRT_SPECIALIZER_ROUNDING_EXTREMA_H

namespace llvm {
class Module;
} // namespace llvm

namespace specrt {

/// Replaces llvm.minnum and llvm.maxnum by comparisons that return the same of two equal operands
/// as the code of the original (analysis/rounding/extrema.h). In a version more operands are
/// constants and more values are in registers, so that other rules would apply. Before any pass.
void settleExtrema(llvm::Module &M);

} // namespace specrt

#endif
