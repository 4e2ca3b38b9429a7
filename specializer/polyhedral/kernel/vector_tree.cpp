//===- specializer/polyhedral/kernel/vector_tree.cpp - scalar expressions as vectors ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/kernel/vector_tree.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace specrt {

Value *VectorTree::evaluate(Value *Root, Leaves leaf) {
  if (Value *Known = Done.lookup(Root))
    return Known;
  Value *Result = leaf(Root);
  if (!Result && isa<Constant>(Root))
    Result = Lanes == 1 ? Root : B.CreateVectorSplat(Lanes, Root);
  if (!Result) {
    auto &I = *cast<Instruction>(Root);
    SmallVector<Value *, 3> Operands;
    auto *Call = dyn_cast<CallInst>(&I);
    for (Value *Operand : Call ? Call->args() : make_range(I.op_begin(), I.op_end()))
      Operands.push_back(evaluate(Operand, leaf));
    Result = repeat(I, Operands);
  }
  return Done[Root] = Result;
}

Value *VectorTree::repeat(Instruction &I, ArrayRef<Value *> Operands) {
  Type *T = Lanes == 1 ? I.getType() : FixedVectorType::get(I.getType(), Lanes);
  Value *Result;
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    Result = B.CreateIntrinsic(Call->getIntrinsicID(), {T}, Operands);
  else if (auto *Compare = dyn_cast<CmpInst>(&I))
    Result = B.CreateCmp(Compare->getPredicate(), Operands[0], Operands[1]);
  else if (isa<SelectInst>(I))
    Result = B.CreateSelect(Operands[0], Operands[1], Operands[2]);
  else if (isa<UnaryOperator>(I))
    Result = B.CreateFNeg(Operands[0]);
  else
    Result = B.CreateBinOp(cast<BinaryOperator>(I).getOpcode(), Operands[0], Operands[1]);
  if (auto *New = dyn_cast<Instruction>(Result)) {
    New->copyIRFlags(&I);
  }
  return Result;
}

void transpose(IRBuilderBase &B, MutableArrayRef<Value *> Rows) {
  unsigned N = unsigned(Rows.size());
  // Swaps blocks of Half x Half elements, the largest first.
  for (unsigned Half = N / 2; Half > 0; Half /= 2)
    for (unsigned Row = 0; Row < N; ++Row) {
      if (Row & Half)
        continue;
      SmallVector<int, 16> Low, High;
      for (unsigned L = 0; L < N; ++L) {
        bool FromSecond = L & Half;
        Low.push_back(int(FromSecond ? N + L - Half : L));
        High.push_back(int(FromSecond ? N + L : L + Half));
      }
      Value *First = Rows[Row], *Second = Rows[Row + Half];
      Rows[Row] = B.CreateShuffleVector(First, Second, Low);
      Rows[Row + Half] = B.CreateShuffleVector(First, Second, High);
    }
}

} // namespace specrt
