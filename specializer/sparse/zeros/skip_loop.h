//===- specializer/sparse/zeros/skip_loop.h - loops in which zeros make iterations idle -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A skip loop reads an element that varies with its counter, but with no counter inside, such that
// an iteration has no effect if the element is zero. The list of the other iterations is made
// before the outermost enclosing loop that does not write the array; the other conditions are
// checked as far outside as possible. A check must be used several times, otherwise nothing is
// gained. If that is not the case, only arrays that stay unchanged from call to call can pay.
//
// There is no list for an array that the nest writes. But a whole loop may have no effect if an
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
    /// The stores of the walk's nest to these elements; the stored numbers must meet the demand,
    /// too.
    llvm::SmallVector<llvm::StoreInst *> Written = {};
  };

  llvm::Loop *L = nullptr;
  llvm::Type *ElementType = nullptr;
  SkipDemands Demands;
  std::vector<Check> Checks; ///< the outermost first
};

struct SkipLoop : LoopWithDemands {
  llvm::SmallSetVector<llvm::LoadInst *, 2> Elements;
  ZeroWalk List; ///< encloses the nests of all checks
};

/// A loop that has no effect if a number that it does not change is zero. In a factorisation it
/// updates a row of the matrix, and the number is the row's multiplier.
struct IdleLoop : LoopWithDemands {
  llvm::Value *Number = nullptr;     ///< known before the loop; null: Element must be loaded
  llvm::LoadInst *Element = nullptr; ///< has the same address in each iteration
};

/// Returns specrt_zeros_array of the array that begins at \p Base if it may be mostly zero,
/// otherwise 0.
using MayBeSparse = llvm::function_ref<uint32_t(const llvm::Value &Base)>;

class SkipLoopFinder {
public:
  SkipLoopFinder(const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE, llvm::AAResults &AA,
                 const ZeroWalks &Walks, MayBeSparse IsSparse)
      : LI(LI), SE(SE), AA(AA), Walks(Walks), IsSparse(IsSparse) {}

  /// Returns the element whose zeros let \p L itself, not only loops inside, skip iterations.
  std::optional<SkipLoop> look(llvm::Loop &L) const;
  /// Returns the number whose zero lets \p L be left out as a whole, and the demands; nothing if
  /// there is none.
  std::optional<IdleLoop> lookForIdle(llvm::Loop &L) const;

private:
  /// How often a checked element must be used per check.
  enum class Use : uint8_t { Several, Once };
  std::optional<SkipLoop> skipFor(llvm::Loop &L, llvm::LoadInst &Element, Use Least) const;
  bool placeList(SkipLoop &To, llvm::LoadInst &Element) const;
  /// Adds the check of \p Read to \p To, before one of the loops from To.L to \p Outermost.
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
