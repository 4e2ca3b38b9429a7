//===- specializer/polyhedral/interleaving/nest_grains.cpp - how fast nests advance ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/interleaving/nest_grains.h"
#include "polly/ScopInfo.h"
#include "specializer/polyhedral/schedule/access_steps.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "llvm/ADT/MapVector.h"
#include <cstdlib>
#include <limits>
#include <numeric>

using namespace llvm;

namespace specrt {
namespace {

/// Elements per iteration of a loop, for each array that moves at one speed; 0 for others.
using Speeds = SmallMapVector<const polly::ScopArrayInfo *, int64_t, 4>;

/// Returns the dimension of \p Domain that \p Loop counts; nothing if it is none of them.
std::optional<unsigned> dimensionOf(const isl::union_pw_aff &Loop, const isl::set &Domain) {
  const isl::union_map Own =
      isl::union_map(isl::manage(isl_union_map_from_union_pw_aff(Loop.copy())))
          .intersect_domain(isl::union_set(Domain));
  if (!Own.is_empty().is_false())
    return std::nullopt;
  for (unsigned D = 0, E = count(Domain.tuple_dim()); D < E; ++D)
    if (areEqual(isl::map::from_union_map(Own), D, 0))
      return D;
  return std::nullopt;
}

Speeds speedsOf(const PlacedNest &Nest, polly::Scop &S, unsigned Depth) {
  Speeds All;
  for (const polly::ScopStmt &Stmt : S) {
    const isl::set Domain = Stmt.getDomain();
    if (!isl::union_set(Domain).is_subset(Nest.Domain).is_true())
      continue;
    const std::optional<unsigned> Dim = dimensionOf(Nest.Loops[Depth], Domain);
    for (const polly::MemoryAccess *Access : Stmt) {
      if (!Access->isLatestArrayKind())
        continue;
      const polly::ScopArrayInfo *Array = Access->getLatestScopArrayInfo();
      const std::optional<int64_t> Step =
          Dim ? stepOf(
                    Access->getLatestAccessRelation().intersect_domain(Domain).gist_domain(Domain),
                    *Array, *Dim)
              : std::nullopt;
      const auto [At, IsNew] = All.insert({Array, Step.value_or(0)});
      if (!IsNew && At->second != Step)
        At->second = 0;
    }
  }
  return All;
}

/// A positive quotient.
struct Speed {
  int64_t Numerator = 1, Denominator = 1;
};

/// Returns the speed of the last of \p Nests from those before, which are known; 1 if it has
/// nothing in common with them.
Speed speedBeside(ArrayRef<Speeds> Nests, ArrayRef<Speed> Known) {
  const Speeds &Own = Nests.back();
  for (unsigned A = unsigned(Known.size()); A-- > 0;)
    for (const auto &[Array, Step] : Own) {
      const int64_t Other = Nests[A].lookup(Array);
      constexpr int64_t Most = std::numeric_limits<int>::max();
      // In opposite directions nests meet only once.
      if (Step == 0 || Other == 0 || (Step < 0) != (Other < 0) || std::abs(Step) > Most ||
          std::abs(Other) > Most || Known[A].Numerator > Most || Known[A].Denominator > Most)
        continue;
      Speed Beside{Known[A].Numerator * std::abs(Step), Known[A].Denominator * std::abs(Other)};
      const int64_t Common = std::gcd(Beside.Numerator, Beside.Denominator);
      return {Beside.Numerator / Common, Beside.Denominator / Common};
    }
  return {};
}

} // namespace

void chooseGrains(MutableArrayRef<PlacedNest> Nests, polly::Scop &S, unsigned Depth) {
  constexpr int64_t Most = std::numeric_limits<int>::max();
  SmallVector<Speeds, 4> Steps;
  SmallVector<Speed, 4> Known;
  int64_t Denominator = 1;
  for (const PlacedNest &Nest : Nests) {
    Steps.push_back(speedsOf(Nest, S, Depth));
    Known.push_back(speedBeside(Steps, Known));
    Denominator = std::lcm(Denominator, Known.back().Denominator);
    if (Denominator > Most)
      return;
  }
  int64_t Common = 0;
  for (const Speed &Each : Known)
    Common = std::gcd(Common, Each.Numerator * (Denominator / Each.Denominator));
  for (auto [Nest, Each] : zip(Nests, Known))
    Nest.Positions[Depth].Grain = Each.Numerator * (Denominator / Each.Denominator) / Common;
}

} // namespace specrt
