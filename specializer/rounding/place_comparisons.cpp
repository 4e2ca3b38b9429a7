//===- specializer/rounding/place_comparisons.cpp - shared range comparisons ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/rounding/place_comparisons.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {
namespace {

/// The name of the function, and of the metadata of implied comparisons.
constexpr StringLiteral Name = "specrt.places.apart";

Function &declareComparison(Module &M) {
  LLVMContext &Context = M.getContext();
  Type *Address = PointerType::getUnqual(Context);
  auto *T = FunctionType::get(Type::getInt1Ty(Context), {Address, Address, Address, Address},
                              /*isVarArg=*/false);
  auto *F = cast<Function>(M.getOrInsertFunction(Name, T).getCallee());
  F->setDoesNotAccessMemory();
  F->setDoesNotThrow();
  F->setWillReturn();
  F->addFnAttr(Attribute::NoCallback);
  F->addFnAttr(Attribute::NoFree);
  F->addFnAttr(Attribute::NoSync);
  // The result depends on the addresses. Nothing is accessed through them.
  for (unsigned I = 0; I < T->getNumParams(); ++I)
    F->addParamAttr(
        I, Attribute::getWithCaptureInfo(Context, CaptureInfo(CaptureComponents::Address)));
  return *F;
}

} // namespace

Value *createComparison(IRBuilderBase &B, const ByteRange &X, const ByteRange &Y) {
  return B.CreateCall(&declareComparison(*B.GetInsertBlock()->getModule()),
                      {X.Begin, X.End, Y.Begin, Y.End});
}

SmallVector<CallInst *> comparisonsIn(Function &F) {
  SmallVector<CallInst *> Found;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I);
        Call && Call->getCalledFunction() && Call->getCalledFunction()->getName() == Name)
      Found.push_back(Call);
  return Found;
}

std::array<ByteRange, 2> rangesOf(const CallInst &Comparison) {
  const auto At = [&](unsigned Number) { return Comparison.getArgOperand(Number); };
  return {ByteRange{At(0), At(1)}, ByteRange{At(2), At(3)}};
}

void markImplied(CallInst &Comparison) {
  Comparison.setMetadata(Name, MDNode::get(Comparison.getContext(), {}));
}

unsigned expandComparisons(Module &M) {
  unsigned Number = 0;
  for (Function &F : M)
    for (CallInst *Comparison : comparisonsIn(F)) {
      IRBuilder<> B(Comparison);
      const auto [X, Y] = rangesOf(*Comparison);
      Value *Result = Comparison->hasMetadata(Name) ? B.getTrue()
                                                    : B.CreateOr(B.CreateICmpULE(X.End, Y.Begin),
                                                                 B.CreateICmpULE(Y.End, X.Begin));
      Comparison->replaceAllUsesWith(Result);
      Comparison->eraseFromParent();
      ++Number;
    }
  if (Function *Declared = M.getFunction(Name))
    Declared->eraseFromParent();
  return Number;
}

} // namespace specrt
