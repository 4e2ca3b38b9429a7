//===- specializer/polyhedral/storage/storage_accesses.cpp - accesses to one array ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/storage/storage_accesses.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "llvm/IR/DataLayout.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns whether every iteration of the statement makes the access.
bool isTotal(const polly::MemoryAccess &Access) {
  isl::set Places = Access.getLatestAccessRelation().domain();
  return Access.getStatement()->getDomain().is_subset(Places).is_true();
}

} // namespace

bool StorageAccesses::collect(When Made) {
  const DataLayout &Layout = S.getFunction().getDataLayout();
  Reads = Writes = isl::union_map::empty(S.getIslCtx());
  for (polly::ScopStmt &Stmt : S)
    for (polly::MemoryAccess *Access : Stmt) {
      if (Access->getLatestScopArrayInfo() != &Array)
        continue;
      if (!Access->isAffine() || Access->isMayWrite() || Access->isOriginalExitPHIKind() ||
          (Made == When::Always && !isTotal(*Access)))
        return false;
      if (Access->isOriginalValueKind())
        if (auto *Value = dyn_cast_or_null<Instruction>(Access->getAccessValue()))
          if (!S.contains(Value) || S.isEscaping(Value))
            return false;
      isl::union_map Relation(Access->getLatestAccessRelation().intersect_domain(Stmt.getDomain()));
      if (!Relation.is_single_valued().is_true() ||
          Layout.getTypeAllocSize(Access->getElementType()) != uint64_t(Array.getElemSizeInBytes()))
        return false;
      (Access->isRead() ? Reads : Writes) = (Access->isRead() ? Reads : Writes).unite(Relation);
      Accesses.push_back(Access);
    }
  return Accesses.size() > 1 && Reads.is_empty().is_false() && Writes.is_empty().is_false();
}

std::optional<isl::union_map> StorageAccesses::values() const {
  isl::union_flow Flow = isl::union_access_info(Reads)
                             .set_must_source(Writes)
                             .set_schedule_map(S.getSchedule())
                             .compute_flow();
  if (!Flow.get_must_no_source().is_empty().is_true())
    return std::nullopt;
  return Flow.get_must_dependence();
}

isl::union_map StorageAccesses::lastWrites() const {
  const isl::union_map Schedule = S.getSchedule();
  return Writes.reverse().apply_range(Schedule).lexmax().apply_range(Schedule.reverse());
}

void RedirectedAccesses::redirect(polly::MemoryAccess &Access, const isl::map &Places) {
  All.push_back({&Access, Access.getLatestAccessRelation()});
  Access.setNewAccessRelation(Places);
}

void RedirectedAccesses::restore() {
  for (const auto &[Access, Original] : All)
    Access->setNewAccessRelation(Original);
  All.clear();
}

void forEachArray(polly::Scop &S, unsigned long MaxOperations,
                  function_ref<void(const polly::ScopArrayInfo &)> Work) {
  isl_ctx *const Ctx = S.getIslCtx().get();
  const SmallVector<polly::ScopArrayInfo *, 8> Arrays(S.array_begin(), S.array_end());
  for (const polly::ScopArrayInfo *Array : Arrays) {
    if (Array->getNumberOfDimensions() == 0 || !Array->getBasePtr() || !Array->isArrayKind())
      continue;
    polly::IslMaxOperationsGuard Limit(Ctx, MaxOperations);
    Work(*Array);
  }
  isl_ctx_reset_error(Ctx);
}

polly::ScopStmt *addCopyStatement(polly::Scop &S, const isl::map &Source, const isl::map &Target) {
  const auto Anonymous = [](const isl::map &Map) {
    return isl::manage(isl_map_reset_tuple_id(Map.copy(), isl_dim_in));
  };
  return S.addScopStmt(Anonymous(Source), Anonymous(Target),
                       isl::manage(isl_set_reset_tuple_id(Source.domain().release())));
}

const Loop *loopAt(const polly::ScopStmt &Stmt, unsigned Dim) {
  const bool HasLoop = !Stmt.isCopyStmt() && Dim < count(Stmt.getDomain().tuple_dim());
  return HasLoop ? Stmt.getLoopForDimension(Dim) : nullptr;
}

} // namespace specrt
