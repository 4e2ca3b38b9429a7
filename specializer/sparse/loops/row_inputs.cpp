//===- specializer/sparse/loops/row_inputs.cpp - passes inputs to code of a row loop -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/loops/row_inputs.h"
#include "specializer/loops/loop_copy.h"

using namespace llvm;

namespace specrt {

Value *packInputs(IRBuilderBase &B, const RowLoop &Rows, function_ref<Value *(Value *)> As) {
  Function &F = *B.GetInsertBlock()->getParent();
  Type *Word = B.getInt64Ty();
  BasicBlock &Entry = F.getEntryBlock();
  auto *Room = ArrayType::get(Word, Rows.Inputs.size() + 1);
  Value *Words = IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(Room, nullptr, "rows.inputs");
  for (auto [I, Input] : enumerate(Rows.Inputs)) {
    Value *V = As(Input), *Bits = V;
    if (V->getType()->isPointerTy())
      Bits = B.CreatePtrToInt(V, Word);
    else if (!V->getType()->isIntegerTy())
      Bits = B.CreateBitCast(V, B.getIntNTy(unsigned(V->getType()->getPrimitiveSizeInBits())));
    B.CreateStore(B.CreateZExt(B.CreateFreeze(Bits), Word),
                  B.CreateConstInBoundsGEP1_64(Word, Words, I));
  }
  return Words;
}

Value *unpackInput(IRBuilderBase &B, const RowLoop &Rows, Value *Words, unsigned I) {
  Type *T = Rows.Inputs[I]->getType();
  Value *Bits =
      B.CreateLoad(B.getInt64Ty(), B.CreateConstInBoundsGEP1_64(B.getInt64Ty(), Words, I));
  if (T->isPointerTy())
    return B.CreateIntToPtr(Bits, T);
  if (T->isIntegerTy())
    return B.CreateTrunc(Bits, T);
  return B.CreateBitCast(B.CreateTrunc(Bits, B.getIntNTy(unsigned(T->getPrimitiveSizeInBits()))),
                         T);
}

Function *createWithInputs(const RowLoop &Rows, ArrayRef<Type *> More, const Twine &Suffix) {
  Function &F = *Rows.L->getHeader()->getParent();
  SmallVector<Type *> Types;
  for (Value *Input : Rows.Inputs)
    Types.push_back(Input->getType());
  append_range(Types, More);
  Function *New = createLike(F, Type::getVoidTy(F.getContext()), Types, F.getName() + Suffix);
  New->addFnAttr(Attribute::NoInline);
  for (auto [I, Input] : enumerate(Rows.Inputs))
    if (any_of(Rows.Bases, [&](const RowBase &Base) { return Base.Pointer == Input; }))
      New->addParamAttr(unsigned(I), Attribute::NoAlias);
  return New;
}

void mapInputs(const RowLoop &Rows, Function &Into, ValueToValueMapTy &Map) {
  for (auto [I, Input] : enumerate(Rows.Inputs))
    Map[Input] = Into.getArg(unsigned(I));
}

Value *loadField(IRBuilderBase &B, Type *T, Value *Of, size_t Offset) {
  return B.CreateLoad(T, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Of, Offset));
}

Value *narrowed(IRBuilderBase &B, Value *Word, Type *To) {
  return To->isPointerTy() ? B.CreateIntToPtr(Word, To) : B.CreateTrunc(Word, To);
}

Value *counterInRow(IRBuilderBase &B, const RowCounter &C, Value *Start, Value *Row) {
  Type *T = C.Phi->getType();
  if (T->isPointerTy())
    return B.CreateGEP(B.getInt8Ty(), Start,
                       B.CreateMul(Row, B.getInt64(uint64_t(C.Step.getSExtValue()))));
  // A counter of the loop does not exceed its width before the loop ends.
  Value *By = ConstantInt::get(T, C.Step.sextOrTrunc(T->getIntegerBitWidth()));
  return B.CreateAdd(Start, B.CreateMul(B.CreateZExtOrTrunc(Row, T), By));
}

} // namespace specrt
