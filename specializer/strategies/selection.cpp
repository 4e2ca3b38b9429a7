//===- specializer/strategies/selection.cpp - selects the candidates to build -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/strategies/selection.h"
#include "specializer/strategies/strategy.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace specrt {

/// Returns whether the candidate is built together with others, from the same model or none. Rows
/// have requests of their own, and zeros are requested by name.
static bool hasCompany(const CandidateKind &Kind) {
  return !isOfRows(Kind.Strategy) && Kind.Strategy != StrategyId::Zeros;
}

bool StrategySelection::isPossible(const CandidateKind &Kind, unsigned UnknownSizes) const {
  const Strategy *By = findStrategy(Kind.Strategy);
  return hasCompany(Kind) && !is_contained(Hopeless, Kind.Strategy) &&
         (!By || UnknownSizes <= By->maxUnknownSizes()) && (!Kind.Parallel || Threads > 1);
}

/// Returns whether \p By uses as many threads as \p Kind, or surely wins because it uses more.
bool StrategySelection::isMatched(const CandidateKind &Kind, const CandidateKind &By) const {
  return By.Parallel == Kind.Parallel ||
         (By.Parallel && areThreadsSureToPay(SecondsPerCall, Threads));
}

bool StrategySelection::isBuilt(StrategyId Id, bool Parallel) const {
  return any_of(Built, [&](const CandidateKind *Known) {
    return Known->Strategy == Id && Known->Parallel == Parallel;
  });
}

bool StrategySelection::isWanted(const CandidateKind &Kind) const {
  return hasCompany(Kind) && (!Kind.Parallel || mayThreadsPay(SecondsPerCall)) &&
         none_of(Built, [&](const CandidateKind *Known) {
           const Strategy *By = findStrategy(Known->Strategy);
           switch (By ? By->supersedes(Kind.Strategy) : Strategy::Rivalry::None) {
           case Strategy::Rivalry::None:
             return false;
           case Strategy::Rivalry::WithAsManyThreads:
             return isMatched(Kind, *Known);
           case Strategy::Rivalry::Always:
             return true;
           }
           return false;
         });
}

} // namespace specrt
