//===- specializer/strategies/strategy.cpp - finds strategies -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/strategies/strategy.h"

namespace specrt {

const Strategy *findStrategy(StrategyId Id) {
  switch (Id) {
  case StrategyId::Constants:
  case StrategyId::Zeros:
  case StrategyId::Rows:
  case StrategyId::UnrolledRows:
    return nullptr;
  case StrategyId::Contraction:
    return &contractionStrategy();
  case StrategyId::TimeTiles:
    return &timeTileStrategy();
  case StrategyId::Pipeline:
    return &pipelineStrategy();
  case StrategyId::OuterVectors:
    return &outerVectorStrategy();
  case StrategyId::IslSchedule:
    return &islScheduleStrategy();
  case StrategyId::SourceOrder:
    return &sourceOrderStrategy();
  }
  return nullptr;
}

} // namespace specrt
