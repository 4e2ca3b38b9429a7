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

struct SkipLoop {
  struct Check {
    ZeroWalk Walk;
    uint32_t Demand; ///< enum specrt_zeros_demand
    /// Of FINITE: what the nest, but not the loop, writes meanwhile; that must fit as well.
    llvm::SmallVector<llvm::StoreInst *> Written = {};
  };

  llvm::Loop *L = nullptr;
  llvm::Type *ElementType = nullptr;
  llvm::SmallSetVector<llvm::LoadInst *, 2> Elements;
  SkipDemands Demands;
  ZeroWalk List;
  std::vector<Check> Checks; ///< the outermost first, none outside of the list's nest
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

private:
  /// How often is what must be finite used, for each time that it is looked at?
  enum class Use : uint8_t { Several, Once };
  std::optional<SkipLoop> skipFor(llvm::Loop &L, llvm::LoadInst &Element, Use Least) const;
  bool placeList(SkipLoop &To, llvm::LoadInst &Element) const;
  bool placeFinite(SkipLoop &To, llvm::LoadInst &Read, Use Least) const;
  bool writesNumbers(const llvm::Loop &Nest, const llvm::Loop &But, const llvm::LoadInst &Read,
                     llvm::SmallVectorImpl<llvm::StoreInst *> &Found) const;
  bool placeSum(SkipLoop &To, llvm::StoreInst &Store) const;
  bool leavesSumsOnly(const SkipLoop &Of) const;
  bool isWritten(const llvm::Loop &Nest, const llvm::Instruction &Access,
                 const SkipLoop *ButFor = nullptr) const;
  bool isUsedSeveralTimes(const ZeroWalk &Walk, const llvm::BasicBlock &Where) const;

  const llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::AAResults &AA;
  const ZeroWalks &Walks;
  MayBeSparse IsSparse;
};

} // namespace specrt

#endif
