//===- specializer/polyhedral/model/unordered_calls.cpp - calls that may change places ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/model/unordered_calls.h"
#include "polly/ScopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {
namespace {

/// An attribute, not metadata: passes that do not know it keep it, and keep such calls apart from
/// others.
constexpr StringLiteral Mark = "specrt-unordered";

void setEffects(Function &F, MemoryEffects Effects) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && Call->hasFnAttr(Mark) && (!Call->use_empty() || !Effects.doesNotAccessMemory()))
      Call->setMemoryEffects(Effects);
}

bool isCopied(const polly::Scop &S, const Instruction &I) {
  return any_of(S.getStmtListFor(const_cast<BasicBlock *>(I.getParent())),
                [&](const polly::ScopStmt *Stmt) {
                  // Beyond the entry of a region all is copied.
                  if (Stmt->isRegionStmt() && I.getParent() != Stmt->getEntryBlock())
                    return true;
                  return is_contained(Stmt->getInstructions(), &I);
                });
}

} // namespace

void markUnordered(CallInst &Call) {
  Call.addFnAttr(Attribute::get(Call.getContext(), Mark));
  Call.setDoesNotThrow();
  Call.addFnAttr(Attribute::WillReturn);
  // It stays a call of the program's own function.
  Call.addFnAttr(Attribute::NoBuiltin);
}

bool isUnordered(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->hasFnAttr(Mark);
}

UnorderedCalls::UnorderedCalls(Function &F) : M(*F.getParent()) {
  setEffects(F, MemoryEffects::none());
}

UnorderedCalls::~UnorderedCalls() {
  // Parallel loops have become functions.
  for (Function &F : M)
    setEffects(F, MemoryEffects::errnoMemOnly(ModRefInfo::Mod));
}

bool keepsUnorderedCalls(const polly::Scop &S) {
  return all_of(S.getRegion().blocks(), [&](const BasicBlock *Block) {
    return all_of(*Block, [&](const Instruction &I) { return !isUnordered(I) || isCopied(S, I); });
  });
}

} // namespace specrt
