//===- analysis/rounding/unrolling.cpp - loops that may become straight-line code -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/rounding/unrolling.h"
#include "analysis/memory/variables.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace specrt {

// After vectorisation, LLVM unrolls short loops, but none with more iterations than this.
static constexpr uint64_t MaxUnrolledIterations = 4096;

/// Returns the trip count, or a bound without link-time optimisation; 0 if unknown.
unsigned Unrolling::tripCount(const Loop &L) const {
  return ForLTO ? SE.getSmallConstantTripCount(&L) : SE.getSmallConstantMaxTripCount(&L);
}

// LLVM completely unrolls loops of up to MaxUnrolledSize instructions or, with FewIterations, four
// times as many. Before, it makes vectors of up to MaxVectorBytes and interleaves up to
// MaxInterleaved.
static constexpr unsigned MaxUnrolledSize = 300;
static constexpr unsigned FewIterations = 10;
static constexpr unsigned MaxVectorBytes = 64;
static constexpr unsigned MaxInterleaved = 4;

/// Returns the largest number of iterations of \p L that the compiler may put into one body.
static uint64_t maxCopies(const Loop &L) {
  uint64_t Size = 1, Bytes = MaxVectorBytes;
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      if (isa<LoadInst, StoreInst>(I)) {
        ++Size;
        Bytes = std::min<uint64_t>(
            Bytes, I.getDataLayout().getTypeStoreSize(getLoadStoreType(&I)).getKnownMinValue());
      }
  const uint64_t Vectors =
      std::max<uint64_t>(MaxUnrolledSize / Size, uint64_t{FewIterations} * MaxInterleaved);
  return Vectors * (MaxVectorBytes / std::max<uint64_t>(Bytes, 1));
}

bool Unrolling::mayVanish(const Loop &L) const {
  const unsigned TripCount = tripCount(L);
  return TripCount == 0 ? ForLTO : TripCount <= maxCopies(L);
}

bool Unrolling::mayMixWithNeighbours(const Loop &L) const {
  if (mayVanish(L) || L.getNumBlocks() != 1 || hasUnrollTransformation(&L) & TM_Force)
    return true;
  for (const Instruction &I : *L.getHeader()) {
    if (isa<SelectInst>(I))
      return true;
    const auto *Phi = dyn_cast<PHINode>(&I);
    if (Phi && SE.isSCEVable(Phi->getType()) &&
        !isa<SCEVAddRecExpr>(SE.getSCEV(const_cast<PHINode *>(Phi))))
      return true;
  }
  return false;
}

bool Unrolling::mayBecomeConstant(const Value &V) const {
  uint64_t Iterations = 1;
  SmallPtrSet<const Loop *, 4> Loops;
  auto IsVariable = [&](const PHINode &Phi) {
    const Loop *L = LI.getLoopFor(Phi.getParent());
    if (!L || L->getHeader() != Phi.getParent())
      return false;
    const unsigned TripCount = tripCount(*L);
    if (TripCount == 0)
      return !ForLTO;
    if (Loops.insert(L).second)
      Iterations = SaturatingMultiply<uint64_t>(Iterations, TripCount);
    return Iterations > MaxUnrolledIterations;
  };
  return !isVariable(&V, IsVariable, ForLTO);
}

} // namespace specrt
