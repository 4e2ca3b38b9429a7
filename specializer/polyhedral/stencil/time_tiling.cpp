//===- specializer/polyhedral/stencil/time_tiling.cpp - tiles over several time steps -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "specializer/polyhedral/stencil/time_tiling.h"
#include "polly/DependenceInfo.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "specializer/polyhedral/schedule/legality.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "specializer/polyhedral/stencil/stencil_nest.h"
#include "specializer/polyhedral/stencil/time_tile_sizes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace specrt {
namespace {

/// The cone rows that a nest has.
struct Cones {
  SmallVector<std::optional<ConeRow>, 4> Rows; ///< per axis
  std::optional<ConeRow> Mirrored;             ///< of the first axis

  Cones(const StencilNest &Nest, bool WithMirrored) {
    for (unsigned Axis = 0; Axis < Nest.numAxes(); ++Axis)
      Rows.push_back(Nest.coneRow(Axis));
    if (WithMirrored && Rows[0])
      Mirrored = Nest.coneRow(0, /*Mirrored=*/true);
  }

  bool skew() const {
    return any_of(Rows, [](auto &Row) { return Row && Row->Time > 0; });
  }

  /// Returns \p T, or nothing if it needs a row that the nest does not have.
  std::optional<TimeTiles> checked(const TimeTiles &T) const {
    if (T.Widths.size() != Rows.size() || (T.Shape == TileShape::Diamond && !Mirrored))
      return std::nullopt;
    for (unsigned Axis = 0; Axis < Rows.size(); ++Axis)
      if (T.Widths[Axis] > 0 && !Rows[Axis])
        return std::nullopt;
    return T;
  }

  StencilShape describe(StencilShape Shape) const {
    for (unsigned Axis = 0; Axis < Rows.size(); ++Axis)
      if (Rows[Axis])
        Shape.Axes[Axis].Skew = Rows[Axis]->Time;
    if (Mirrored)
      Shape.Axes[0].MirroredSkew = Mirrored->Time;
    return Shape;
  }
};

/// Returns the coordinates of a tile, outermost first.
SmallVector<isl::union_pw_aff, 4> tileCoordinates(const StencilNest &Nest, const Cones &C,
                                                  const TimeTiles &T, bool Parallel) {
  isl::union_pw_aff First = tileOf(Nest.coordinate(*C.Rows[0]), T.Widths[0]);
  isl::union_pw_aff Second = T.Shape == TileShape::Diamond
                                 ? tileOf(Nest.coordinate(*C.Mirrored), T.Widths[0])
                                 : tileOf(Nest.time(), T.Height);
  SmallVector<isl::union_pw_aff, 4> Tiles = {Second, First};
  // The tiles of a wave lie on a diagonal and are independent.
  if (Parallel)
    Tiles = {First.add(Second), Second};
  for (unsigned Axis = 1; Axis < T.Widths.size(); ++Axis)
    if (T.Widths[Axis] > 0)
      Tiles.push_back(tileOf(Nest.coordinate(*C.Rows[Axis]), T.Widths[Axis]));
  return Tiles;
}

/// Returns the number of rows side by side: two vectors hide the latency of a division at the end
/// of a point's sum.
long rowsAtOnce(const StencilShape &Shape, const TilingTarget &Target) {
  return 2 * std::max(2L, static_cast<long>(Target.VectorBytes / Shape.ElementBytes));
}

/// Makes rows advance side by side, each a few points behind the one before it:
///
///   for t, outer axes    as they were
///     for phi/R          blocks of R rows
///       for x + Skew * row
///         for row        independent
isl::schedule_node advanceRowsTogether(isl::schedule_node Leaf, const StencilNest &Nest,
                                       const Cones &C, long Skew, long RowsAtOnce) {
  unsigned X = Nest.numAxes() - 1, Row = X - 1;
  isl::union_pw_aff Rows = Nest.place(Row);
  isl::union_pw_aff Front = Nest.place(X).add(
      isl::manage(isl_union_pw_aff_scale_val(Rows.copy(), isl::val(Nest.ctx(), Skew).release())));
  isl::union_pw_aff Blocks = tileOf(C.Rows[Row] ? Nest.coordinate(*C.Rows[Row]) : Rows, RowsAtOnce);
  SmallVector<isl::union_pw_aff, 4> Outer = {Nest.time()};
  for (unsigned Axis = 0; Axis < Row; ++Axis)
    Outer.push_back(Nest.place(Axis));
  Outer.push_back(Blocks);
  Outer.push_back(Front);
  // From the inside out: every insertion becomes the parent of the last. The mark, which Polly
  // knows, disables vectors: points in different rows would be gathered, which takes twice as long
  // as independent scalars.
  isl::id NoVectors = isl::id::alloc(Nest.ctx(), "Loop Vectorizer Disabled", nullptr);
  return insertBand(Nest.ctx(), insertBand(Nest.ctx(), Leaf.insert_mark(NoVectors), {Rows}), Outer);
}

std::string describe(const TimeTiles &T) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (T.Shape == TileShape::Diamond)
    OS << "diamonds";
  else
    OS << "tiles of " << T.Height << " steps";
  for (unsigned Axis = 0; Axis < T.Widths.size(); ++Axis) {
    OS << (Axis == 0 ? ", " : " x ");
    if (T.Widths[Axis] > 0)
      OS << T.Widths[Axis];
    else
      OS << "all";
  }
  OS << " points";
  return Text;
}

} // namespace

TimeTiling tileTime(polly::Scop &S, const polly::Dependences &D, const TilingTarget &Target,
                    const TimeTiles *Given, unsigned long MaxOperations) {
  isl_ctx *Ctx = S.getIslCtx().get();
  isl_ctx_reset_error(Ctx);
  polly::IslMaxOperationsGuard Limit(Ctx, MaxOperations);
  TimeTiling Result;
  std::optional<StencilNest> Nest = StencilNest::find(S, D, Result.Note);
  if (!Nest)
    return Result;
  bool Parallel = Target.Threads > 1;
  Cones C(*Nest, /*WithMirrored=*/Parallel);
  Result.Note = "a dependence spans too many points per step";
  if (!C.Rows[0])
    return Result;
  Result.Note = "no point needs its neighbours of an earlier step";
  if (!C.skew())
    return Result;
  Result.IsStencil = true;
  StencilShape Shape = C.describe(Nest->shape());
  std::optional<long> Skew = Nest->wavefront();
  if (Skew)
    Shape.RowsAtOnce = rowsAtOnce(Shape, Target);
  std::optional<TimeTiles> Tiles = Given ? C.checked(*Given) : chooseTimeTiles(Shape, Target);
  Result.Note = "no tiles pay: the grid fits the cache, or too little of it does";
  if (!Tiles)
    return Result;
  Result.Note = describe(*Tiles);
  isl::schedule_node Inside = S.getScheduleTree().get_root().first_child();
  if (Skew) {
    Inside = isl::schedule::from_domain(S.getDomains()).get_root().first_child();
    Inside = advanceRowsTogether(Inside, *Nest, C, *Skew, Shape.RowsAtOnce);
    Result.Note += ", " + std::to_string(Shape.RowsAtOnce) + " rows side by side";
  }
  isl::schedule Tiled =
      insertBand(Nest->ctx(), Inside, tileCoordinates(*Nest, C, *Tiles, Parallel)).get_schedule();
  if (respects(Tiled, allOrders(D)))
    Result.Schedule = Tiled, Result.Tiles = Tiles;
  else
    Result.Note = "the tiles could not be checked against the dependences";
  return Result;
}

bool mayBeStencil(polly::Scop &S, const polly::Dependences *D, unsigned long MaxOperations,
                  std::string &Why) {
  polly::IslMaxOperationsGuard Limit(S.getIslCtx().get(), MaxOperations);
  if (!StencilNest::hasLoopsOfOne(S, Why))
    return false;
  if (!D)
    return true;
  Why = "the steps do not depend on each other";
  isl::union_map All = allOrders(*D);
  isl::multi_union_pw_aff Time(loopOf(belowMarks(S.getScheduleTree().get_root().first_child())));
  return !All.subtract(atSame(Time, All)).is_empty().is_true();
}

} // namespace specrt
