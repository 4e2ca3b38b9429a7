//===- specializer/polyhedral/rows/row_addresses.cpp - the addresses of rows in one function --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/rows/row_addresses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {

/// Addresses from which others are told by a constant may lie so many rows before the array.
static constexpr int64_t RowsBefore = 1 << 20;
/// In elements. With the lanes of a vector that are not accessed this stays below RowMargin.
static constexpr int64_t MaxStep = RowMargin / 2;

RowAddresses::RowAddresses(const RowArray &Array, Function &F, FunctionAnalysisManager &FAM,
                           Value &Root, Value &Base)
    : Array(Array), Base(Base), DT(FAM.getResult<DominatorTreeAnalysis>(F)),
      LI(FAM.getResult<LoopAnalysis>(F)), SE(FAM.getResult<ScalarEvolutionAnalysis>(F)) {
  IRBuilder<> B(after(&Root));
  Offsets[&Root] = &Root == &Base ? B.getInt64(0)
                                  : B.CreateSub(B.CreatePtrToInt(&Root, B.getInt64Ty()),
                                                B.CreatePtrToInt(&Base, B.getInt64Ty()));
}

/// The place for code that depends on \p Address: what is added later comes later.
Instruction *RowAddresses::after(Value *Address) {
  Instruction *&Next = Nexts[Address];
  if (Next)
    return Next;
  if (auto *I = dyn_cast<Instruction>(Address))
    return Next = I->getNextNode();
  BasicBlock &Entry = cast<Argument>(Address)->getParent()->getEntryBlock();
  return Next = &*Entry.getFirstNonPHIOrDbgOrAlloca();
}

/// In bytes from the base.
Value *RowAddresses::offset(Value *Address) {
  if (Value *Known = Offsets.lookup(Address))
    return Known;
  auto *Step = cast<GetElementPtrInst>(Address);
  Value *From = offset(Step->getPointerOperand());
  IRBuilder<> B(Step);
  return Offsets[Address] = B.CreateAdd(From, emitGEPOffset(&B, Step->getDataLayout(), Step));
}

RowAddresses::Split RowAddresses::split(IRBuilderBase &B, Value *Offset) {
  Value *Row =
      B.CreateSub(B.CreateUDiv(B.CreateAdd(Offset, B.getInt64(uint64_t(RowsBefore * pitchBytes()))),
                               B.getInt64(uint64_t(pitchBytes()))),
                  B.getInt64(uint64_t(RowsBefore)));
  Value *Inside = B.CreateSub(Offset, B.CreateMul(Row, B.getInt64(uint64_t(pitchBytes()))));
  return {B.CreateAdd(Row, B.getInt64(uint64_t(Array.FirstRow))), Inside};
}

/// As far into the row that comes \p MoreRows rows later.
Value *RowAddresses::place(IRBuilderBase &B, const Split &At, int64_t MoreRows) {
  Value *Row = B.CreateAdd(At.Row, B.getInt64(uint64_t(MoreRows)));
  Value *Triangle = B.CreateAShr(B.CreateMul(Row, B.CreateSub(Row, B.getInt64(1))), 1);
  Value *Begin = B.CreateMul(Triangle, B.getInt64(uint64_t(Array.Curvature * Array.ElementBytes)));
  Begin =
      B.CreateAdd(Begin, B.CreateMul(Row, B.getInt64(uint64_t(Array.Slope * Array.ElementBytes))));
  Value *Offset = B.CreateAdd(
      Begin, B.CreateSub(At.Inside, B.getInt64(uint64_t(Array.Shift * Array.ElementBytes))));
  return B.CreatePtrAdd(&Base, Offset);
}

/// A loop that accesses memory in every iteration, in small steps, stays in the row in which it
/// begins. Only then does LLVM see that it goes straight on.
Value *RowAddresses::placeInLoop(Use &Access) {
  auto *User = cast<Instruction>(Access.getUser());
  Loop *L = LI.getLoopFor(User->getParent());
  if (!L || !L->getLoopPreheader() || !L->getLoopLatch() || isa<IntrinsicInst>(User) ||
      !DT.dominates(User->getParent(), L->getLoopLatch()))
    return nullptr;
  Value *Offset = offset(Access);
  const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Offset));
  if (!Recurrence || Recurrence->getLoop() != L || !Recurrence->isAffine())
    return nullptr;
  const auto *Step = dyn_cast<SCEVConstant>(Recurrence->getOperand(1));
  const int64_t Limit = MaxStep * Array.ElementBytes;
  if (!Step || Step->getAPInt().sgt(Limit) || Step->getAPInt().slt(-Limit))
    return nullptr;
  SCEVExpander Expander(SE, "row");
  IRBuilder<> Before(L->getLoopPreheader()->getTerminator());
  Value *Start =
      Expander.expandCodeFor(Recurrence->getStart(), Before.getInt64Ty(), Before.GetInsertPoint());
  Value *First = place(Before, split(Before, Start), 0);
  IRBuilder<> B(User);
  return B.CreatePtrAdd(First, B.CreateSub(Offset, Start));
}

/// Rows of a kernel's block are constants apart: only one address is divided for all.
Value *RowAddresses::placeBeside(Use &Access) {
  Value *From = Access;
  int64_t MoreRows = 0, Rest = 0;
  APInt Constant(64, 0);
  if (auto *Step = dyn_cast<GetElementPtrInst>(From);
      Step && Step->accumulateConstantOffset(Step->getDataLayout(), Constant)) {
    const int64_t Bytes = Constant.getSExtValue(), Half = pitchBytes() / 2;
    const int64_t Rows = (Bytes + (Bytes < 0 ? -Half : Half)) / pitchBytes();
    const int64_t Columns = Bytes - Rows * pitchBytes();
    if (std::abs(Columns) <= MaxStep * Array.ElementBytes && std::abs(Rows) < RowsBefore) {
      From = Step->getPointerOperand();
      MoreRows = Rows;
      Rest = Columns;
    }
  }
  Value *&Place = Places[{From, MoreRows}];
  if (!Place) {
    Value *Offset = offset(From);
    IRBuilder<> B(after(From));
    auto [Known, IsNew] = Splits.try_emplace(From);
    if (IsNew)
      Known->second = split(B, Offset);
    Place = place(B, Known->second, MoreRows);
  }
  IRBuilder<> B(cast<Instruction>(Access.getUser()));
  return Rest == 0 ? Place : B.CreatePtrAdd(Place, B.getInt64(uint64_t(Rest)));
}

void RowAddresses::replace(Use &Access) {
  Value *Place = placeInLoop(Access);
  Access.set(Place ? Place : placeBeside(Access));
}

} // namespace specrt
