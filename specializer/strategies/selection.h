//===- specializer/strategies/selection.h - which candidates to build -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every model costs 50 to 150 ms. What cannot be built within the limits of a request, or cannot
// win beside what exists already, is not tried. What exists changes with every candidate.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_STRATEGIES_SELECTION_H
#define SPECRT_SPECIALIZER_STRATEGIES_SELECTION_H

#include "specializer/strategies/table/candidates.h"
#include "llvm/ADT/SmallVector.h"

namespace specrt {

class StrategySelection {
public:
  /// For calls that last \p SecondsPerCall (0: unknown) on \p Threads workers.
  StrategySelection(double SecondsPerCall, unsigned Threads)
      : SecondsPerCall(SecondsPerCall), Threads(Threads) {}

  /// Can the candidate be built while so many integer arguments are unknown?
  bool isPossible(const CandidateKind &Kind, unsigned UnknownSizes) const;

  /// Is it worth trying?
  bool isWanted(const CandidateKind &Kind) const;

  bool isBuilt(StrategyId Id, bool Parallel) const;
  void addBuilt(const CandidateKind &Kind) { Built.push_back(&Kind); }
  /// The strategy finds nothing in the region, for whatever number of workers.
  void addHopeless(StrategyId Id) { Hopeless.push_back(Id); }

private:
  bool isMatched(const CandidateKind &Kind, const CandidateKind &By) const;

  double SecondsPerCall;
  unsigned Threads;
  llvm::SmallVector<const CandidateKind *, 8> Built;
  llvm::SmallVector<StrategyId, 4> Hopeless;
};

} // namespace specrt

#endif
