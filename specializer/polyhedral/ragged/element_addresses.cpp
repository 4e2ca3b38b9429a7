//===- specializer/polyhedral/ragged/element_addresses.cpp - addresses by row and column ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/ragged/element_addresses.h"
#include "specializer/polyhedral/ragged/symbolic_division.h"
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

/// Addresses that serve as reference for constant distances may lie up to this many rows before the
/// array.
static constexpr int64_t RowsBefore = 1 << 20;
/// Largest step in elements. Together with inactive lanes of a vector it stays below ColumnMargin.
static constexpr int64_t MaxStep = ColumnMargin / 2;

/// Emits the value of \p S, an i64, at \p B.
static Value *expand(SCEVExpander &By, IRBuilderBase &B, const SCEV *S) {
  return By.expandCodeFor(S, B.getInt64Ty(), B.GetInsertPoint());
}

ElementAddresses::ElementAddresses(const RaggedArray &Array, Function &F,
                                   FunctionAnalysisManager &FAM, Value &Root, Value &Base)
    : Array(Array), Base(Base), DT(FAM.getResult<DominatorTreeAnalysis>(F)),
      LI(FAM.getResult<LoopAnalysis>(F)), SE(FAM.getResult<ScalarEvolutionAnalysis>(F)) {
  IRBuilder<> B(after(&Root));
  Offsets[&Root] = &Root == &Base ? B.getInt64(0)
                                  : B.CreateSub(B.CreatePtrToInt(&Root, B.getInt64Ty()),
                                                B.CreatePtrToInt(&Base, B.getInt64Ty()));
}

/// Returns the insertion point for code that depends on \p Address; later insertions come later.
Instruction *ElementAddresses::after(Value *Address) {
  Instruction *&Next = Nexts[Address];
  if (Next)
    return Next;
  if (auto *I = dyn_cast<Instruction>(Address))
    return Next = I->getNextNode();
  BasicBlock &Entry = cast<Argument>(Address)->getParent()->getEntryBlock();
  return Next = &*Entry.getFirstNonPHIOrDbgOrAlloca();
}

/// Returns the offset of \p Address from the base, in bytes.
Value *ElementAddresses::offset(Value *Address) {
  if (Value *Known = Offsets.lookup(Address))
    return Known;
  auto *Step = cast<GetElementPtrInst>(Address);
  Value *From = offset(Step->getPointerOperand());
  IRBuilder<> B(Step);
  return Offsets[Address] = B.CreateAdd(From, emitGEPOffset(&B, Step->getDataLayout(), Step));
}

ElementAddresses::Split ElementAddresses::split(IRBuilderBase &B, Value *Offset) {
  Value *Row =
      B.CreateSub(B.CreateUDiv(B.CreateAdd(Offset, B.getInt64(uint64_t(RowsBefore * pitchBytes()))),
                               B.getInt64(uint64_t(pitchBytes()))),
                  B.getInt64(uint64_t(RowsBefore)));
  Value *Inside = B.CreateSub(Offset, B.CreateMul(Row, B.getInt64(uint64_t(pitchBytes()))));
  return {B.CreateAdd(Row, B.getInt64(uint64_t(Array.FirstRow))), Inside};
}

/// Returns the row and position at which \p Offset starts when \p L is entered. Usually this needs
/// no division.
ElementAddresses::Split ElementAddresses::splitBefore(Loop &L, const SCEVAddRecExpr &Offset) {
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  SCEVExpander Expander(SE, "row");
  const std::optional<Division> By = divide(Offset.getStart(), pitchBytes(), SE);
  if (!By)
    return split(B, expand(Expander, B, Offset.getStart()));
  const SCEV *Row = SE.getAddExpr(
      By->Quotient, SE.getConstant(B.getInt64Ty(), uint64_t(Array.FirstRow), /*isSigned=*/true));
  return {expand(Expander, B, Row), expand(Expander, B, By->Remainder), Row};
}

/// Loads a row pointer. Nothing writes row pointers during a call. \p Terms: see Split.
Value *ElementAddresses::rowPointer(IRBuilderBase &B, Value *Row, const SCEV *Terms) {
  SCEVExpander Expander(SE, "row");
  SmallVector<Value *, 2> Indices;
  for (const RowPointers &Level : reverse(ArrayRef(Array.Pointers).drop_front())) {
    const std::optional<Division> By =
        Terms ? divide(Terms, Level.Count, SE) : std::optional<Division>();
    Terms = By ? By->Quotient : nullptr;
    Indices.push_back(By ? expand(Expander, B, By->Remainder)
                         : B.CreateURem(Row, B.getInt64(uint64_t(Level.Count))));
    Row = By ? expand(Expander, B, By->Quotient)
             : B.CreateUDiv(Row, B.getInt64(uint64_t(Level.Count)));
  }
  Indices.push_back(Row);
  Value *Pointer = &Base;
  for (auto [Level, Index] : zip_equal(Array.Pointers, reverse(Indices))) {
    Value *Offset = B.CreateAdd(B.CreateMul(Index, B.getInt64(uint64_t(Level.Stride))),
                                B.getInt64(uint64_t(Level.First)));
    LoadInst *Load = B.CreateAlignedLoad(B.getPtrTy(), B.CreatePtrAdd(Pointer, Offset), Align(1));
    Load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(B.getContext(), {}));
    Pointer = Load;
  }
  return Pointer;
}

/// Returns the address at the same position \p MoreRows rows later.
Value *ElementAddresses::place(IRBuilderBase &B, const Split &At, int64_t MoreRows) {
  Value *Row = B.CreateAdd(At.Row, B.getInt64(uint64_t(MoreRows)));
  if (!Array.Pointers.empty())
    return B.CreatePtrAdd(
        rowPointer(B, Row, MoreRows == 0 ? At.RowTerms : nullptr),
        B.CreateSub(At.Inside, B.getInt64(uint64_t(Array.Shift * Array.ElementBytes))));
  Value *Triangle = B.CreateAShr(B.CreateMul(Row, B.CreateSub(Row, B.getInt64(1))), 1);
  Value *Begin = B.CreateMul(Triangle, B.getInt64(uint64_t(Array.Curvature * Array.ElementBytes)));
  Begin =
      B.CreateAdd(Begin, B.CreateMul(Row, B.getInt64(uint64_t(Array.Slope * Array.ElementBytes))));
  Value *Offset = B.CreateAdd(
      Begin, B.CreateSub(At.Inside, B.getInt64(uint64_t(Array.Shift * Array.ElementBytes))));
  return B.CreatePtrAdd(&Base, Offset);
}

/// Returns whether \p User is executed whenever the loop is entered. Pointers only exist for rows
/// that are accessed.
bool ElementAddresses::isCertainlyFirst(const Instruction &User, const Loop &L) const {
  return L.getExitingBlock() == L.getLoopLatch() &&
         DT.dominates(User.getParent(), L.getLoopLatch());
}

/// Handles a loop that accesses memory in every iteration, in small steps: it stays in the row in
/// which it begins, and this form lets LLVM see consecutive addresses.
Value *ElementAddresses::placeInLoop(Use &Access) {
  auto *User = cast<Instruction>(Access.getUser());
  Loop *L = LI.getLoopFor(User->getParent());
  if (!L || !L->getLoopPreheader() || !L->getLoopLatch() || isa<IntrinsicInst>(User) ||
      !DT.dominates(User->getParent(), L->getLoopLatch()) ||
      (!Array.Pointers.empty() && !isCertainlyFirst(*User, *L)))
    return nullptr;
  Value *Offset = offset(Access);
  const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Offset));
  if (!Recurrence || Recurrence->getLoop() != L || !Recurrence->isAffine())
    return nullptr;
  const auto *Step = dyn_cast<SCEVConstant>(Recurrence->getOperand(1));
  const int64_t Limit = MaxStep * Array.ElementBytes;
  if (!Step || Step->getAPInt().sgt(Limit) || Step->getAPInt().slt(-Limit))
    return nullptr;
  IRBuilder<> Before(L->getLoopPreheader()->getTerminator()), B(User);
  Value *First = place(Before, splitBefore(*L, *Recurrence), 0);
  const SCEV *Passed = SE.getAddRecExpr(SE.getZero(B.getInt64Ty()), Step, L, SCEV::FlagAnyWrap);
  SCEVExpander Expander(SE, "row");
  return B.CreatePtrAdd(First, expand(Expander, B, Passed));
}

/// Handles a loop that moves by whole rows, without a division in the loop.
Value *ElementAddresses::placeAcrossRows(Use &Access) {
  auto *User = cast<Instruction>(Access.getUser());
  Loop *L = LI.getLoopFor(User->getParent());
  if (Array.Pointers.empty() || !L || !L->getLoopPreheader() || isa<IntrinsicInst>(User))
    return nullptr;
  const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(offset(Access)));
  if (!Recurrence || Recurrence->getLoop() != L || !Recurrence->isAffine())
    return nullptr;
  const auto *Step = dyn_cast<SCEVConstant>(Recurrence->getOperand(1));
  if (!Step || Step->getAPInt().getSExtValue() % pitchBytes() != 0)
    return nullptr;
  Split At = splitBefore(*L, *Recurrence);
  IRBuilder<> B(User);
  const SCEV *Passed = SE.getAddRecExpr(
      SE.getZero(B.getInt64Ty()),
      SE.getConstant(B.getInt64Ty(), uint64_t(Step->getAPInt().getSExtValue() / pitchBytes()),
                     /*isSigned=*/true),
      L, SCEV::FlagAnyWrap);
  SCEVExpander Expander(SE, "row");
  At.Row = B.CreateAdd(At.Row, expand(Expander, B, Passed));
  if (At.RowTerms)
    At.RowTerms = SE.getAddExpr(At.RowTerms, Passed);
  return place(B, At, 0);
}

/// Handles rows of a kernel's block at constant distances: one division serves all of them.
Value *ElementAddresses::placeBeside(Use &Access) {
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
    IRBuilder<> Behind(after(From));
    auto [Known, IsNew] = Splits.try_emplace(From);
    if (IsNew)
      Known->second = split(Behind, Offset);
    if (Array.Pointers.empty())
      Place = place(Behind, Known->second, MoreRows);
  }
  IRBuilder<> B(cast<Instruction>(Access.getUser()));
  if (!Array.Pointers.empty())
    return B.CreatePtrAdd(placeHere(Access, Splits[From], MoreRows), B.getInt64(uint64_t(Rest)));
  return Rest == 0 ? Place : B.CreatePtrAdd(Place, B.getInt64(uint64_t(Rest)));
}

/// Computes the address at the access itself. Elsewhere the row may not be accessed, and its
/// pointer may not exist.
Value *ElementAddresses::placeHere(Use &Access, Split At, int64_t MoreRows) {
  auto *User = cast<Instruction>(Access.getUser());
  IRBuilder<> B(User);
  At.Row = B.CreateAdd(At.Row, B.getInt64(uint64_t(MoreRows)));
  auto *Intrinsic = dyn_cast<IntrinsicInst>(User);
  if (!Intrinsic)
    return place(B, At, 0);
  if (Intrinsic->getIntrinsicID() == Intrinsic::prefetch)
    return &Base;
  // If no lane is active, no row is accessed, and any existing row will do.
  const int64_t Last = Array.Pointers.front().Count - 1;
  At.Row = B.CreateBinaryIntrinsic(Intrinsic::umin, At.Row, B.getInt64(uint64_t(Last)));
  return place(B, At, 0);
}

void ElementAddresses::replace(Use &Access) {
  Value *Place = placeInLoop(Access);
  if (!Place)
    Place = placeAcrossRows(Access);
  Access.set(Place ? Place : placeBeside(Access));
}

} // namespace specrt
