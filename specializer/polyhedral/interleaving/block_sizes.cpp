//===- specializer/polyhedral/interleaving/block_sizes.cpp - blocks of interleaved nests ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/interleaving/block_sizes.h"
#include "polly/ScopInfo.h"
#include "specializer/polyhedral/schedule/access_steps.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "specializer/polyhedral/schedule/tile_sizes.h"
#include "llvm/ADT/MapVector.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace llvm;

namespace specrt {
namespace {

/// The accesses of nests in one iteration of the loops around them.
struct Footprint {
  double Bytes = 0;
  unsigned References = 0, ElementBytes = 1;
  bool HasCommon = false; ///< some array is accessed by more than one nest
};

class BlockModel {
public:
  BlockModel(ArrayRef<PlacedNest> Nests, const TilingTarget &Target)
      : Nests(Nests), Target(Target) {}

  bool measure(const isl::multi_union_pw_aff &Outer, std::string &Why);
  std::optional<TurnBlocks> choose(std::string &Why) const;

private:
  /// Distances along one loop.
  struct Axis {
    double Positions = 0; ///< from the first to the last position of all nests
    double Spread = 0;    ///< from the least offset to the greatest one
  };
  bool addAxis(unsigned Depth, const isl::union_set &Once);
  bool addAccesses(const isl::union_set &Once);
  double cacheBytes() const;

  ArrayRef<PlacedNest> Nests;
  const TilingTarget &Target;
  Footprint All;
  SmallVector<Axis, 2> Axes;
};

/// Returns the iterations of the statements in one iteration of the loops around, which is the
/// first or the last one, because triangular nests execute little in one of them.
isl::union_set once(ArrayRef<PlacedNest> Nests, const isl::multi_union_pw_aff &Outer) {
  isl::union_set Domain = Nests.front().Domain;
  for (const PlacedNest &Nest : Nests)
    Domain = Domain.unite(Nest.Domain);
  if (count(Outer.dim(isl::dim::out)) == 0)
    return Domain;
  const isl::union_map Loops =
      isl::union_map(isl::manage(isl_union_map_from_multi_union_pw_aff(Outer.copy())))
          .intersect_domain(Domain);
  const isl::set Range(Loops.range());
  const auto At = [&](const isl::set &One) {
    return Loops.intersect_range(isl::union_set(One)).domain();
  };
  const isl::union_set First = At(Range.lexmin());
  for (const PlacedNest &Nest : Nests)
    if (First.intersect(Nest.Domain).is_empty().is_true())
      return At(Range.lexmax());
  return First;
}

bool BlockModel::addAxis(unsigned Depth, const isl::union_set &Once) {
  constexpr int64_t Greatest = std::numeric_limits<int64_t>::max();
  int64_t First = Greatest, Last = -Greatest, Least = Greatest, Most = 0;
  for (const PlacedNest &Nest : Nests) {
    const isl::union_set Range = Nest.positionsAt(Depth).intersect_domain(Once).range();
    if (!Range.is_empty().is_false())
      return false;
    const auto Own = rangeOf(isl::set(Range), 0);
    if (!Own)
      return false;
    First = std::min(First, Own->First);
    Last = std::max(Last, Own->Last);
    Least = std::min(Least, Nest.Positions[Depth].Offset);
    Most = std::max(Most, Nest.Positions[Depth].Offset);
  }
  Axes.push_back({double(Last - First + 1), double(Most - Least)});
  return true;
}

bool BlockModel::addAccesses(const isl::union_set &Once) {
  struct Use {
    isl::set Elements;
    const PlacedNest *By;
  };
  SmallMapVector<const polly::ScopArrayInfo *, Use, 8> Arrays;
  for (const PlacedNest &Nest : Nests)
    for (const polly::ScopStmt *Stmt : Nest.Statements) {
      const isl::union_set Own = Once.intersect(isl::union_set(Stmt->getDomain()));
      if (!Own.is_empty().is_false())
        continue;
      for (const polly::MemoryAccess *Access : *Stmt) {
        if (!Access->isLatestArrayKind())
          continue;
        const polly::ScopArrayInfo *Array = Access->getLatestScopArrayInfo();
        const isl::set Elements =
            Access->getLatestAccessRelation().intersect_domain(isl::set(Own)).range();
        const auto [At, IsNew] = Arrays.insert({Array, {Elements, &Nest}});
        if (!IsNew) {
          At->second.Elements = At->second.Elements.unite(Elements);
          All.HasCommon |= At->second.By != &Nest;
        }
        ++All.References;
        All.ElementBytes = std::max(All.ElementBytes, unsigned(Array->getElemSizeInBytes()));
      }
    }
  for (const auto &[Array, Of] : Arrays) {
    const std::optional<int64_t> Bytes = boxBytes(Of.Elements, *Array);
    if (!Bytes)
      return false;
    All.Bytes += double(*Bytes);
  }
  return true;
}

bool BlockModel::measure(const isl::multi_union_pw_aff &Outer, std::string &Why) {
  Why = "the sizes of the nests are not known";
  const isl::union_set Once = once(Nests, Outer);
  for (unsigned D = 0; D < Nests.front().Positions.size(); ++D)
    if (!addAxis(D, Once))
      return false;
  if (!addAccesses(Once))
    return false;
  Why = "the nests access nothing in common";
  return All.HasCommon;
}

/// Returns the bytes of a block: those of the largest cache that does not hold everything. The
/// caches of all threads count together, because threads share the rows of a block. The first cache
/// does not hold everything.
double BlockModel::cacheBytes() const {
  const double First = double(Target.L1Bytes) * Target.Threads;
  const double Second = CacheShare * Target.L2Bytes * Target.Threads;
  return All.Bytes > Second ? Second : First;
}

std::optional<TurnBlocks> BlockModel::choose(std::string &Why) const {
  const Axis &Rows = Axes.front();
  Why = "the first cache holds all that the nests access";
  if (All.Bytes <= double(Target.L1Bytes) * Target.Threads)
    return std::nullopt;
  Why = "the last nest begins when the first one is half done";
  if (2 * Rows.Spread >= Rows.Positions)
    return std::nullopt;
  const double RowBytes = All.Bytes / Rows.Positions;
  const double Fit = std::floor(cacheBytes() / RowBytes - Rows.Spread);
  if (Fit >= 1)
    return TurnBlocks{{int64_t(Fit)}};
  Why = "no cache holds the rows from one nest to the next";
  if (Axes.size() < 2)
    return std::nullopt;
  const Axis &Columns = Axes[1];
  const double Height = double(outerTile(Target.L1Bytes, Target.L2Bytes));
  const double Width =
      double(vectorTile({All.References, All.ElementBytes}, Target.L1Bytes, Target.VectorBytes));
  const double PointBytes = RowBytes / Columns.Positions;
  if (2 * Width >= Columns.Positions ||
      (Height + Rows.Spread) * (Width + Columns.Spread) * PointBytes >
          CacheShare * Target.L2Bytes * Target.Threads)
    return std::nullopt;
  return TurnBlocks{{int64_t(Height), int64_t(Width)}};
}

} // namespace

std::optional<TurnBlocks> chooseBlocks(ArrayRef<PlacedNest> Nests,
                                       const isl::multi_union_pw_aff &Outer,
                                       const TilingTarget &Target, std::string &Why) {
  BlockModel Model(Nests, Target);
  return Model.measure(Outer, Why) ? Model.choose(Why) : std::nullopt;
}

} // namespace specrt
