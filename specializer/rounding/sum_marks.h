//===- specializer/rounding/sum_marks.h - metadata that marks sums in lanes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// specializer/fast marks the code that it creates for sums. Passes that treat this code differently
// from the program's own code read the marks.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_ROUNDING_SUM_MARKS_H
#define SPECRT_SPECIALIZER_ROUNDING_SUM_MARKS_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace specrt {

inline constexpr llvm::StringLiteral SumStartMark = "specrt.sum.start";
inline constexpr llvm::StringLiteral SumLanesMark = "specrt.sum.lanes";
inline constexpr llvm::StringLiteral SumLoopMark = "specrt.sum.loop";

inline void markSum(llvm::Instruction &I, llvm::StringRef Mark) {
  I.setMetadata(Mark, llvm::MDNode::get(I.getContext(), {}));
}

/// Returns whether \p I only combines the start value of a sum with its lanes.
inline bool addsStartOfSum(const llvm::Instruction &I) { return I.hasMetadata(SumStartMark); }

/// Returns whether \p Object is the memory for the lanes of a sum.
inline bool isLanesOfSum(const llvm::Value &Object) {
  const auto *Memory = llvm::dyn_cast<llvm::AllocaInst>(&Object);
  return Memory && Memory->hasMetadata(SumLanesMark);
}

/// Returns whether \p L initializes lanes, adds to lanes, or executes the iterations after the last
/// whole block.
inline bool isLoopOfSum(const llvm::Loop &L) {
  return llvm::findOptionMDForLoop(&L, SumLoopMark) != nullptr;
}

} // namespace specrt

#endif
