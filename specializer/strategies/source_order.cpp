//===- specializer/strategies/source_order.cpp - the order of the source --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polly's code generation alone: it separates modelled code from other code, and finds parallel
// loops.
//
//===----------------------------------------------------------------------===//
#include "specializer/strategies/strategy.h"
#include <limits>

namespace specrt {
namespace {

class SourceOrder final : public Strategy {
public:
  constexpr SourceOrder() : Strategy(StrategyId::SourceOrder) {}

  /// Expansion removes dependences on numbers that each iteration of a loop computes anew for inner
  /// loops, such as the factor of a row in an elimination.
  bool expandsStorage(bool Parallel) const override { return Parallel; }
  /// Does the same for work arrays.
  bool mayKeepOutermostLoops(bool Parallel) const override { return Parallel; }

  /// Nothing is rescheduled, so unknown sizes do not matter.
  unsigned maxUnknownSizes() const override { return std::numeric_limits<unsigned>::max(); }
};

} // namespace

const Strategy &sourceOrderStrategy() {
  static constexpr SourceOrder Only;
  return Only;
}

} // namespace specrt
