//===- analysis/rounding/extrema.h - which of two equal values fmin returns ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// llvm.minnum and llvm.maxnum, which clang makes of fmin and fmax, may return either of two zeros
// of different sign. On x86 code generation decides by what it can see: when the second operand, or
// else the first, is never a NaN it becomes one instruction, which returns that operand where both
// are equal; otherwise the first operand is returned. Constants have become second operands before.
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
  Free,   ///< flags say that it does not matter
  First,
  Second,   ///< a zero that is constant
  Unsettled ///< depends on optimisations to come
};

/// \p I as minimum or maximum of two numbers, or null.
const llvm::IntrinsicInst *asExtremum(const llvm::Instruction &I);

/// What the code that is generated for the extremum \p I will return.
OfEqual whichOfEqual(const llvm::IntrinsicInst &I);

} // namespace specrt

#endif
