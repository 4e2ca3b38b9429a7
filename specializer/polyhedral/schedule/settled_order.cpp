//===- specializer/polyhedral/schedule/settled_order.cpp - nests that no reordering improves -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/schedule/settled_order.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "polly/Support/ISLTools.h"
#include "specializer/polyhedral/schedule/access_steps.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include <algorithm>
#include <cstdlib>
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
  const std::optional<int64_t> Bytes = boxBytes(Relation.range(), Array);
  return Bytes && uint64_t(*Bytes) <= CacheBytes;
}

bool isSettled(const polly::MemoryAccess &Access, uint64_t CacheBytes) {
  if (!Access.isLatestArrayKind())
    return true; // accesses in registers
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
