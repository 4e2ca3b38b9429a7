//===- structure/levels/row_groups.h - groups of independent rows ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assigns *steps* to rows in the order of the program: each row gets the first step after those of
// all rows that it waits for that has room. A step has room for RowGroups::Rows rows of each kind,
// which form a *group*. On a grid, rows of eight lines are executed together, and where a line ends
// the next one begins; rows between lines are executed in between. The resulting order is close to
// that of the program: no row is delayed far beyond its neighbours.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_LEVELS_ROW_GROUPS_H
#define SPECRT_STRUCTURE_LEVELS_ROW_GROUPS_H

#include "structure/levels/skewed_wavefronts.h"

namespace specrt {

class RowGroups {
public:
  static constexpr uint32_t Rows = SkewedWavefront::Lanes; ///< rows of a group
  /// Value of GroupOf for rows in no group.
  static constexpr uint16_t None = UINT16_MAX;

  /// \p Groups: for each row the kind of group it may be in, or None; \p KindOf: a kind by which
  /// rows of a step are sorted. \p Before and \p KindOf must outlive this object.
  RowGroups(const RowDependences &Before, std::span<const uint16_t> Groups,
            std::span<const uint16_t> KindOf);

  /// Appends rows \p First to \p End - 1 to \p Order, in an order that is legal once all earlier
  /// rows are done, and to \p Groups the position in \p Order of each group. Returns the number of
  /// steps.
  uint32_t append(uint32_t First, uint32_t End, LargeVector<uint32_t> &Order,
                  std::vector<uint32_t> &Groups);

private:
  /// Room for rows of one kind, by step.
  struct Room {
    std::vector<uint8_t> Taken;
    std::vector<uint32_t> Next; ///< a step that may have room, if this one has none

    uint32_t take(uint32_t Earliest);
  };

  uint32_t earliest(uint32_t Number) const;
  uint32_t giveSteps(uint32_t First, uint32_t End);

  const RowDependences &Before;
  double LargestShare = 0; ///< largest share of all rows that one kind has
  const std::vector<uint16_t> GroupOf;
  const std::span<const uint16_t> KindOf;
  LargeVector<uint32_t> StepOf;
  std::vector<Room> Rooms; ///< by kind
};

} // namespace specrt

#endif
