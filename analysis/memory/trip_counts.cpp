//===- analysis/memory/trip_counts.cpp - trip counts as polynomials -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trip count is the backedge count plus one, with outer iteration numbers eliminated upwards.
//
//===----------------------------------------------------------------------===//
#include "analysis/memory/trip_counts.h"
#include "analysis/memory/scev_polynomial.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Instructions.h"
#include <algorithm>

using namespace llvm;

namespace specrt {

SmallVector<LoopTripCount> computeTripCounts(Function &F, ScalarEvolution &SE, LoopInfo &LI,
                                             bool AssumeNoWrap) {
  ScevPolynomials Polynomials(SE, AssumeNoWrap);
  SmallVector<LoopTripCount> Result;
  for (Loop *L : LI.getLoopsInPreorder()) {
    LoopTripCount Entry;
    Entry.L = L;
    if (DebugLoc Location = L->getStartLoc())
      Entry.Description.line = Location.getLine();
    Entry.Description.depth = L->getLoopDepth();
    std::optional<Polynomial> Count = Polynomials.backedgeCount(L);
    if (Count)
      Count = *Count + Polynomial(1);
    if (Count)
      Count = Polynomials.variables().bound(*Count, /*Upper=*/true);
    Entry.Description.trip_count = Polynomials.variables().exportPolynomial(Count);
    Result.push_back(Entry);
  }
  return Result;
}

uint64_t estimatedTrips(const Loop &L, ScalarEvolution &SE) {
  uint64_t Trips = 0;
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  for (const BasicBlock *Block : Exiting) {
    const auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
    const auto *Test =
        Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
    if (!Test || !Test->getOperand(0)->getType()->isIntegerTy())
      return 0;
    const auto *Counter = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Test->getOperand(0)));
    const auto *Limit = dyn_cast<SCEVConstant>(SE.getSCEV(Test->getOperand(1)));
    const SCEV *First = Counter ? Counter->getStart() : nullptr;
    while (const auto *Around = dyn_cast_or_null<SCEVAddRecExpr>(First))
      First = Around->getStart();
    const auto *Start = dyn_cast_or_null<SCEVConstant>(First);
    if (!Start || !Limit || Counter->getLoop() != &L || !Counter->isAffine() ||
        Start->getAPInt().getBitWidth() > 64)
      return 0;
    const APInt Distance = (Limit->getAPInt() - Start->getAPInt()).abs();
    Trips = std::max(Trips, Distance.getZExtValue() + 1);
  }
  return Trips;
}

} // namespace specrt
