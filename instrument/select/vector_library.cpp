//===- instrument/select/vector_library.cpp - calls that -fveclib replaces ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/select/vector_library.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
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

} // namespace

Refusal refuseVectorFunctions(const Loop &L, const TargetLibraryInfo &TLI) {
  SmallSetVector<const Function *, 8> Callees;
  auto Look = [&](const Instruction &I) -> Refusal {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee)
      return {};
    if (hasVectorForm(*Call, TLI))
      return {
          ("it calls " + Callee->getName() + ", which has a vector form with other results").str(),
          &I};
    Callees.insert(Callee);
    return {};
  };
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      if (Refusal Why = Look(I))
        return Why;
  for (size_t Number = 0; Number < Callees.size(); ++Number)
    for (const Instruction &I : instructions(*Callees[Number]))
      if (Refusal Why = Look(I))
        return Why;
  return {};
}

} // namespace specrt
