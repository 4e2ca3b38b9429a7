//===- specializer/polyhedral/interleaving/nest_grains.cpp - chooses the grains of nests -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/interleaving/nest_grains.h"
#include "polly/ScopInfo.h"
#include "specializer/polyhedral/schedule/access_steps.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>
#include <limits>
#include <numeric>

using namespace llvm;

namespace specrt {
namespace {

/// Elements per iteration of a loop, for each array that moves at one speed; 0 for others.
using Speeds = SmallMapVector<const polly::ScopArrayInfo *, int64_t, 4>;

/// Returns the dimension of \p Domain that \p Loop counts; nothing if there is none.
std::optional<unsigned> dimensionOf(const isl::union_pw_aff &Loop, const isl::set &Domain) {
  const isl::union_map Own = Loop.as_union_map().intersect_domain(isl::union_set(Domain));
  if (!Own.is_empty().is_false())
    return std::nullopt;
  for (unsigned D = 0, E = count(Domain.tuple_dim()); D < E; ++D)
    if (areEqual(isl::map::from_union_map(Own), D, 0))
      return D;
  return std::nullopt;
}

/// Products of two such numbers have 62 bits.
bool isSmall(int64_t Number) {
  constexpr int64_t Most = std::numeric_limits<int>::max();
  return Number >= -Most && Number <= Most;
}

Speeds speedsOf(const PlacedNest &Nest, unsigned Depth) {
  Speeds All;
  for (const polly::ScopStmt *Stmt : Nest.Statements) {
    const isl::set Domain = Stmt->getDomain();
    const std::optional<unsigned> Dim = dimensionOf(Nest.Loops[Depth], Domain);
    for (const polly::MemoryAccess *Access : *Stmt) {
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

/// A positive quotient of small numbers.
struct Speed {
  int64_t Numerator = 1, Denominator = 1;
};

/// Returns the speed of the last of \p Nests from those before, which are known; 1 if it has
/// nothing in common with them, or if the speed has large terms.
Speed speedBeside(ArrayRef<Speeds> Nests, ArrayRef<Speed> Known) {
  const Speeds &Own = Nests.back();
  for (unsigned A = unsigned(Known.size()); A-- > 0;)
    for (const auto &[Array, Step] : Own) {
      const int64_t Other = Nests[A].lookup(Array);
      // In opposite directions nests meet only once.
      if (Step == 0 || Other == 0 || (Step < 0) != (Other < 0) || !isSmall(Step) || !isSmall(Other))
        continue;
      Speed Beside{Known[A].Numerator * std::abs(Step), Known[A].Denominator * std::abs(Other)};
      const int64_t Common = std::gcd(Beside.Numerator, Beside.Denominator);
      Beside = {Beside.Numerator / Common, Beside.Denominator / Common};
      if (isSmall(Beside.Numerator) && isSmall(Beside.Denominator))
        return Beside;
    }
  return {};
}

} // namespace

void chooseGrains(MutableArrayRef<PlacedNest> Nests, unsigned Depth) {
  SmallVector<Speeds, 4> Steps;
  SmallVector<Speed, 4> Known;
  int64_t Denominator = 1;
  for (const PlacedNest &Nest : Nests) {
    Steps.push_back(speedsOf(Nest, Depth));
    Known.push_back(speedBeside(Steps, Known));
    Denominator = std::lcm(Denominator, Known.back().Denominator);
    if (!isSmall(Denominator))
      return;
  }
  SmallVector<int64_t, 4> Grains;
  int64_t Common = 0;
  for (const Speed &Each : Known) {
    Grains.push_back(Each.Numerator * (Denominator / Each.Denominator));
    Common = std::gcd(Common, Grains.back());
  }
  if (!all_of(Grains, [&](int64_t Grain) { return isSmall(Grain / Common); }))
    return;
  for (auto [Nest, Grain] : zip(Nests, Grains))
    Nest.Positions[Depth].Grain = Grain / Common;
}

} // namespace specrt
