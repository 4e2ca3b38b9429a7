//===- specializer/polyhedral/contraction/commuting_updates.cpp - updates whose order is free -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/contraction/commuting_updates.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "specializer/polyhedral/schedule/delinearisation.h"
#include "llvm/IR/IntrinsicInst.h"
#include "isl/ctx.h"
#include <map>
#include <utility>

using namespace llvm;

namespace specrt {
namespace {

/// Returns the number of the operation with which \p I updates \p Old, 0 if it is none.
unsigned operationOf(const Instruction &I, const Value &Old) {
  constexpr unsigned FirstIntrinsic = 1000; // behind all opcodes
  unsigned Opcode = I.getOpcode();
  switch (Opcode) {
  case Instruction::Sub: // X - a - b = X + (-a) + (-b)
    return I.getOperand(0) == &Old ? unsigned(Instruction::Add) : 0;
  case Instruction::Add:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return Opcode;
  case Instruction::Call:
    break;
  default:
    return 0;
  }
  switch (Intrinsic::ID Id = cast<CallInst>(I).getIntrinsicID()) {
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
    return FirstIntrinsic + Id;
  default:
    return 0;
  }
}

/// Recognises one statement as an update, starting from one of its loads.
class Recognizer {
public:
  Recognizer(polly::ScopStmt &Stmt, polly::MemoryAccess &Read) : Stmt(Stmt), Read(Read) {}

  bool run() { return isElement() && findWrites() && follow() && isSelfContained(); }

  ElementUpdate Result;

private:
  /// Returns whether the access is one whole integer in every iteration.
  bool isElement() {
    auto *Load = dyn_cast_or_null<LoadInst>(Read.getAccessInstruction());
    if (!Read.isOriginalArrayKind() || !Read.isLatestArrayKind() || !Read.isAffine() || !Load ||
        !Load->getType()->isIntegerTy() ||
        Load->getType() != Read.getLatestScopArrayInfo()->getElementType())
      return false;
    Result.Stmt = &Stmt;
    Result.Element = Read.getLatestAccessRelation().intersect_domain(Stmt.getDomain());
    Result.Accesses.push_back(&Read);
    Result.Steps.push_back(Load);
    return Result.Element.is_single_valued().is_true() &&
           Stmt.getDomain().is_subset(Result.Element.domain()).is_true();
  }

  bool findWrites() {
    for (polly::MemoryAccess *Access : Stmt)
      if (Access->isMustWrite() && Access->isOriginalArrayKind() && Access->isLatestArrayKind() &&
          Access->getLatestAccessRelation()
              .intersect_domain(Stmt.getDomain())
              .is_equal(Result.Element)
              .is_true())
        Result.Accesses.push_back(Access);
    return Result.Accesses.size() > 1;
  }

  bool isOwn(const polly::MemoryAccess *Access) const {
    return is_contained(Result.Accesses, Access);
  }

  /// Returns whether \p U is a store of the update, or one that the model has dropped.
  bool isOwnStore(const User *U) const {
    auto *Store = dyn_cast<StoreInst>(U);
    if (!Store)
      return false;
    const polly::MemoryAccess *Access = Stmt.getArrayAccessOrNULLFor(Store);
    return !Access || isOwn(Access);
  }

  /// Follows the only use that is not a store, from the load on.
  bool follow() {
    for (Instruction *Last = Result.Steps.front();; Last = Result.Steps.back()) {
      Instruction *Next = nullptr;
      for (User *U : Last->users()) {
        if (isOwnStore(U))
          continue;
        auto *I = dyn_cast<Instruction>(U);
        if (!I || Next || !is_contained(Stmt.getInstructions(), I) || !addOperation(*I, *Last))
          return false;
        Next = I;
      }
      if (!Next)
        return Result.Steps.size() > 1;
      Result.Steps.push_back(Next);
    }
  }

  bool addOperation(const Instruction &I, const Value &Old) {
    unsigned Operation = operationOf(I, Old);
    if (Operation == 0 || (Result.Operation != 0 && Result.Operation != Operation))
      return false;
    Result.Operation = Operation;
    return count(I.operand_values(), &Old) == 1;
  }

  /// Returns whether the update's writes store no other values, the last one stores the result, and
  /// no other access writes the element.
  bool isSelfContained() const {
    const Instruction *LastStore = nullptr;
    Value *LastStored = nullptr;
    for (polly::MemoryAccess *Access : Stmt) {
      if (!Access->isWrite())
        continue;
      if (!isOwn(Access)) {
        if (!Access->isOriginalArrayKind() &&
            (Access->isOriginalAnyPHIKind() ? passesStep(*Access)
                                            : isStep(Access->getAccessValue())))
          return false;
        continue;
      }
      Value *Stored = Access->tryGetValueStored();
      if (!isStep(Stored) || Stored == Result.Steps.front())
        return false;
      if (!LastStore || LastStore->comesBefore(Access->getAccessInstruction())) {
        LastStore = Access->getAccessInstruction();
        LastStored = Stored;
      }
    }
    return LastStored == Result.Steps.back();
  }

  bool isStep(const Value *V) const { return is_contained(Result.Steps, V); }

  bool passesStep(const polly::MemoryAccess &Access) const {
    return any_of(Access.getIncoming(), [&](const auto &Way) { return isStep(Way.second); });
  }

  polly::ScopStmt &Stmt;
  polly::MemoryAccess &Read;
};

/// Accesses, grouped by what commutes with them.
struct Accesses {
  isl::union_map Reads, Writes; ///< accesses that are not updates
  /// Updates by array and operation.
  std::map<std::pair<const polly::ScopArrayInfo *, unsigned>, isl::union_map> Updates;

  isl::union_map updatesBeside(const isl::union_map *Class) const {
    isl::union_map All = isl::union_map::empty(Reads.ctx());
    for (const auto &Entry : Updates)
      if (&Entry.second != Class)
        All = All.unite(Entry.second);
    return All;
  }
};

Accesses collectAccesses(polly::Scop &S, ArrayRef<ElementUpdate> Updates) {
  DenseMap<const polly::MemoryAccess *, isl::map> Relations = delinearisedAccesses(S);
  Accesses All;
  All.Reads = All.Writes = isl::union_map::empty(S.getIslCtx());
  SmallPtrSet<const polly::MemoryAccess *, 16> Own;
  for (const ElementUpdate &U : Updates) {
    Own.insert_range(U.Accesses);
    const polly::ScopArrayInfo *Array = U.Accesses.front()->getLatestScopArrayInfo();
    isl::union_map Element(Relations.lookup(U.Accesses.front()));
    auto [Class, IsNew] = All.Updates.try_emplace({Array, U.Operation}, Element);
    if (!IsNew)
      Class->second = Class->second.unite(Element);
  }
  for (polly::ScopStmt &Stmt : S)
    for (polly::MemoryAccess *Access : Stmt) {
      if (Own.contains(Access))
        continue;
      isl::union_map &Kind = Access->isRead() ? All.Reads : All.Writes;
      Kind = Kind.unite(isl::union_map(Relations.lookup(Access)));
    }
  return All;
}

/// Returns { first -> second } of all pairs of accesses to the same element, in the order of the
/// source.
isl::union_map pairs(polly::Scop &S, const isl::union_map &First, const isl::union_map &Second) {
  return isl::union_access_info(Second)
      .set_may_source(First)
      .set_schedule(S.getScheduleTree())
      .compute_flow()
      .get_may_dependence();
}

/// Returns { one -> other } of all iterations that update the same element.
isl::union_map sameElement(const isl::union_map &Updates) {
  return Updates.apply_range(Updates.reverse()).subtract(Updates.domain().identity());
}

} // namespace

std::optional<ElementUpdate> recognizeUpdate(polly::ScopStmt &Stmt) {
  if (!Stmt.isBlockStmt())
    return std::nullopt;
  for (polly::MemoryAccess *Access : Stmt) {
    if (!Access->isRead())
      continue;
    Recognizer Own(Stmt, *Access);
    if (Own.run())
      return std::move(Own.Result);
  }
  return std::nullopt;
}

std::optional<RelaxedOrder> relaxUpdates(polly::Scop &S, unsigned long MaxOperations) {
  isl_ctx *Ctx = S.getIslCtx().get();
  isl_ctx_reset_error(Ctx);
  polly::IslMaxOperationsGuard Limit(Ctx, MaxOperations);
  RelaxedOrder Result;
  for (polly::ScopStmt &Stmt : S)
    if (std::optional<ElementUpdate> Update = recognizeUpdate(Stmt))
      Result.Updates.push_back(std::move(*Update));
  if (Result.Updates.empty())
    return std::nullopt;
  Accesses All = collectAccesses(S, Result.Updates);
  Result.Conflicts = isl::union_map::empty(S.getIslCtx());
  for (const auto &[Key, Class] : All.Updates)
    Result.Conflicts = Result.Conflicts.unite(sameElement(Class));
  if (!Result.Conflicts.is_empty().is_false())
    return std::nullopt;
  isl::union_map Updates = All.updatesBeside(nullptr);
  Result.Validity = pairs(S, All.Writes.unite(Updates), All.Reads)
                        .unite(pairs(S, All.Reads.unite(All.Writes).unite(Updates), All.Writes));
  for (const auto &[Key, Class] : All.Updates)
    Result.Validity = Result.Validity.unite(
        pairs(S, All.Reads.unite(All.Writes).unite(All.updatesBeside(&Class)), Class));
  Result.Validity = Result.Validity.coalesce();
  Result.Conflicts = Result.Conflicts.unite(Result.Validity);
  if (Result.Conflicts.is_null() || isl_ctx_last_error(Ctx) != isl_error_none)
    return std::nullopt;
  return Result;
}

void dropPromises(ArrayRef<ElementUpdate> Updates) {
  for (const ElementUpdate &U : Updates)
    for (Instruction *I : U.Steps) {
      I->dropPoisonGeneratingAnnotations();
      I->dropUBImplyingAttrsAndMetadata();
    }
}

} // namespace specrt
