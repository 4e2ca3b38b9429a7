//===- specializer/strategies/time_tiles.h - tiles of several time steps --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_STRATEGIES_TIME_TILES_H
#define SPECRT_SPECIALIZER_STRATEGIES_TIME_TILES_H

#include "specializer/polyhedral/stencil/time_tile_sizes.h"
#include "specializer/strategies/strategy.h"

namespace specrt {

/// Orders the iterations of stencils as in the source, in tiles that span several time steps.
class TimeTileStrategy final : public Strategy {
public:
  constexpr TimeTileStrategy() : Strategy(StrategyId::TimeTiles) {}
  /// For measurements: uses the tiles \p Given instead of choosing them, and stores those of the
  /// last Scop in \p Used. Both may be null.
  TimeTileStrategy(const TimeTiles *Given, std::optional<TimeTiles> *Used)
      : Strategy(StrategyId::TimeTiles), Given(Given), Used(Used) {}

  /// The number of steps may be unknown, because the loops are not rescheduled.
  unsigned maxUnknownSizes() const override { return 1; }
  bool mayFit(ScopModel &Model, std::string &Why) const override;
  NewSchedule schedule(ScopModel &Model) const override;
  Rivalry supersedes(StrategyId Other) const override;

private:
  const TimeTiles *Given = nullptr;
  std::optional<TimeTiles> *Used = nullptr;
};

} // namespace specrt

#endif
