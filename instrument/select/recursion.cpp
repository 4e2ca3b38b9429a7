//===- instrument/select/recursion.cpp - loops that call their own function ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/select/recursion.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {

/// Returns whether \p F belongs to the C library or to the compiler, whose functions call nothing
/// of the program that was not passed to them. Their names are known or reserved; mangled C++ names
/// only have the form of reserved ones.
static bool isLibraryFunction(const Function &F, const TargetLibraryInfo &TLI) {
  LibFunc Known;
  return F.isIntrinsic() || TLI.getLibFunc(F, Known) || F.getName().starts_with("__");
}

void Recursion::add(Callees &To, const CallBase &Call, const TargetLibraryInfo &TLI) {
  const Function *Callee = Call.getCalledFunction();
  if (Callee && !Callee->isDeclaration())
    To.Known.insert(Callee);
  // Unknown callees, and those that may be linked in place of a visible definition. Calls that do
  // not return end the program and do not count.
  bool IsOther = !Callee || Callee->isDeclaration() || Callee->isInterposable();
  if (IsOther && !Call.isInlineAsm() && !Call.doesNotReturn() &&
      !Call.hasFnAttr(Attribute::NoCallback))
    To.HasUnknown |= !Callee || !isLibraryFunction(*Callee, TLI);
}

Recursion::Recursion(const Module &M, FunctionAnalysisManager &FAM) : FAM(FAM) {
  for (const Function &F : M) {
    if (F.isDeclaration())
      continue;
    const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(const_cast<Function &>(F));
    Callees &Called = Graph[&F];
    for (const Instruction &I : instructions(F))
      if (const auto *Call = dyn_cast<CallBase>(&I))
        add(Called, *Call, TLI);
  }
}

bool Recursion::reaches(const Callees &From, const Function &F) const {
  bool HasUnknown = From.HasUnknown;
  SmallSetVector<const Function *, 16> Reached(From.Known.begin(), From.Known.end());
  for (size_t I = 0; I < Reached.size() && !HasUnknown; ++I) {
    if (Reached[I] == &F)
      return true;
    const Callees &Next = Graph.find(Reached[I])->second;
    HasUnknown |= Next.HasUnknown;
    Reached.insert_range(Next.Known);
  }
  return HasUnknown;
}

const CallBase *Recursion::findCall(ArrayRef<BasicBlock *> Blocks,
                                    ArrayRef<CallBase *> Distant) const {
  if (Blocks.empty())
    return nullptr;
  Function &F = *Blocks.front()->getParent();
  if (F.doesNotRecurse())
    return nullptr;
  const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
  for (const BasicBlock *Block : Blocks)
    for (const Instruction &I : *Block)
      if (const auto *Call = dyn_cast<CallBase>(&I); Call && !is_contained(Distant, Call)) {
        Callees Called;
        add(Called, *Call, TLI);
        if (reaches(Called, F))
          return Call;
      }
  return nullptr;
}

} // namespace specrt
