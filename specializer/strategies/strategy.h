//===- specializer/strategies/strategy.h - ways to make candidates --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A strategy makes candidates from Polly's model of a region: it says which model it needs and how
// the iterations are ordered (SchedulePolicy), whether the result is useful, and which others need
// not be tried beside it. Its names and priorities are in the table (candidates.h). A new strategy
// needs a file here, a row in the table and a line in strategy.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_STRATEGIES_STRATEGY_H
#define SPECRT_SPECIALIZER_STRATEGIES_STRATEGY_H

#include "specializer/polyhedral/polyhedral.h"
#include "specializer/polyhedral/schedule_policy.h"
#include "specializer/strategies/table/candidates.h"

namespace specrt {

class Strategy : public SchedulePolicy {
public:
  constexpr explicit Strategy(StrategyId Id) : Id(Id) {}

  StrategyId id() const { return Id; }

  /// Returns the number of unknown integer arguments up to which the strategy is usable. Unknown
  /// sizes make Polly's sets parametric, and the time for scheduling these is unbounded.
  virtual unsigned maxUnknownSizes() const { return 0; }

  /// Returns why the generated code is no candidate, or null if it is one.
  virtual const char *whyUseless(const PolyhedralResult &Result) const { return nullptr; }

  /// Which candidates of another strategy need not be tried if one of this strategy exists.
  enum class Rivalry { None, WithAsManyThreads, Always };
  /// By default, a strategy supersedes its own candidates with at most as many threads.
  virtual Rivalry supersedes(StrategyId Other) const {
    return Other == Id ? Rivalry::WithAsManyThreads : Rivalry::None;
  }

protected:
  ~Strategy() = default;

private:
  StrategyId Id;
};

/// Returns the strategy \p Id; null for one that needs no model.
const Strategy *findStrategy(StrategyId Id);

// One file each.
const Strategy &contractionStrategy();
const Strategy &timeTileStrategy();
const Strategy &pipelineStrategy();
const Strategy &outerVectorStrategy();
const Strategy &islScheduleStrategy();
const Strategy &sourceOrderStrategy();

} // namespace specrt

#endif
