//===- specializer/polyhedral/contraction/regular_part.cpp - parts that suit kernels -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/contraction/regular_part.h"
#include "polly/ScopInfo.h"
#include "polly/Support/ISLTools.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "isl/constraint.h"
#include <algorithm>

using namespace llvm;

namespace specrt {
namespace {

/// Returns the half spaces whose intersection is \p Set; none if isl gave up.
SmallVector<isl::set, 8> halfSpacesOf(const isl::basic_set &Set) {
  SmallVector<isl::set, 8> Result;
  auto Add = [](isl_constraint *Constraint, void *User) {
    auto &Into = *static_cast<SmallVector<isl::set, 8> *>(User);
    isl::aff Side = isl::manage(isl_constraint_get_aff(Constraint));
    isl::aff Zero = Side.sub(Side);
    Into.push_back(Side.ge_set(Zero));
    if (isl_constraint_is_equality(Constraint) != isl_bool_false)
      Into.push_back(Side.le_set(Zero));
    isl_constraint_free(Constraint);
    return isl_stat_ok;
  };
  if (isl_basic_set_foreach_constraint(Set.get(), Add, &Result) != isl_stat_ok)
    Result.clear();
  return Result;
}

/// Cuts \p Set by one plane so that nothing of \p Unwanted is left: a difference of sets has many
/// parts, but a block must be one.
isl::set largestConvexPart(const isl::set &Set, const isl::set &Unwanted, unsigned NumTiles) {
  isl::set Best;
  int64_t BestVolume = 0;
  if (Unwanted.is_null())
    return Best;
  for (isl::basic_set Piece : Unwanted.get_basic_set_list())
    for (const isl::set &Side : halfSpacesOf(Piece)) {
      isl::set Part = Set.subtract(Side);
      if (!Part.is_disjoint(Unwanted).is_true())
        continue;
      if (int64_t Volume = volume(Part, NumTiles); Volume > BestVolume) {
        Best = Part;
        BestVolume = Volume;
      }
    }
  return Best;
}

} // namespace

int64_t volume(const isl::set &Lifted, unsigned NumTiles) {
  isl::set Middle = Lifted;
  for (unsigned T = 0; T < NumTiles; ++T) {
    std::optional<IntegerRange> Tiles = rangeOf(Middle, T);
    if (!Tiles)
      return 0;
    Middle = fixed(Middle, T, Tiles->First + (Tiles->Last - Tiles->First) / 2);
  }
  if (!Middle.is_empty().is_false())
    return 0;
  int64_t Volume = 1;
  for (unsigned D = 0, E = count(Middle.tuple_dim()); D < E; ++D)
    Volume *= std::max<int64_t>(1, extent(Middle, D));
  return Volume;
}

isl::set reducedPartWithout(const Contraction &C, const isl::set &Lifted, const isl::set &Unwanted,
                            unsigned NumTiles) {
  // Uses only planes that bound k and do not depend on i and j.
  auto BoundsReduced = [&](const isl::set &Side) {
    for (unsigned D = 0; D < C.numDims(); ++D)
      if (isl_set_involves_dims(Side.get(), isl_dim_set, NumTiles + D, 1) !=
          (D == C.Reduced ? isl_bool_true : isl_bool_false))
        return false;
    return true;
  };
  isl::set Part = Lifted;
  isl::basic_set_list Pieces = Unwanted.coalesce().get_basic_set_list();
  if (Pieces.is_null())
    return {};
  for (isl::basic_set Piece : Pieces) {
    isl::set Best;
    int64_t BestVolume = -1;
    for (const isl::set &Side : halfSpacesOf(Piece)) {
      if (!BoundsReduced(Side))
        continue;
      isl::set Left = Part.subtract(Side);
      if (int64_t Volume = volume(Left, NumTiles); Volume > BestVolume) {
        Best = Left;
        BestVolume = Volume;
      }
    }
    if (Best.is_null() && !Part.is_disjoint(isl::set(Piece)).is_true())
      return {};
    if (!Best.is_null())
      Part = Best;
  }
  return Part;
}

isl::set regularPart(const Contraction &C, const isl::set &Lifted, unsigned NumTiles) {
  auto Free = [&](isl::set Set, int Dim) {
    return isl::manage(isl_set_eliminate(Set.release(), isl_dim_set, unsigned(Dim) + NumTiles, 1));
  };
  auto FreeResults = [&](isl::set Set) {
    Set = Free(Set, int(C.Column));
    return C.Row >= 0 ? Free(Set, C.Row) : Set;
  };
  isl::set Irregular = Free(Lifted, int(C.Reduced)).intersect(FreeResults(Lifted)).subtract(Lifted);
  if (Irregular.is_empty().is_true())
    return Lifted;
  // Either removes the k that some result lacks, or the results that lack some k.
  isl::set Regular = largestConvexPart(Lifted, FreeResults(Irregular).coalesce(), NumTiles);
  isl::set ByResult =
      largestConvexPart(Lifted, Free(Irregular, int(C.Reduced)).coalesce(), NumTiles);
  if (Regular.is_null() ||
      (!ByResult.is_null() && volume(ByResult, NumTiles) > volume(Regular, NumTiles)))
    Regular = ByResult;
  return Regular;
}

} // namespace specrt
