//===- analysis/rounding/extrema.h - the result of fmin for equal operands -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// llvm.minnum and llvm.maxnum, which clang emits for fmin and fmax, may return either of two zeros
// of different sign. On x86, code generation decides by what it can prove: if the second operand,
// or else the first, is never NaN, it emits one instruction, which returns that operand if both are
// equal; otherwise the first operand is returned. Constants have become second operands before.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_ROUNDING_EXTREMA_H
#define SPECRT_ANALYSIS_ROUNDING_EXTREMA_H

namespace llvm {
class Instruction;
class IntrinsicInst;
} // namespace llvm

namespace specrt {

enum class OfEqual {
  Either, ///< no operands of different sign are equal
  Free,   ///< the fast-math flags make the two equivalent
  First,
  Second,   ///< the second operand, which is a constant zero
  Unsettled ///< depends on later optimisations
};

/// Returns \p I as minimum or maximum of two numbers, or null.
const llvm::IntrinsicInst *asExtremum(const llvm::Instruction &I);

/// Returns which operand the generated code for the extremum \p I returns if both are equal.
OfEqual whichOfEqual(const llvm::IntrinsicInst &I);

} // namespace specrt

#endif
