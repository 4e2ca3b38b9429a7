//===- specializer/polyhedral/storage/independent_loops.cpp - parallel loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/storage/independent_loops.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "polly/Support/ISLTools.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "specializer/polyhedral/storage/storage_accesses.h"
#include "llvm/ADT/MapVector.h"

using namespace llvm;

namespace specrt {
namespace {

/// The accesses of one loop to one array, as relations { Stmt[x] -> Array[e] }. All contains the
/// writes, too.
struct Use {
  isl::union_map Writes, All;
};

using UsesOfLoops = MapVector<std::pair<const Loop *, const polly::ScopArrayInfo *>, Use>;

/// Returns the accesses by outermost loop and array. The loop is null for statements in no loop.
/// The result does not contain values in registers.
UsesOfLoops usesOf(polly::Scop &S) {
  UsesOfLoops Uses;
  for (polly::ScopStmt &Stmt : S)
    for (const polly::MemoryAccess *Access : Stmt) {
      if (!Access->isLatestArrayKind())
        continue;
      Use &Here = Uses[{loopAt(Stmt, 0), Access->getLatestScopArrayInfo()}];
      if (Here.All.is_null())
        Here.All = Here.Writes = isl::union_map::empty(S.getIslCtx());
      const isl::union_map Relation(
          Access->getLatestAccessRelation().intersect_domain(Stmt.getDomain()));
      Here.All = Here.All.unite(Relation);
      if (Access->isWrite())
        Here.Writes = Here.Writes.unite(Relation);
    }
  return Uses;
}

/// Returns whether no iteration writes an element that another one accesses.
bool isIndependent(const Use &Of) {
  const isl::union_map Pairs = Of.Writes.apply_range(Of.All.reverse());
  for (isl::map Map : Pairs.get_map_list())
    if (!areEqual(Map, 0, 0))
      return false;
  return !Pairs.is_null();
}

} // namespace

LoopSet independentLoops(polly::Scop &S, unsigned long MaxOperations, std::string &Shared) {
  isl_ctx *const Ctx = S.getIslCtx().get();
  isl_ctx_reset_error(Ctx);
  LoopSet Found, Ordered;
  {
    polly::IslMaxOperationsGuard Limit(Ctx, MaxOperations);
    for (const auto &[Key, Of] : usesOf(S)) {
      const Loop *const L = Key.first;
      if (!L || Ordered.contains(L))
        continue;
      if (isIndependent(Of)) {
        Found.insert(L);
      } else {
        Ordered.insert(L);
        Found.erase(L);
        Shared = Key.second->getName();
      }
    }
  }
  isl_ctx_reset_error(Ctx);
  for (const Loop *L : Ordered)
    Found.erase(L);
  return Found;
}

} // namespace specrt
