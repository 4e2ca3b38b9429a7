//===- specializer/strategies/strategy.h - ways to make candidates --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A strategy makes candidates from Polly's model of a region: it says which model it needs and how
// the iterations are ordered (SchedulePolicy), whether what came of it is useful, and what need not
// be tried beside it. Its names and prospects are in the table (candidates.h). To add one: a file
// here, a row there, a line in strategy.cpp.
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

  /// Integer arguments that are still unknown make Polly's sets parametric: scheduling them has no
  /// bound in time. With how many can it do?
  virtual unsigned maxUnknownSizes() const { return 0; }

  /// Why the code that was generated is no candidate, or null when it is one.
  virtual const char *whyUseless(const PolyhedralResult &Result) const { return nullptr; }

  /// What other candidates need not be tried where one of this strategy exists.
  enum class Rivalry { None, WithAsManyThreads, Always };
  /// Its own with as many threads at least.
  virtual Rivalry supersedes(StrategyId Other) const {
    return Other == Id ? Rivalry::WithAsManyThreads : Rivalry::None;
  }

protected:
  ~Strategy() = default;

private:
  StrategyId Id;
};

/// The strategy \p Id; null for one that needs no model.
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
