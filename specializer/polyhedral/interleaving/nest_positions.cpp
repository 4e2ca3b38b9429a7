//===- specializer/polyhedral/interleaving/nest_positions.cpp - nests on one domain ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/interleaving/nest_positions.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <optional>

using namespace llvm;

namespace specrt {

isl::union_pw_aff PlacedNest::position(unsigned Depth) const {
  const LoopPosition &At = Positions[Depth];
  const isl::ctx Ctx = Domain.ctx();
  const isl::union_pw_aff Scaled = isl::manage(
      isl_union_pw_aff_scale_val(Loops[Depth].copy(), isl::val(Ctx, long(At.Grain)).release()));
  const isl::union_pw_aff Offset = isl::manage(
      isl_union_pw_aff_val_on_domain(Domain.copy(), isl::val(Ctx, long(At.Offset)).release()));
  return Scaled.intersect_domain(Domain).add(Offset);
}

isl::union_map PlacedNest::positionsAt(unsigned Depth) const {
  return position(Depth).as_union_map();
}

isl::union_map PlacedNest::positions() const {
  isl::union_map All;
  for (unsigned D = 0; D < Positions.size(); ++D) {
    const isl::union_map One = positionsAt(D);
    All = All.is_null() ? One : All.flat_range_product(One);
  }
  return All;
}

static isl::union_map between(const PlacedNest &First, const PlacedNest &Second,
                              const isl::union_map &Orders) {
  return Orders.intersect_domain(First.Domain).intersect_range(Second.Domain);
}

/// Returns the least change of position along the loops at \p Depth from an iteration of \p First
/// to one of \p Second that must come later, over all pairs of \p Orders, of which there is at
/// least one. Returns nothing if it has no bound, or if isl gave up.
static std::optional<int64_t> leastAdvance(const PlacedNest &First, const PlacedNest &Second,
                                           unsigned Depth, const isl::union_map &Orders) {
  const isl::union_set Advances = between(First, Second, Orders)
                                      .apply_domain(First.positionsAt(Depth))
                                      .apply_range(Second.positionsAt(Depth))
                                      .deltas();
  return Advances.is_empty().is_false() ? integer(isl::set(Advances).dim_min_val(0)) : std::nullopt;
}

bool placeNests(MutableArrayRef<PlacedNest> Nests, unsigned Depth, const isl::union_map &Orders) {
  for (unsigned B = 0; B < Nests.size(); ++B) {
    LoopPosition &At = Nests[B].Positions[Depth];
    int64_t Least = At.IsOffsetGiven ? At.Offset : 0;
    At.Offset = Least;
    for (unsigned A = 0; A <= B; ++A) {
      const isl::boolean None = between(Nests[A], Nests[B], Orders).is_empty();
      if (None.is_true())
        continue;
      const std::optional<int64_t> Advance = leastAdvance(Nests[A], Nests[B], Depth, Orders);
      // An offset moves all iterations of a nest.
      if (!Advance || (*Advance < 0 && (A == B || At.IsOffsetGiven)))
        return false;
      Least = std::max(Least, -*Advance);
    }
    At.Offset = Least;
  }
  return true;
}

bool placeLexicographically(MutableArrayRef<PlacedNest> Nests, const isl::union_map &Orders) {
  isl::union_map Left = Orders;
  for (unsigned D = 0; D < Nests.front().Positions.size(); ++D) {
    if (!placeNests(Nests, D, Left))
      return false;
    isl::union_pw_aff All;
    for (const PlacedNest &Nest : Nests)
      All = All.is_null() ? Nest.position(D) : All.union_add(Nest.position(D));
    Left = atSame(isl::multi_union_pw_aff(All), Left);
  }
  return true;
}

isl::union_map violatedOrders(ArrayRef<PlacedNest> Nests, const isl::union_map &Orders) {
  isl::union_map All = isl::union_map::empty(Orders.ctx());
  for (unsigned A = 0; A < Nests.size(); ++A)
    for (unsigned B = A; B < Nests.size(); ++B) {
      const isl::union_map From = Nests[A].positions(), To = Nests[B].positions();
      const isl::union_map Backwards =
          isl::manage(isl_union_map_lex_gt_union_map(From.copy(), To.copy()));
      All = All.unite(between(Nests[A], Nests[B], Orders).intersect(Backwards));
    }
  return All;
}

} // namespace specrt
