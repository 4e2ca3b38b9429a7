//===- specializer/loops/accumulator.h - values that iterations combine in any order ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_LOOPS_ACCUMULATOR_H
#define SPECRT_SPECIALIZER_LOOPS_ACCUMULATOR_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace llvm {
class Loop;
}

namespace specrt {

/// A value of a loop that its iterations change by one operation only, whose order does not matter
/// and which loses nothing: sums of integers, their bits, the least and the largest one. Within an
/// iteration only that operation uses it.
struct Accumulator {
  llvm::PHINode *Phi;
  llvm::AtomicRMWInst::BinOp Operation;
  llvm::Value *Last; ///< at the end of an iteration
  /// The operations. In another order their results may overflow on the way.
  llvm::SmallVector<const llvm::Instruction *, 4> Operations;

  /// Returns a number that the operation leaves any other as it is with.
  llvm::Constant *neutral() const;
};

/// Returns the accumulator that \p Phi, of the header of \p L, is; nothing if it is none.
std::optional<Accumulator> accumulatorOf(llvm::PHINode &Phi, const llvm::Loop &L);

} // namespace specrt

#endif
