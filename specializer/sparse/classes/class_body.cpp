//===- specializer/sparse/classes/class_body.cpp - code for single rows of a class -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/classes/class_body.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/sparse/loops/jammed_loops.h"
#include "specializer/sparse/loops/row_inputs.h"
#include "llvm/Analysis/ConstantFolding.h"

using namespace llvm;

namespace specrt {

Value *ClassBody::of(Value *V) const {
  if (isa<Constant>(V) && !Map.count(V))
    return V;
  return Map.lookup(V);
}

/// Returns entry number \p Entry in this row: its origin plus T times its delta.
Value *ClassBody::affine(IRBuilderBase &B, unsigned Entry, Type *Wanted) {
  Value *V = Origins[Entry];
  if (const int64_t Delta = Class.entries[Entry].number) {
    // The difference of 64-bit values may wrap.
    const bool IsNarrow = Wanted->isIntegerTy() && Wanted->getIntegerBitWidth() <= 32;
    Value *Since = B.CreateMul(T, B.getInt64(uint64_t(Delta)), "", /*HasNUW=*/false, IsNarrow);
    V = B.CreateAdd(V, Since, "", /*HasNUW=*/false, IsNarrow);
  }
  if (Wanted->isPointerTy())
    return B.CreateIntToPtr(V, Wanted);
  if (Wanted == B.getInt64Ty())
    return V;
  // The inspector has read a value of this width.
  Value *Narrow = B.CreateTrunc(V, Wanted, "", /*IsNUW=*/false, /*IsNSW=*/true);
  Wide[Narrow] = V;
  return Narrow;
}

/// Maps the phis of the row loop's header, which follow from the row's number or are the first
/// entries of the trace.
void ClassBody::mapHeader(IRBuilderBase &B, Value *Row) {
  for (const RowCounter &C : Rows.Counters) {
    Value *Start = of(C.Phi->getIncomingValueForBlock(Rows.L->getLoopPreheader()));
    Map[C.Phi] = counterInRow(B, C, Start, Row);
  }
  for (auto [I, Phi] : enumerate(Rows.Carried))
    Map[Phi] = affine(B, unsigned(I), Phi->getType());
}

/// Maps all phis of a block at once, as they may refer to each other.
void ClassBody::mapPhis(const RowStep &Step) {
  SmallVector<std::pair<const PHINode *, Value *>> Now;
  for (const PHINode &Phi : Step.Block->phis())
    Now.emplace_back(&Phi, of(Phi.getIncomingValueForBlock(Step.From)));
  for (auto [Phi, V] : Now)
    Map[Phi] = V;
}

/// Returns the i64 version of an operand if \p I only sign-extends it, otherwise null.
Value *ClassBody::extended(const Instruction &I) const {
  if (!I.getType()->isIntegerTy(64) || !(isa<SExtInst>(I) || (isa<ZExtInst>(I) && I.hasNonNeg())))
    return nullptr;
  return Wide.lookup(of(I.getOperand(0)));
}

void ClassBody::copy(IRBuilderBase &B, const Instruction &I) {
  if (Value *Known = extended(I)) {
    Map[&I] = Known;
    return;
  }
  Instruction *Copy = I.clone();
  Copy->setDebugLoc({});
  B.Insert(Copy);
  Map[&I] = Copy;
  RemapInstruction(Copy, Map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  // Where values are constants, most address arithmetic folds.
  if (!I.getType()->isIntegerTy() || I.mayReadOrWriteMemory())
    return;
  if (Constant *Known = ConstantFoldInstruction(Copy, Copy->getDataLayout())) {
    Map[&I] = Known;
    Copy->eraseFromParent();
  }
}

/// Copies a loop that stays a loop.
void ClassBody::copyOpaque(IRBuilderBase &B, const Loop &Inner) {
  Function &F = *B.GetInsertBlock()->getParent();
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *After = BasicBlock::Create(F.getContext(), "rows.after", &F);
  Map[Inner.getLoopPreheader()] = Before;
  Map[Inner.getExitBlock()] = After;
  copyLoop(Inner, F, Map);
  B.CreateBr(cast<BasicBlock>(Map.lookup(Inner.getHeader())));
  B.SetInsertPoint(After);
}

/// Returns the longest prefix of \p Steps that ends with a loop that can be jammed with the first
/// step, an opaque loop. Steps in between may be executed before all of these loops.
ArrayRef<RowStep> ClassBody::jamOf(ArrayRef<RowStep> Steps) const {
  constexpr unsigned MaxLoops = 8; // limited by the number of registers
  const auto Jam = Rows.Jams.find(Steps.front().Inner);
  if (Jam == Rows.Jams.end())
    return Steps.take_front(1);
  size_t End = 1;
  unsigned Loops = 1;
  for (auto [I, Step] : enumerate(Steps.drop_front())) {
    if (Step.Is == RowStep::Kind::Opaque) {
      const auto Other = Rows.Jams.find(Step.Inner);
      if (Other == Rows.Jams.end() || Other->second != Jam->second || ++Loops > MaxLoops)
        break;
      End = I + 2;
    } else if (const auto Base = Rows.BaseOf.find(Step.I);
               Step.I && Base != Rows.BaseOf.end() &&
               (Rows.Bases[Base->second].Flags & SPECRT_ROWS_WRITTEN)) {
      break;
    }
  }
  return Steps.take_front(End);
}

void ClassBody::executeJam(IRBuilderBase &B, ArrayRef<RowStep> Steps) {
  JammedLoop Loops;
  for (const RowStep &Step : Steps)
    if (Step.Is == RowStep::Kind::Opaque)
      Loops.add(*Step.Inner, [&](Value *V) { return of(V); });
    else
      execute(B, Step);
  Loops.build(B);
}

void ClassBody::execute(IRBuilderBase &B, const RowStep &Step) {
  switch (Step.Is) {
  case RowStep::Kind::Phis:
    return mapPhis(Step);
  case RowStep::Kind::Plain:
    return copy(B, *Step.I);
  case RowStep::Kind::Value:
    if (Class.entries[Step.Number].mode == SPECRT_ROW_AFFINE)
      Map[Step.I] = affine(B, Step.Number, Step.I->getType());
    else
      copy(B, *Step.I);
    return;
  case RowStep::Kind::Note:
    Notes.push_back(of(const_cast<Value *>(cast<StoreInst>(Step.I)->getValueOperand())));
    return;
  case RowStep::Kind::Noted:
    Map[Step.I] = Notes[Step.Number];
    return;
  case RowStep::Kind::Opaque:
    return copyOpaque(B, *Step.Inner);
  }
}

void ClassBody::build(IRBuilderBase &B, Value *Row, Value *Number, ArrayRef<Value *> First) {
  Map.clear();
  Wide.clear();
  Notes.clear();
  T = Number;
  Origins = First;
  for (const auto &Entry : Outer)
    Map[Entry.first] = Entry.second;
  mapHeader(B, Row);
  for (ArrayRef<RowStep> Left = Script; !Left.empty();) {
    const size_t Done = Left.front().Is == RowStep::Kind::Opaque ? jamOf(Left).size() : 1;
    if (Done > 1)
      executeJam(B, Left.take_front(Done));
    else
      execute(B, Left.front());
    Left = Left.drop_front(Done);
  }
}

} // namespace specrt
