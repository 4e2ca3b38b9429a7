//===- structure/levels/row_groups.h - rows side by side, whichever they are -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows are given *steps* in the order of the program: each the first one after those of all rows
// that it waits for, and in which there is room. Of one kind a step has room for as many rows as
// are done side by side, which are a *group* then. So rows of eight lines of a grid come side by
// side, and where a line ends the next one begins, while what lies between the lines is done when
// its turn comes. The order is hardly another one than the program's: no row comes much later than
// those around it.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_LEVELS_ROW_GROUPS_H
#define SPECRT_STRUCTURE_LEVELS_ROW_GROUPS_H

#include "structure/levels/row_bundles.h"

namespace specrt {

class RowGroups {
public:
  static constexpr uint32_t Rows = RowBundle::Lanes; ///< of a group
  /// A row that is in no group.
  static constexpr uint16_t None = UINT16_MAX;

  /// \p Groups says for each row which others it may be side by side with, or None; \p KindOf what
  /// others it should be beside in the order. That, and \p Before, stays as it is.
  RowGroups(const RowDependences &Before, std::span<const uint16_t> Groups,
            std::span<const uint16_t> KindOf);

  /// Appends rows \p First to \p End - 1 to \p Order, as they may come when those before them are
  /// done, and to \p Groups where in the order each group begins. Returns the number of steps.
  uint32_t append(uint32_t First, uint32_t End, LargeVector<uint32_t> &Order,
                  std::vector<uint32_t> &Groups);

private:
  /// Of one kind, by step.
  struct Room {
    std::vector<uint8_t> Taken;
    std::vector<uint32_t> Next; ///< where there may be room, if not here

    uint32_t take(uint32_t Earliest);
  };

  uint32_t earliest(uint32_t Number) const;
  uint32_t giveSteps(uint32_t First, uint32_t End);

  const RowDependences &Before;
  double LargestShare = 0; ///< of all rows, that one kind has
  const std::vector<uint16_t> GroupOf;
  const std::span<const uint16_t> KindOf;
  LargeVector<uint32_t> StepOf;
  std::vector<Room> Rooms; ///< by kind
};

} // namespace specrt

#endif
