//===- specializer/strategies/time_tiles.cpp - tiles of several time steps ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/strategies/time_tiles.h"
#include "specializer/polyhedral/stencil/time_tiling.h"

namespace specrt {

bool TimeTileStrategy::mayFit(ScopModel &Model, std::string &Why) const {
  return mayBeStencil(Model.S, Model.HasDependences ? &Model.dependences() : nullptr,
                      Model.MaxOperations, Why);
}

NewSchedule TimeTileStrategy::schedule(ScopModel &Model) const {
  TimeTiling Tiling =
      tileTime(Model.S, Model.dependences(), Model.Target, Given, Model.MaxOperations);
  if (Used)
    *Used = Tiling.Tiles;
  NewSchedule New;
  New.Schedule = Tiling.Schedule;
  New.Note = Tiling.Note;
  // Tiles may pay for several workers but not for one, and vice versa.
  New.DependsOnWorkers = Tiling.IsStencil;
  return New;
}

Strategy::Rivalry TimeTileStrategy::supersedes(StrategyId Other) const {
  // The source's order serves few steps. A tile contains all nests of its steps.
  if (Other == StrategyId::IslSchedule || Other == StrategyId::OuterVectors ||
      Other == StrategyId::Pipeline)
    return Rivalry::Always;
  return Strategy::supersedes(Other);
}

const Strategy &timeTileStrategy() {
  static constexpr TimeTileStrategy Only;
  return Only;
}

} // namespace specrt
