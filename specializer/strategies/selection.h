//===- specializer/strategies/selection.h - selects the candidates to build -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every model costs 50 to 150 ms. Candidates that cannot be built within the limits of a request,
// or cannot win beside existing ones, are not tried. The existing ones change with every candidate.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_STRATEGIES_SELECTION_H
#define SPECRT_SPECIALIZER_STRATEGIES_SELECTION_H

#include "specializer/strategies/table/candidates.h"
#include "llvm/ADT/SmallVector.h"

namespace specrt {

class StrategySelection {
public:
  /// Calls last \p SecondsPerCall (0: unknown) on \p Threads workers.
  StrategySelection(double SecondsPerCall, unsigned Threads)
      : SecondsPerCall(SecondsPerCall), Threads(Threads) {}

  /// Returns whether the candidate can be built with \p UnknownSizes unknown integer arguments.
  bool isPossible(const CandidateKind &Kind, unsigned UnknownSizes) const;

  /// Returns whether the candidate is worth trying.
  bool isWanted(const CandidateKind &Kind) const;

  bool isBuilt(StrategyId Id, bool Parallel) const;
  void addBuilt(const CandidateKind &Kind) { Built.push_back(&Kind); }
  /// Records that the strategy finds nothing in the region, for any number of workers.
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
