//===- specializer/strategies/source_order.cpp - the order of the source --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polly's code generation alone: what it models it separates from what it does not, and it finds
// parallel loops.
//
//===----------------------------------------------------------------------===//
#include "specializer/strategies/strategy.h"
#include <limits>

namespace specrt {
namespace {

class SourceOrder final : public Strategy {
public:
  constexpr SourceOrder() : Strategy(StrategyId::SourceOrder) {}

  /// A number that each iteration of a loop computes anew and hands to the loops inside (the factor
  /// of a row in an elimination) forbids nothing then.
  bool expandsStorage(bool Parallel) const override { return Parallel; }
  /// Likewise for work arrays.
  bool mayKeepOutermostLoops(bool Parallel) const override { return Parallel; }

  /// Nothing is scheduled.
  unsigned maxUnknownSizes() const override { return std::numeric_limits<unsigned>::max(); }
};

} // namespace

const Strategy &sourceOrderStrategy() {
  static constexpr SourceOrder Only;
  return Only;
}

} // namespace specrt
