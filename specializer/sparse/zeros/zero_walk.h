//===- specializer/sparse/zeros/zero_walk.h - describes elements by the loops around them -===//
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

/// A specrt_zeros_walk with numbers that are known only at run time, when Nest begins.
struct ZeroWalk {
  struct Dimension {
    const llvm::Loop *Of;
    const llvm::SCEV *Step, *Trips;
    llvm::SmallVector<const llvm::SCEV *, 3> Slope; ///< change per step of each dimension before
  };
  llvm::Loop *Nest = nullptr;
  const llvm::SCEV *Base = nullptr;
  llvm::SmallVector<Dimension, SPECRT_ZEROS_MAX_LOOPS> Dimensions; ///< the outermost first
  uint32_t Kind = 0;
  int MinExponent = 0;
  uint32_t Array = 0; ///< specrt_zeros_walk::array

  /// Returns whether all loops but the last have constant trip counts, and the last one is \p L.
  bool isListed(const llvm::Loop &L) const;
};

/// Returns the kind of elements of type \p T; nothing for unsupported types.
std::optional<uint32_t> zerosKind(const llvm::Type *T);

class ZeroWalks {
public:
  ZeroWalks(const llvm::DominatorTree &DT, llvm::ScalarEvolution &SE, llvm::SCEVExpander &Expander)
      : DT(DT), SE(SE), Expander(Expander) {}

  /// Returns exactly the elements at \p Address that \p Where, a block of \p Inner, accesses while
  /// \p Nest, a loop around it, runs; nothing if that cannot be described. Unless \p Alike, omits
  /// loops whose first or last iteration accesses all elements of the others. With \p Alike,
  /// returns nothing if the walk differs between iterations of loops in which the address is
  /// invariant.
  std::optional<ZeroWalk> within(llvm::Loop &Nest, const llvm::Loop &Inner,
                                 const llvm::BasicBlock &Where, const llvm::SCEV *Address,
                                 const llvm::Type *Element, bool Alike) const;

  /// Emits a walk in memory, filled at \p B, and returns its address.
  llvm::Value *write(llvm::IRBuilderBase &B, const ZeroWalk &Walk) const;

private:
  /// Loops that are skipped if they have no iterations, with their trip counts.
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
