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

/// A value that a loop carries and that its iterations change by one associative, commutative and
/// exact operation only: integer addition, bitwise operations, minimum or maximum. Nothing else in
/// the loop uses the value.
struct Accumulator {
  llvm::PHINode *Phi;
  llvm::AtomicRMWInst::BinOp Operation;
  llvm::Value *Last; ///< the value at the end of an iteration
  /// The instructions that change the value. In another order their intermediate results may
  /// overflow.
  llvm::SmallVector<llvm::Instruction *, 4> Operations;

  /// Returns the neutral element of the operation.
  llvm::Constant *neutral() const;
};

/// Returns the accumulator whose value \p Phi, in the header of \p L, carries; nothing if \p Phi is
/// not one.
std::optional<Accumulator> accumulatorOf(llvm::PHINode &Phi, const llvm::Loop &L);

} // namespace specrt

#endif
