//===- specializer/sparse/zeros/skip_loop.h - loops of which zeros skip iterations ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A skip loop reads an element that varies with its counter, and with none within, such that an
// iteration does nothing where that is zero. The list of the others is made before the outermost
// loop around in which nobody writes the array; what else must hold is looked at as far outside as
// that can be said. What is looked at in each call is used several times: otherwise nothing would
// be gained. Where that is not so, something must be gained by arrays that stay the same from call
// to call.
//
// There is no list of an array that the nest writes. But a whole loop may do nothing where an
// element that it does not change is zero. Such an element is tested each time before the loop.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_ZEROS_SKIP_LOOP_H
#define SPECRT_SPECIALIZER_SPARSE_ZEROS_SKIP_LOOP_H

#include "specializer/sparse/zeros/skip_proof.h"
#include "specializer/sparse/zeros/zero_walk.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace llvm {
class AAResults;
}

namespace specrt {

/// A loop in which a zero makes work idle if the demands are met.
struct LoopWithDemands {
  struct Check {
    ZeroWalk Walk;
    uint32_t Demand; ///< enum specrt_zeros_demand
    /// The stores of the walk's nest to these elements; what they write must fit as well.
    llvm::SmallVector<llvm::StoreInst *> Written = {};
  };

  llvm::Loop *L = nullptr;
  llvm::Type *ElementType = nullptr;
  SkipDemands Demands;
  std::vector<Check> Checks; ///< the outermost first
};

struct SkipLoop : LoopWithDemands {
  llvm::SmallSetVector<llvm::LoadInst *, 2> Elements;
  ZeroWalk List; ///< no check is outside of its nest
};

/// A loop that does nothing where a number that it does not change is zero. In a factorisation it
/// updates a row of the matrix, and the number is the row's multiplier.
struct IdleLoop : LoopWithDemands {
  llvm::Value *Number = nullptr;     ///< known before the loop; null: Element is to be loaded
  llvm::LoadInst *Element = nullptr; ///< from the same address in each iteration
};

/// May the array that begins at \p Base be mostly zero? Then its number, specrt_zeros_array;
/// otherwise 0.
using MayBeSparse = llvm::function_ref<uint32_t(const llvm::Value &Base)>;

class SkipLoopFinder {
public:
  SkipLoopFinder(const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE, llvm::AAResults &AA,
                 const ZeroWalks &Walks, MayBeSparse IsSparse)
      : LI(LI), SE(SE), AA(AA), Walks(Walks), IsSparse(IsSparse) {}

  /// What lets \p L, and not only loops within, skip iterations.
  std::optional<SkipLoop> look(llvm::Loop &L) const;
  /// Returns the number whose zero lets \p L be left out as a whole, and the demands; nothing if
  /// there is none.
  std::optional<IdleLoop> lookForIdle(llvm::Loop &L) const;

private:
  /// How often is what must be finite used, for each time that it is looked at?
  enum class Use : uint8_t { Several, Once };
  std::optional<SkipLoop> skipFor(llvm::Loop &L, llvm::LoadInst &Element, Use Least) const;
  bool placeList(SkipLoop &To, llvm::LoadInst &Element) const;
  /// Adds the check for \p Read to \p To, before one of the loops from To.L to \p Outermost.
  bool placeFinite(LoopWithDemands &To, const llvm::Loop &Outermost, llvm::LoadInst &Read,
                   Use Least) const;
  bool placeSum(LoopWithDemands &To, const llvm::Loop &Outermost, llvm::StoreInst &Store) const;
  bool placeChecks(LoopWithDemands &To, const llvm::Loop &Outermost, Use Least) const;
  std::optional<IdleLoop> idleFor(llvm::Loop &L, const PresumedZero &Element) const;
  bool isLeftBySparse(llvm::Value &V) const;
  bool leavesSumsOnly(const LoopWithDemands &Of) const;
  bool writesNumbers(const llvm::Loop &Nest, const llvm::Instruction &Access,
                     const LoopWithDemands *ButFor,
                     llvm::SmallVectorImpl<llvm::StoreInst *> &Found) const;
  bool isApart(const llvm::Loop &Nest, const llvm::Instruction &Access,
               const llvm::StoreInst &Store) const;
  bool isWritten(const llvm::Loop &Nest, const llvm::Instruction &Access,
                 const LoopWithDemands *ButFor = nullptr) const;
  bool isUsedSeveralTimes(const ZeroWalk &Walk, const llvm::BasicBlock &Where) const;

  const llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::AAResults &AA;
  const ZeroWalks &Walks;
  MayBeSparse IsSparse;
};

} // namespace specrt

#endif
