//===- specializer/sparse/zeros/zero_walk.h - elements as loops around them -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_ZEROS_ZERO_WALK_H
#define SPECRT_SPECIALIZER_SPARSE_ZEROS_ZERO_WALK_H

#include "specrt/zeros.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace llvm {
class DominatorTree;
class ScalarEvolution;
class SCEV;
class SCEVExpander;
} // namespace llvm

namespace specrt {

/// A specrt_zeros_walk of which some numbers are known at run time only, when Nest begins.
struct ZeroWalk {
  struct Dimension {
    const llvm::Loop *Of;
    const llvm::SCEV *Step, *Trips;
    llvm::SmallVector<const llvm::SCEV *, 3> Slope; ///< by the dimensions before
  };
  llvm::Loop *Nest = nullptr;
  const llvm::SCEV *Base = nullptr;
  llvm::SmallVector<Dimension, SPECRT_ZEROS_MAX_LOOPS> Dimensions; ///< the outermost first
  uint32_t Kind = 0;
  int MinExponent = 0;
  uint32_t Array = 0; ///< specrt_zeros_walk::array

  /// Have all loops but the last the same trips always, and is the last one \p L?
  bool isListed(const llvm::Loop &L) const;
};

/// The kind of elements of this type; nothing for others.
std::optional<uint32_t> zerosKind(const llvm::Type *T);

class ZeroWalks {
public:
  ZeroWalks(const llvm::DominatorTree &DT, llvm::ScalarEvolution &SE, llvm::SCEVExpander &Expander)
      : DT(DT), SE(SE), Expander(Expander) {}

  /// The elements at \p Address that \p Where, a block of \p Inner, accesses while \p Nest, a loop
  /// around it, runs: exactly those. Nothing when that cannot be said. Unless \p Alike, loops whose
  /// first or last iteration accesses all elements that the others do are no dimensions; if \p
  /// Alike, nothing where it is another walk in some iterations of loops with which the address
  /// does not vary.
  std::optional<ZeroWalk> within(llvm::Loop &Nest, const llvm::Loop &Inner,
                                 const llvm::BasicBlock &Where, const llvm::SCEV *Address,
                                 const llvm::Type *Element, bool Alike) const;

  /// A pointer to the walk in memory, filled at \p B.
  llvm::Value *write(llvm::IRBuilderBase &B, const ZeroWalk &Walk) const;

private:
  /// Loops that are left out where they have no iterations, and how many they have.
  using GuardedLoops = llvm::SmallMapVector<const llvm::Loop *, const llvm::SCEV *, 4>;

  const llvm::SCEV *guardedTrips(const llvm::Loop &L) const;
  bool readsAllBeside(const llvm::Loop &Inner, const llvm::BasicBlock &Where,
                      const llvm::SCEV *Address, const llvm::Type &Element) const;
  bool alwaysRuns(const llvm::Loop &Nest, const llvm::Loop &Inner, const llvm::BasicBlock &Where,
                  const llvm::SCEV *Address, const llvm::Type &Element,
                  GuardedLoops &Guarded) const;
  bool setTrips(ZeroWalk &Walk, size_t D, bool Alike, const GuardedLoops &Guarded) const;
  bool leaveOutIdle(ZeroWalk &Walk, const GuardedLoops &Guarded) const;
  void leaveOutNested(ZeroWalk &Walk) const;

  const llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
  llvm::SCEVExpander &Expander;
};

} // namespace specrt

#endif
