//===- specializer/sparse/forms/memory_loops.cpp - fills and copies as the loops they are ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/forms/memory_loops.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace specrt {
namespace {

/// As elements of how many bytes what \p Call writes can be written; 0: it stays a call.
uint64_t elementBytes(const MemIntrinsic &Call, ScalarEvolution &SE) {
  if (Call.isVolatile() || Call.getDestAddressSpace() != 0)
    return 0;
  if (const auto *Set = dyn_cast<MemSetInst>(&Call)) {
    const auto *Byte = dyn_cast<ConstantInt>(Set->getValue());
    if (!Byte || !Byte->isZero())
      return 0;
  } else if (const auto *Copy = dyn_cast<MemCpyInst>(&Call);
             !Copy || Copy->getSourceAddressSpace() != 0) {
    return 0;
  }
  constexpr uint32_t Double = 3, Float = 2;
  const uint32_t Zeros = SE.getMinTrailingZeros(SE.getSCEV(Call.getLength()));
  return Zeros >= Double ? 8 : Zeros >= Float ? 4 : 0;
}

void expand(MemIntrinsic &Call, uint64_t Bytes) {
  IRBuilder<> B(&Call);
  Type *Word = B.getInt64Ty(), *Element = B.getIntNTy(unsigned(8 * Bytes));
  Value *Length = B.CreateZExtOrTrunc(Call.getLength(), Word);
  Value *Elements = B.CreateUDiv(Length, B.getInt64(Bytes), "", /*isExact=*/true);
  Instruction *Begin =
      SplitBlockAndInsertIfThen(B.CreateIsNotNull(Elements), Call.getIterator(), false);
  const auto [Body, I] = SplitBlockAndInsertSimpleForLoop(Elements, Begin->getIterator());
  B.SetInsertPoint(Body);
  const Align Of = std::min(Align(Bytes), Call.getDestAlign().valueOrOne());
  Value *V = Constant::getNullValue(Element);
  if (const auto *Copy = dyn_cast<MemCpyInst>(&Call))
    V = B.CreateAlignedLoad(Element, B.CreateGEP(Element, Copy->getRawSource(), I),
                            std::min(Align(Bytes), Copy->getSourceAlign().valueOrOne()));
  B.CreateAlignedStore(V, B.CreateGEP(Element, Call.getRawDest(), I), Of);
  Call.eraseFromParent();
}

} // namespace

void expandMemoryCalls(Function &F, FunctionAnalysisManager &FAM) {
  const LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SmallVector<std::pair<MemIntrinsic *, uint64_t>> Found;
  for (const Loop *L : LI)
    for (BasicBlock *BB : L->blocks())
      for (Instruction &I : *BB)
        if (auto *Call = dyn_cast<MemIntrinsic>(&I))
          if (const uint64_t Bytes = elementBytes(*Call, SE))
            Found.emplace_back(Call, Bytes);
  if (Found.empty())
    return;
  for (const auto &[Call, Bytes] : Found)
    expand(*Call, Bytes);
  FAM.invalidate(F, PreservedAnalyses::none());
}

} // namespace specrt
