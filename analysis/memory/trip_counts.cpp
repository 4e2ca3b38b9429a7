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
#include "llvm/IR/DebugLoc.h"

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

} // namespace specrt
