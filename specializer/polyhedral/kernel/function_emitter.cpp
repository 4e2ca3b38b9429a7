//===- specializer/polyhedral/kernel/function_emitter.cpp - loops and conditions in IR -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/kernel/function_emitter.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace specrt {
namespace {

/// Marks a loop that LLVM shall not transform.
MDNode *keptAsItIs(LLVMContext &Context) {
  MDNode *Property = MDNode::get(Context, MDString::get(Context, "llvm.loop.disable_nonforced"));
  MDNode *Loop = MDNode::getDistinct(Context, {nullptr, Property});
  Loop->replaceOperandWith(0, Loop);
  return Loop;
}

} // namespace

void FunctionEmitter::loop(Value *Begin, Value *End, Value *Step, const Twine &Name,
                           function_ref<void(Value *)> Body) {
  BasicBlock *Before = B.GetInsertBlock();
  auto *Header = BasicBlock::Create(B.getContext(), Name, F);
  auto *Inside = BasicBlock::Create(B.getContext(), Name + ".body", F);
  auto *After = BasicBlock::Create(B.getContext(), Name + ".end", F);
  B.CreateBr(Header);
  B.SetInsertPoint(Header);
  PHINode *V = B.CreatePHI(B.getInt64Ty(), 2);
  V->addIncoming(Begin, Before);
  B.CreateCondBr(B.CreateICmpSLT(V, End), Inside, After);
  B.SetInsertPoint(Inside);
  Body(V);
  V->addIncoming(B.CreateNSWAdd(V, Step), B.GetInsertBlock());
  BranchInst *Latch = B.CreateBr(Header);
  if (KeepsLoops)
    Latch->setMetadata(LLVMContext::MD_loop, keptAsItIs(B.getContext()));
  B.SetInsertPoint(After);
}

void FunctionEmitter::reduce(Value *Begin, Value *End, int64_t Step,
                             MutableArrayRef<Value *> Carried, const Twine &Name,
                             function_ref<void(Value *)> Body) {
  BasicBlock *Before = B.GetInsertBlock();
  auto *Inside = BasicBlock::Create(B.getContext(), Name, F);
  auto *After = BasicBlock::Create(B.getContext(), Name + ".end", F);
  B.CreateBr(Inside);
  B.SetInsertPoint(Inside);
  PHINode *V = B.CreatePHI(B.getInt64Ty(), 2);
  V->addIncoming(Begin, Before);
  SmallVector<PHINode *, 32> Phis;
  for (Value *&Value : Carried) {
    Phis.push_back(B.CreatePHI(Value->getType(), 2));
    Phis.back()->addIncoming(Value, Before);
    Value = Phis.back();
  }
  Body(V);
  BasicBlock *Last = B.GetInsertBlock();
  for (auto [Phi, Value] : zip(Phis, Carried))
    Phi->addIncoming(Value, Last);
  Value *Next = B.CreateNSWAdd(V, number(Step));
  V->addIncoming(Next, Last);
  B.CreateCondBr(B.CreateICmpSLT(Next, End), Inside, After);
  B.SetInsertPoint(After);
}

void FunctionEmitter::when(Value *Condition, function_ref<void()> Then, function_ref<void()> Else) {
  auto *Yes = BasicBlock::Create(B.getContext(), "then", F);
  auto *No = BasicBlock::Create(B.getContext(), "else", F);
  auto *After = BasicBlock::Create(B.getContext(), "after", F);
  B.CreateCondBr(Condition, Yes, No);
  B.SetInsertPoint(Yes);
  Then();
  B.CreateBr(After);
  B.SetInsertPoint(No);
  if (Else)
    Else();
  B.CreateBr(After);
  B.SetInsertPoint(After);
}

} // namespace specrt
