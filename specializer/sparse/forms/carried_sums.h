//===- specializer/sparse/forms/carried_sums.h - sums over all rows of a loop ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sweep that sums the norm of what it changes, or a product of a matrix with a vector that
// computes a scalar product on the way, carries a number from row to row. Nothing else in a row
// depends on it. So rows can store what they add, and a loop after them adds it up, in the same
// order: results have the same bits, and rows carry nothing.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_FORMS_CARRIED_SUMS_H
#define SPECRT_SPECIALIZER_SPARSE_FORMS_CARRIED_SUMS_H

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

/// What a loop carries only to compute what it carries to the next row. Minima and maxima are sums,
/// too.
struct RowCarriedSums {
  llvm::SmallVector<llvm::PHINode *, 2> Phis;
  llvm::SmallVector<llvm::Instruction *, 4> Steps; ///< each once per row, in this order
  llvm::SmallVector<llvm::Value *, 4> Terms;       ///< what a row computes for them

  bool empty() const { return Phis.empty(); }
  bool contains(const llvm::Instruction &I) const {
    return llvm::is_contained(Phis, &I) || llvm::is_contained(Steps, &I);
  }
};

/// Those of \p L that can be split; none where one of them cannot.
RowCarriedSums findSums(const llvm::Loop &L, const llvm::LoopInfo &LI,
                        const llvm::DominatorTree &DT, llvm::ScalarEvolution &SE);

/// Splits \p L, whose \p Sums findSums has told: where there is memory, it stores terms, and a loop
/// behind it sums them up; else a copy of the whole loop, see isWhole, does both. Whoever asked for
/// analyses before has to ask again.
void splitSums(llvm::Loop &L, const RowCarriedSums &Sums, llvm::LoopInfo &LI,
               llvm::DominatorTree &DT, llvm::ScalarEvolution &SE);

/// Is \p L what was left of a loop that has been split?
bool isWhole(const llvm::Loop &L);

} // namespace specrt

#endif
