//===- specializer/polyhedral/schedule/settled_order.cpp - nests that no other order helps ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/schedule/settled_order.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "polly/Support/ISLTools.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>

using namespace llvm;

namespace specrt {
namespace {

/// Returns whether all pairs agree in the loops that both statements are in.
bool areWithinIterations(const isl::union_map &Pairs) {
  for (isl::map Map : Pairs.get_map_list()) {
    const unsigned Common = std::min(count(Map.domain_tuple_dim()), count(Map.range_tuple_dim()));
    if (Common == 0)
      return false;
    for (unsigned D = 0; D < Common; ++D)
      if (!areEqual(Map, D, D))
        return false;
  }
  return true;
}

/// Returns the elements between neighbours in dimension \p Dim; nothing if that is not constant.
std::optional<int64_t> elementsPerStep(const polly::ScopArrayInfo &Array, unsigned Dim) {
  int64_t Elements = 1;
  for (unsigned D = Dim + 1; D < Array.getNumberOfDimensions(); ++D) {
    const auto *const Size = dyn_cast_or_null<SCEVConstant>(Array.getDimensionSize(D));
    if (!Size || Size->getAPInt().getActiveBits() > 31)
      return std::nullopt;
    Elements *= Size->getAPInt().getSExtValue();
  }
  return Elements;
}

/// Returns by how many elements the access \p Relation of \p Array moves from one iteration of loop
/// \p Dim to the next; nothing if that differs or isl cannot tell.
std::optional<int64_t> stepOf(const isl::map &Relation, const polly::ScopArrayInfo &Array,
                              unsigned Dim) {
  const isl::pw_multi_aff Place = isl::pw_multi_aff::from_map(Relation);
  if (!Place.isa_multi_aff().is_true())
    return std::nullopt;
  const isl::multi_aff Index = Place.as_multi_aff();
  int64_t Sum = 0;
  for (unsigned D = 0; D < Array.getNumberOfDimensions(); ++D) {
    const std::optional<int64_t> Elements = elementsPerStep(Array, D);
    const std::optional<int64_t> Factor = integer(
        isl::manage(isl_aff_get_coefficient_val(Index.at(int(D)).get(), isl_dim_in, int(Dim))));
    if (!Elements || !Factor || std::abs(*Factor) > std::numeric_limits<int>::max())
      return std::nullopt;
    Sum += *Factor * *Elements;
  }
  return Sum;
}

/// Returns whether the innermost loop makes the smallest steps of all.
bool hasSmallestStepsInside(const isl::map &Relation, const polly::ScopArrayInfo &Array) {
  const unsigned Depth = count(Relation.domain_tuple_dim());
  std::optional<int64_t> Inside;
  for (unsigned D = Depth; D-- > 0;) {
    const std::optional<int64_t> Step = stepOf(Relation, Array, D);
    if (!Step)
      return false;
    if (!Inside)
      Inside = std::abs(*Step);
    else if (*Step != 0 && std::abs(*Step) < *Inside)
      return false;
  }
  return true;
}

/// Returns whether all elements that an access touches take at most \p CacheBytes.
bool isSmall(const isl::map &Relation, const polly::ScopArrayInfo &Array, uint64_t CacheBytes) {
  const isl::set Elements = Relation.range();
  uint64_t Bytes = uint64_t(Array.getElemSizeInBytes());
  for (unsigned D = 0; D < Array.getNumberOfDimensions(); ++D) {
    const auto Extent = uint64_t(extent(Elements, D));
    if (Extent == 0 || Bytes > CacheBytes / Extent)
      return false;
    Bytes *= Extent;
  }
  return true;
}

bool isSettled(const polly::MemoryAccess &Access, uint64_t CacheBytes) {
  if (!Access.isLatestArrayKind())
    return true; // registers
  const isl::set Domain = Access.getStatement()->getDomain();
  const isl::map All = Access.getLatestAccessRelation().intersect_domain(Domain);
  const polly::ScopArrayInfo &Array = *Access.getLatestScopArrayInfo();
  return Access.isAffine() && hasSmallestStepsInside(All.gist_domain(Domain), Array) &&
         (isSmall(All, Array, CacheBytes) || All.is_injective().is_true());
}

} // namespace

bool isOrderSettled(polly::Scop &S, const isl::union_map &Dependences, uint64_t CacheBytes) {
  if (!areWithinIterations(Dependences))
    return false;
  for (const polly::ScopStmt &Stmt : S)
    for (const polly::MemoryAccess *Access : Stmt)
      if (!isSettled(*Access, CacheBytes))
        return false;
  return true;
}

} // namespace specrt
