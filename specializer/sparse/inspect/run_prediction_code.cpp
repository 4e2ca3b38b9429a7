//===- specializer/sparse/inspect/run_prediction_code.cpp - emits run prediction ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/inspect/run_prediction_code.h"
#include "specializer/sparse/loops/row_inputs.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns a SPECRT_ROW_PLACE. Only the low 56 bits of addresses are significant.
Value *placeOf(IRBuilderBase &B, const Instruction &Of, Value *Address, specrt_row_turn Turn,
               unsigned Base) {
  const unsigned LogBytes = Log2_64(Of.getDataLayout().getTypeStoreSize(Of.getType()));
  return B.CreateOr(B.CreateShl(Address, 8), SPECRT_ROW_PLACE(LogBytes, Turn, Base));
}

} // namespace

RunPredictionCode::RunPredictionCode(const RowLoop &Rows, const ValueToValueMapTy &Map,
                                     IRBuilderBase &B, Value *Trace)
    : Rows(Rows), Map(Map), Trace(Trace) {
  BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
  RowsLeft = IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(B.getInt64Ty(), nullptr, "rows.left");
  B.CreateStore(loadField(B, B.getInt64Ty(), Trace, offsetof(specrt_row_trace, num_rows)),
                RowsLeft);
}

RowOrigin RunPredictionCode::ofCarried(IRBuilderBase &B, const PHINode &Phi) {
  return {.Place = placeOf(B, Phi, B.getInt64(0), SPECRT_ROW_FIRST, 0)};
}

RowOrigin RunPredictionCode::ofLoad(IRBuilderBase &B, const Instruction &Load,
                                    Value *Address) const {
  return {.Place =
              placeOf(B, Load, Address, Rows.Linearity->turnOf(Load), Rows.BaseOf.lookup(&Load))};
}

RowOrigin RunPredictionCode::ofBranch(IRBuilderBase &B, const BranchInst &Branch) const {
  const auto *Compare = dyn_cast<ICmpInst>(Branch.getCondition());
  const auto Known = Rows.Linearity->Compared.find(Compare);
  if (Known == Rows.Linearity->Compared.end())
    return {.Place = B.getInt64(0), .Other = B.getInt64(0)};
  const ComparedWords Words = Known->second;
  const auto AsWord = [&](Value *V) -> Value * {
    Type *Word = B.getInt64Ty();
    if (V->getType()->isPointerTy())
      V = B.CreatePtrToInt(V, Word);
    const unsigned Bits = V->getType()->getIntegerBitWidth();
    V = Words.Are == ComparedWords::BySign ? B.CreateSExt(V, Word) : B.CreateZExt(V, Word);
    if (Words.Are == ComparedWords::High)
      V = B.CreateShl(V, 64 - Bits);
    return Words.IsBiased ? B.CreateXor(V, B.getInt64(uint64_t{1} << 63)) : V;
  };
  const auto *Copy = cast<ICmpInst>(Map.lookup(Compare));
  return {.Place = AsWord(Copy->getOperand(0)), .Other = AsWord(Copy->getOperand(1))};
}

void RunPredictionCode::write(IRBuilderBase &B, Value *At, const RowOrigin &From) const {
  const auto Store = [&](Value *V, size_t Offset) {
    Value *Array = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Phase, Offset);
    if (V)
      B.CreateStore(V, B.CreateInBoundsGEP(B.getInt64Ty(), Array, At));
  };
  Store(From.Place, offsetof(specrt_row_phase, places));
  Store(From.Other, offsetof(specrt_row_phase, others));
}

Value *RunPredictionCode::goOn(BranchInst &Latch, Instruction &Passed, Instruction &Reported,
                               Value *GoOn) {
  BasicBlock *End = Latch.getParent();
  IRBuilder<> IfReported(&Reported), B(End, End->begin());
  Type *Word = B.getInt64Ty();
  const auto Join = [&](Value *AfterPassing, Value *AfterReport) {
    PHINode *Phi = B.CreatePHI(AfterReport->getType(), 2);
    Phi->addIncoming(AfterPassing, Passed.getParent());
    Phi->addIncoming(AfterReport, Reported.getParent());
    return Phi;
  };
  Value *By = Join(B.getInt64(1), IfReported.CreateZExt(GoOn, Word));
  Value *SkipsRows = IfReported.CreateICmpUGT(GoOn, IfReported.getInt32(1));
  Value *Next =
      loadField(IfReported, IfReported.getPtrTy(), Trace, offsetof(specrt_row_trace, next_carried));
  for (auto [I, Original] : enumerate(Rows.Carried)) {
    auto *Phi = cast<PHINode>(Map.lookup(Original));
    Type *T = Phi->getType();
    Value *V = Phi->getIncomingValueForBlock(End);
    Value *Known = loadField(IfReported, Word, Next, I * sizeof(int64_t));
    Phi->setIncomingValueForBlock(
        End, Join(V, IfReported.CreateSelect(SkipsRows, narrowed(IfReported, Known, T), V)));
  }
  B.SetInsertPoint(&Latch);
  for (const RowCounter &C : Rows.Counters) {
    auto *Phi = cast<PHINode>(Map.lookup(C.Phi));
    Phi->setIncomingValueForBlock(End, counterInRow(B, C, Phi, By));
  }
  Value *Left = B.CreateSub(B.CreateLoad(Word, RowsLeft), By);
  B.CreateStore(Left, RowsLeft);
  return B.CreateAnd(B.CreateIsNotNull(By), B.CreateIsNotNull(Left));
}

} // namespace specrt
