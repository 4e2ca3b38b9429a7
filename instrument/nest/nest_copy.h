//===- instrument/nest/nest_copy.h - a second copy of a loop nest ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A nest that moves into a function of its own loses what clang knows about it where it stands:
// that memory is fresh, which pointers are apart, what the caller's sizes are. So the nest stays in
// place, and a copy of it becomes the bitcode that versions are made from. A branch in front
// chooses:
//
//   before:  br (condition), nest, copy      the nest is far more likely
//   nest … exit: phis of live-out values ──┐
//   copy … exit: phis of live-out values ──┴──> rest: phis that join them
//
// Both copies have the same inputs, but for loads that were moved in front of the copy. Stack
// memory that only the nest uses is copied, too, so that the nest's can still become registers.
// Conditions that hold in front of the nest are repeated as assumptions behind it: analyses look
// for them along the only way to a loop, and where two ways meet there is none.
//
// llvm::LoopVersioning makes such pairs of one loop with one exit, for checks that it computes
// itself. A nest here may have several loops and exits, and its copy is to be moved.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_NEST_NEST_COPY_H
#define SPECRT_INSTRUMENT_NEST_NEST_COPY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AAResults;
class AssumeInst;
class AssumptionCache;
class BasicBlock;
class BranchInst;
class DominatorTree;
class Instruction;
class LoadInst;
class LoopInfo;
class PHINode;
class Type;
} // namespace llvm

namespace specrt {

/// Repeats conditions that hold on the only way to \p Before as assumptions at the begin of
/// \p Where, which it dominates.
llvm::SmallVector<llvm::AssumeInst *> assumeGuards(const llvm::BasicBlock &Before,
                                                   llvm::BasicBlock &Where,
                                                   const llvm::LoopInfo &LI,
                                                   llvm::AssumptionCache &AC);

class NestCopy {
public:
  /// Copies \p Nest: an entry block that contains only a branch and has one predecessor, which only
  /// branches to it; loops in LCSSA form; and blocks that contain nothing but phis of what leaves
  /// the loops, each with one successor outside, which has no other predecessor. \p DT and
  /// \p AC are updated, \p LI does not know the copy.
  NestCopy(llvm::ArrayRef<llvm::BasicBlock *> Nest, llvm::DominatorTree &DT,
           llvm::AssumptionCache &AC, const llvm::LoopInfo &LI);

  /// Moves loads in front of the copy if \p AA says that the nest does not change what they read:
  /// sizes and pointers in static variables, which clang loads again and again because it follows
  /// only so many stores in a loop. So they become inputs of the copy, pointers first and
  /// floating-point numbers last, as long as the copy has at most \p MaxInputs inputs and results.
  /// \p CanPass: may an input have this type?
  void hoistLoads(llvm::AAResults &AA, llvm::DominatorTree &DT, unsigned MaxInputs,
                  llvm::function_ref<bool(llvm::Type *)> CanPass);
  /// The values that hoistLoads() has moved.
  llvm::ArrayRef<llvm::LoadInst *> hoisted() const { return Hoisted; }

  /// The copies of the blocks, in their order.
  llvm::ArrayRef<llvm::BasicBlock *> blocks() const { return Blocks; }
  /// The branch in front. Its condition is true for the nest; now it is a constant.
  llvm::BranchInst *choice() const { return Choice; }
  /// Returns whether nest and copy each have stack memory for themselves. Then one cannot go on
  /// where the other was left: it would not find what earlier iterations have stored.
  bool hasOwnMemory() const { return !Outside.empty(); }
  /// Takes everything back, as long as the copy has not moved.
  void remove(llvm::DominatorTree &DT, llvm::AssumptionCache &AC);

private:
  class Builder;

  llvm::SmallVector<llvm::BasicBlock *> Blocks;
  llvm::BasicBlock *Before = nullptr; ///< contains Hoisted; null without such loads
  llvm::SmallVector<llvm::LoadInst *> Hoisted;
  llvm::BranchInst *Choice = nullptr;
  /// Each joins a phi of the nest, its first incoming value, with that of the copy.
  llvm::SmallVector<llvm::PHINode *> Joined;
  /// Assumptions behind the nest, each of which repeats a condition in front of it.
  llvm::SmallVector<llvm::AssumeInst *> Guards;
  /// Copies outside of the nest: stack memory with what belongs to it, each after what it uses.
  llvm::SmallVector<llvm::Instruction *> Outside;
};

} // namespace specrt

#endif
