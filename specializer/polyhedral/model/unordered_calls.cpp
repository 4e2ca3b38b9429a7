//===- specializer/polyhedral/model/unordered_calls.cpp - calls that may be reordered -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/model/unordered_calls.h"
#include "polly/ScopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {
namespace {

/// An attribute rather than metadata: passes keep unknown attributes, and do not merge such calls
/// with others.
constexpr StringLiteral Mark = "specrt-unordered";
constexpr StringLiteral InOrderMark = "specrt-errno-only";

void mark(CallInst &Call, StringRef With) {
  Call.addFnAttr(Attribute::get(Call.getContext(), With));
  Call.setDoesNotThrow();
  Call.addFnAttr(Attribute::WillReturn);
}

void setEffects(Function &F, MemoryEffects Effects) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && Call->hasFnAttr(Mark) && (!Call->use_empty() || !Effects.doesNotAccessMemory()))
      Call->setMemoryEffects(Effects);
}

bool isCopied(const polly::Scop &S, const Instruction &I) {
  return any_of(S.getStmtListFor(const_cast<BasicBlock *>(I.getParent())),
                [&](const polly::ScopStmt *Stmt) {
                  // Beyond its entry block, a region statement is copied as a whole.
                  if (Stmt->isRegionStmt() && I.getParent() != Stmt->getEntryBlock())
                    return true;
                  return is_contained(Stmt->getInstructions(), &I);
                });
}

} // namespace

void markUnordered(CallInst &Call) {
  mark(Call, Mark);
  // Keeps it a call of the program's own function.
  Call.addFnAttr(Attribute::NoBuiltin);
}

bool isUnordered(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->hasFnAttr(Mark);
}

void markErrnoOnly(CallInst &Call) { mark(Call, InOrderMark); }

bool isErrnoOnly(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->hasFnAttr(InOrderMark);
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
