//===- specializer/speculation/element_walk.h - the elements that a load reads -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A load in a loop nest whose address is an affine function of the iteration numbers reads a box of
// elements in memory. If every call executes all iterations, a guard may read these elements before
// the nest runs.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_ELEMENT_WALK_H
#define SPECRT_SPECIALIZER_SPECULATION_ELEMENT_WALK_H

#include "analysis/memory/access_ranges.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class DominatorTree;
class Instruction;
class LoadInst;
class Loop;
class PostDominatorTree;
class SCEV;
} // namespace llvm

namespace specrt {

/// Base + Offset + the sum of Stride * (iteration number of Loop), in bytes.
struct ElementWalk {
  struct Part {
    const llvm::Loop *L;
    int64_t Stride;
  };
  llvm::Value *Base = nullptr;
  int64_t Offset = 0;
  llvm::SmallVector<Part, 3> Parts; ///< outer loops first

  /// Returns nothing if the address does not have this form. All loops contain the load.
  static std::optional<ElementWalk> of(const llvm::LoadInst &Load, llvm::ScalarEvolution &SE);
};

/// The backedges of a loop: a number, or else an expression.
struct Backedges {
  std::optional<int64_t> Number;
  const llvm::SCEV *Expression = nullptr;
};

/// Determines which reads every call executes.
class CertainReads {
public:
  CertainReads(const llvm::Function &F, llvm::ScalarEvolution &SE, llvm::LoopInfo &LI,
               const llvm::DominatorTree &DT, const llvm::PostDominatorTree &PDT);

  /// Returns whether every call reads every element of the walk.
  bool readsAll(const llvm::LoadInst &Load, const ElementWalk &Walk) const;
  /// Returns whether every call executes \p Load before its first branch.
  bool readsAtOnce(const llvm::Instruction &Load) const { return OnEntry.contains(&Load); }

  /// Returns whether every call returns, whichever loops it executes.
  bool alwaysReturns() const { return AlwaysReturns; }

  /// Returns how often the backedge of a loop with a single exit at its latch is taken; neither
  /// number nor expression if that is unknown or differs from entry to entry.
  Backedges backedges(const llvm::Loop &L) const;

private:
  const llvm::Function &F;
  llvm::ScalarEvolution &SE;
  const llvm::DominatorTree &DT;
  const llvm::PostDominatorTree &PDT;
  llvm::DenseSet<const llvm::Instruction *> OnEntry;
  bool AlwaysReturns = true;
};

} // namespace specrt

#endif
