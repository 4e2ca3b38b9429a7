//===- analysis/memory/trip_counts.h - trip counts as polynomials ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops of a region in pre-order with their source line, depth and trip count as a polynomial
// in the function's integer arguments.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_MEMORY_TRIP_COUNTS_H
#define SPECRT_ANALYSIS_MEMORY_TRIP_COUNTS_H

#include "specrt/abi.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

struct LoopTripCount {
  llvm::Loop *L = nullptr;
  /// line, depth and trip_count. For an inner loop whose count depends on an outer iteration the
  /// count is the largest one; SPECRT_UNKNOWN when no bound is known.
  specrt_loop Description{};
};

/// Describes all loops of \p F in pre-order. \p AssumeNoWrap as in computeAccesses().
llvm::SmallVector<LoopTripCount> computeTripCounts(llvm::Function &F, llvm::ScalarEvolution &SE,
                                                   llvm::LoopInfo &LI, bool AssumeNoWrap);

/// Returns an estimate of the trip count of a loop of which all exits compare a counter with a
/// constant; 0 for other loops. ScalarEvolution knows no count if the compiler has moved an exit to
/// the middle of the loop. Counters of the loops around are taken to be at their start. Not a
/// bound.
uint64_t estimatedTrips(const llvm::Loop &L, llvm::ScalarEvolution &SE);

} // namespace specrt

#endif
