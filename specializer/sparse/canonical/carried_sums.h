//===- specializer/sparse/canonical/carried_sums.h - sums over all rows of a loop ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sweep that sums the norm of its changes, or a product of a matrix with a vector that also
// computes a scalar product, carries a number from row to row that nothing else in a row depends
// on. Rows can store the terms, and a loop after them adds these up in the same order: results have
// the same bits, and rows carry nothing.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_CANONICAL_CARRIED_SUMS_H
#define SPECRT_SPECIALIZER_SPARSE_CANONICAL_CARRIED_SUMS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// The sums that a loop carries; their values are only used to compute the next ones. Minima and
/// maxima count as sums.
struct RowCarriedSums {
  llvm::SmallVector<llvm::PHINode *, 2> Phis;
  llvm::SmallVector<llvm::Instruction *, 4> Steps; ///< each once per row, in this order
  llvm::SmallVector<llvm::Value *, 4> Terms;       ///< operands that a row computes for the sums

  bool empty() const { return Phis.empty(); }
  bool contains(const llvm::Instruction &I) const {
    return llvm::is_contained(Phis, &I) || llvm::is_contained(Steps, &I);
  }
};

/// Returns the sums of \p L if all of them can be split off; otherwise none.
RowCarriedSums findSums(const llvm::Loop &L, const llvm::LoopInfo &LI,
                        const llvm::DominatorTree &DT, llvm::ScalarEvolution &SE);

/// Splits \p L, whose \p Sums are the result of findSums. If there is memory, it stores the terms,
/// and a loop behind it adds them up; otherwise a copy of the whole loop, see isWhole, does both.
/// Invalidates results that callers got from the analyses.
void splitSums(llvm::Loop &L, const RowCarriedSums &Sums, llvm::LoopInfo &LI,
               llvm::DominatorTree &DT, llvm::ScalarEvolution &SE);

/// Returns whether \p L is the copy of a split loop that computes everything.
bool isWhole(const llvm::Loop &L);

} // namespace specrt

#endif
