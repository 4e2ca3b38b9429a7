//===- specializer/loops/distribution/counting_loop.h - where iterations keep values ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (i = 0; i < n; ++i)                       for (i = 0; i < n && words fit; ++i) {
//       for (k = start[i]; k < start[i + 1]; ++k)     begins[i] = words;
//         keep f(k), g(k)                     ──>     words += 2 * (start[i + 1] - start[i]);
//                                                   }
//
// Threads that share a loop must know where the values of an iteration begin. A loop in front of it
// counts the iterations of the inner loops without executing these, and ends when the memory is
// full. It executes the branches and the outer ones of the inner loops that decide how often
// something is kept. (An exclusive scan, see Blelloch, "Prefix sums and their applications".)
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_DISTRIBUTION_COUNTING_LOOP_H
#define SPECRT_SPECIALIZER_LOOPS_DISTRIBUTION_COUNTING_LOOP_H

#include "specializer/loops/distribution/kept_values.h"
#include "specializer/loops/loop_slice.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class AllocaInst;
class BasicBlock;
class DominatorTree;
class LoadInst;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

class CountingLoop {
public:
  /// The analyses in \p FAM of the function of \p L must be up to date. \p MayLoad returns whether
  /// a load reads the same value before the loop as in it.
  CountingLoop(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM,
               llvm::function_ref<bool(const llvm::LoadInst &)> MayLoad);

  /// Adds what decides how often \p Inner, a loop in L, iterates. Returns false if that cannot be
  /// counted.
  bool add(llvm::Loop &Inner);

  /// Returns the part of the loop L that the counting loop executes.
  const LoopSlice &slice() const { return Slice; }

  struct Built {
    llvm::BasicBlock *Behind; ///< the preheader of L, in which the loop ends
    llvm::BasicBlock *Header; ///< of the new loop
    llvm::Value *Fit;         ///< the number of iterations whose words fit, an i64 in Behind
    llvm::SmallVector<llvm::AllocaInst *, 2> Variables; ///< that can become registers
  };
  /// Emits the numbers of iterations of the loops in \p Kept, of which nothing uses them yet.
  /// Returns false if the loop cannot compute them: they may be made from values that add() has not
  /// seen. Must be called before build().
  bool prepare(const KeptValues &Kept);

  /// Splits the preheader of L and builds the loop, which begins behind the first part. The branch
  /// to it is left to the caller, as is one to Behind, on which no iteration fits. Keeps analyses
  /// valid for the blocks that existed.
  Built build(const KeptValues &Kept);

private:
  bool isCopyable() const;
  llvm::AllocaInst *makeVariable(llvm::BasicBlock *Before);

  llvm::Loop &L;
  llvm::Function &F;
  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  LoopSlice Slice;
  llvm::SmallVector<llvm::Value *, 4> Trips; ///< [number in KeptValues::Inside]
};

} // namespace specrt

#endif
