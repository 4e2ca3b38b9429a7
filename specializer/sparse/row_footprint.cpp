//===- specializer/sparse/row_footprint.cpp - bytes that blocks of rows access ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/row_footprint.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/sparse/loops/row_inputs.h"

using namespace llvm;

namespace specrt {
namespace {

class FootprintBuilder {
public:
  explicit FootprintBuilder(const RowLoop &Rows)
      : Rows(Rows), F(*Rows.L->getHeader()->getParent()), Context(F.getContext()),
        Word(Type::getInt64Ty(Context)), Pointer(PointerType::get(Context, 0)) {}

  Function *build();

private:
  void note(const Instruction &I);
  void widen(IRBuilderBase &B, AllocaInst *Array, unsigned Base, Value *To, bool Up);
  void endRow();

  const RowLoop &Rows;
  Function &F;
  LLVMContext &Context;
  Type *const Word;
  PointerType *const Pointer;
  ValueToValueMapTy Map;
  Function *New = nullptr;
  AllocaInst *Low = nullptr, *High = nullptr; ///< of the current block
  AllocaInst *Left = nullptr;                 ///< remaining rows of the block
};

void FootprintBuilder::widen(IRBuilderBase &B, AllocaInst *Array, unsigned Base, Value *To,
                             bool Up) {
  Value *At = B.CreateConstInBoundsGEP1_64(Word, B.CreateLoad(Pointer, Array), Base);
  B.CreateStore(
      B.CreateBinaryIntrinsic(Up ? Intrinsic::umax : Intrinsic::umin, B.CreateLoad(Word, At), To),
      At);
}

void FootprintBuilder::note(const Instruction &I) {
  auto *Copy = cast<Instruction>(Map.lookup(&I));
  const unsigned Base = Rows.BaseOf.lookup(&I);
  if (!(Rows.Bases[Base].Flags & SPECRT_ROWS_DECIDES)) {
    IRBuilder<> B(Copy);
    Value *From = B.CreatePtrToInt(getLoadStorePointerOperand(Copy), Word);
    const uint64_t Bytes = I.getDataLayout().getTypeStoreSize(getLoadStoreType(&I));
    widen(B, Low, Base, From, /*Up=*/false);
    widen(B, High, Base, B.CreateAdd(From, B.getInt64(Bytes)), /*Up=*/true);
  }
  if (isa<StoreInst>(Copy))
    Copy->eraseFromParent();
}

/// Ends a row; after the last row of a block, advances to the ranges of the next one.
void FootprintBuilder::endRow() {
  auto *Latch = cast<BasicBlock>(Map.lookup(Rows.L->getLoopLatch()));
  IRBuilder<> B(Latch->getTerminator());
  Value *Now = B.CreateSub(B.CreateLoad(Word, Left), B.getInt64(1));
  Value *IsOver = B.CreateIsNull(Now);
  B.CreateStore(B.CreateSelect(IsOver, New->getArg(1), Now), Left);
  Value *By = B.CreateSelect(IsOver, B.getInt64(Rows.Bases.size()), B.getInt64(0));
  for (AllocaInst *Array : {Low, High})
    B.CreateStore(B.CreateInBoundsGEP(Word, B.CreateLoad(Pointer, Array), By), Array);
}

Function *FootprintBuilder::build() {
  New = createLike(F, Type::getVoidTy(Context), {Pointer, Word, Pointer, Pointer},
                   F.getName() + ".footprint");
  auto *Entry = BasicBlock::Create(Context, "entry", New);
  auto *Exit = BasicBlock::Create(Context, "exit", New);
  ReturnInst::Create(Context, Exit);
  IRBuilder<> B(Entry);
  for (unsigned I = 0; I < Rows.Inputs.size(); ++I)
    Map[Rows.Inputs[I]] = unpackInput(B, Rows, New->getArg(0), I);
  Left = B.CreateAlloca(Word);
  Low = B.CreateAlloca(Pointer);
  High = B.CreateAlloca(Pointer);
  B.CreateStore(New->getArg(1), Left);
  B.CreateStore(New->getArg(2), Low);
  B.CreateStore(New->getArg(3), High);
  Map[Rows.L->getLoopPreheader()] = Entry;
  Map[Rows.L->getExitBlock()] = Exit;
  copyLoop(*Rows.L, *New, Map);
  B.CreateBr(cast<BasicBlock>(Map.lookup(Rows.L->getHeader())));
  for (const BasicBlock *BB : Rows.L->blocks())
    for (const Instruction &I : *BB)
      if (Rows.BaseOf.contains(&I))
        note(I);
  endRow();
  return New;
}

} // namespace

Function *buildFootprint(const RowLoop &Rows) { return FootprintBuilder(Rows).build(); }

} // namespace specrt
