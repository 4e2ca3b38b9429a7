//===- instrument/select/vector_library.cpp - calls that -fveclib replaces ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/select/vector_library.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace specrt {
namespace {

bool hasVectorForm(const CallBase &Call, const TargetLibraryInfo &TLI) {
  return Call.hasFnAttr(VFABI::MappingsAttrName) ||
         TLI.isFunctionVectorizable(Call.getCalledFunction()->getName());
}

/// Examines \p Code and all visible callees.
Refusal refuseCode(SmallVector<const Instruction *> Code, const TargetLibraryInfo &TLI) {
  SmallPtrSet<const Function *, 8> Callees;
  for (size_t Next = 0; Next < Code.size(); ++Next) {
    const auto *Call = dyn_cast<CallBase>(Code[Next]);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee)
      continue;
    if (hasVectorForm(*Call, TLI))
      return {
          ("it calls " + Callee->getName() + ", which has a vector form with other results").str(),
          Call};
    if (Callees.insert(Callee).second)
      for (const Instruction &I : instructions(*Callee))
        Code.push_back(&I);
  }
  return {};
}

} // namespace

Refusal refuseVectorFunctions(ArrayRef<BasicBlock *> Blocks, const TargetLibraryInfo &TLI) {
  SmallVector<const Instruction *> Code;
  for (const BasicBlock *Block : Blocks)
    for (const Instruction &I : *Block)
      Code.push_back(&I);
  return refuseCode(std::move(Code), TLI);
}

Refusal refuseVectorFunctions(const Function &F, const TargetLibraryInfo &TLI) {
  SmallVector<const Instruction *> Code;
  for (const Instruction &I : instructions(F))
    Code.push_back(&I);
  return refuseCode(std::move(Code), TLI);
}

} // namespace specrt
