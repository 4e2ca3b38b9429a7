//===- specializer/polyhedral/storage/independent_loops.cpp - parallel loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/storage/independent_loops.h"
#include "polly/CodeGen/IslAst.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "polly/Support/ISLTools.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "specializer/polyhedral/storage/storage_accesses.h"
#include "llvm/ADT/MapVector.h"
#include "isl/ast.h"

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
UsesOfLoops usesOf(polly::Scop &S) {
  UsesOfLoops Uses;
  for (polly::ScopStmt &Stmt : S)
    for (const polly::MemoryAccess *Access : Stmt) {
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

/// Returns the outermost loop of all statements below \p For if its iterations are those of \p For;
/// null otherwise.
const Loop *loopOf(const isl::ast_node &For) {
  const Loop *Common = nullptr;
  for (isl::map Map : polly::IslAstInfo::getBuild(For).get_schedule().get_map_list()) {
    const auto *Stmt =
        static_cast<const polly::ScopStmt *>(Map.get_tuple_id(isl::dim::in).get_user());
    const Loop *const L = loopAt(*Stmt, 0);
    if ((Common && L != Common) || !areEqual(Map, 0, 0))
      return nullptr;
    Common = L;
  }
  return Common;
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

void markParallel(polly::IslAstInfo &Ast, const LoopSet &Loops) {
  const auto Mark = [](isl_ast_node *Node, void *User) {
    const isl::ast_node For = isl::manage_copy(Node);
    if (!For.isa<isl::ast_node_for>())
      return isl_bool_true;
    const Loop *const L = loopOf(For);
    if (L && static_cast<const LoopSet *>(User)->contains(L)) {
      auto *const Payload = polly::IslAstInfo::getNodePayload(For);
      Payload->IsParallel = Payload->IsOutermostParallel = true;
    }
    return isl_bool_false; // not the loops inside
  };
  isl_ast_node_foreach_descendant_top_down(Ast.getAst().get(), Mark, const_cast<LoopSet *>(&Loops));
}

} // namespace specrt
