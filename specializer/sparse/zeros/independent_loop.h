//===- specializer/sparse/zeros/independent_loop.h - iterations in any order ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Iterations are independent when none writes what another one accesses. Of two accesses that may
// meet, one of them a write, each iteration touches a range of bytes, and that of the next one
// begins so many bytes later: no iteration meets another when the ranges of both accesses together
// are no longer than that. Sizes may be known only when the loop begins.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_ZEROS_INDEPENDENT_LOOP_H
#define SPECRT_SPECIALIZER_SPARSE_ZEROS_INDEPENDENT_LOOP_H

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/PassManager.h"
#include <vector>

namespace llvm {
class SCEV;
}

namespace specrt {

/// A loop that carries nothing but counters.
struct IndependentLoop {
  llvm::BasicBlock *Header = nullptr;
  /// Its iterations are independent where each of these numbers, known in its preheader, is no
  /// larger than the one beside it. All are 64 bits wide and have signs.
  llvm::SmallSetVector<std::pair<const llvm::SCEV *, const llvm::SCEV *>, 4> NoLarger;
};

/// The outermost such loops of \p F around others, in whose order they are.
std::vector<IndependentLoop> findIndependentLoops(llvm::Function &F,
                                                  llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
