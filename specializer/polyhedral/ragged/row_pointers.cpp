//===- specializer/polyhedral/ragged/row_pointers.cpp - rows behind row pointers ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/ragged/row_pointers.h"
#include "specializer/polyhedral/model/row_marks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <limits>

using namespace llvm;

namespace specrt {

/// Limit on columns of one array.
static constexpr int64_t MaxColumns = int64_t{1} << 20;
/// Limit on bytes of the virtual array: products with it stay far below 2^63.
static constexpr int64_t MaxBytes = int64_t{1} << 46;
static constexpr int64_t MaxNumber = int64_t{1} << 40;

static Value *rootOf(Value *Pointer, ScalarEvolution &SE) {
  const auto *Root = dyn_cast<SCEVUnknown>(SE.getPointerBase(SE.getSCEV(Pointer)));
  return Root ? Root->getValue() : nullptr;
}

void RowPointerFinder::collect() {
  for (Instruction &I : instructions(F)) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      if (std::optional<RowMark> Mark = rowMarkOf(*Load))
        Tables[Mark->Table].Loads.push_back(Load);
    Value *Pointer = getLoadStorePointerOperand(&I);
    auto *Row = dyn_cast_or_null<LoadInst>(Pointer ? rootOf(Pointer, SE) : nullptr);
    if (std::optional<RowMark> Mark = Row ? rowMarkOf(*Row) : std::nullopt)
      Tables[Mark->Table].Accesses.push_back(&I);
  }
}

/// Returns the offset from the root in bytes.
std::optional<LinearForm> RowPointerFinder::offsetOf(Instruction &Access) const {
  LinearForm Offset;
  SmallVector<const SCEV *, 2> Others;
  const SCEV *Address = SE.getSCEV(getLoadStorePointerOperand(&Access));
  if (!splitAffine(SE.removePointerBase(Address), Offset, Others) || !Others.empty() ||
      !Offset.isBelow(MaxNumber))
    return std::nullopt;
  return Offset;
}

std::optional<RowPointerFinder::Way> RowPointerFinder::wayTo(LoadInst &Load,
                                                             const Instruction &Access) const {
  const std::optional<RowMark> Mark = rowMarkOf(Load);
  std::optional<LinearForm> Row = Mark ? offsetOf(Load) : std::nullopt;
  Value *Base = rootOf(Load.getPointerOperand(), SE);
  if (!Row || !Base)
    return std::nullopt;
  Row->Constant -= Mark->First;
  if (!Row->divideBy(Mark->Stride) ||
      any_of(Row->loops(), [&](const Loop *L) { return !L->contains(&Access); }))
    return std::nullopt;
  Way To;
  auto *From = dyn_cast<LoadInst>(Base);
  if (From && rowMarkOf(*From)) {
    std::optional<Way> Before = wayTo(*From, Access);
    if (!Before)
      return std::nullopt;
    To = std::move(*Before);
  } else {
    To.Base = Base;
  }
  To.Levels.push_back({Mark->First, Mark->Count, Mark->Stride});
  To.Rows.push_back(*Row);
  return To;
}

/// Returns a value equal to \p Base that no analysis recognises as \p Base.
Value *RowPointerFinder::rootFor(Value &Base) {
  IRBuilder<> Entry(&*F.getEntryBlock().getFirstInsertionPt());
  AllocaInst *Slot = Entry.CreateAlloca(Base.getType());
  IRBuilder<> B(isa<Instruction>(Base) ? cast<Instruction>(Base).getNextNode()
                                       : Slot->getNextNode());
  B.CreateStore(&Base, Slot);
  return B.CreateLoad(Base.getType(), Slot, Base.getName() + ".rows");
}

std::optional<RaggedArray> RowPointerFinder::describe(const Table &Of) {
  RaggedArray Array;
  SmallVector<LinearForm, 8> Columns;
  SmallVector<Way, 8> Ways;
  int64_t Low = std::numeric_limits<int64_t>::max(), High = std::numeric_limits<int64_t>::min();
  auto None = [](const Loop *) { return false; };
  for (Instruction *Access : Of.Accesses) {
    Type *T = getLoadStoreType(Access);
    const DataLayout &Layout = F.getDataLayout();
    const auto Bytes = int64_t(Layout.getTypeStoreSize(T).getKnownMinValue());
    if (!isSimpleAccess(*Access) || T->isVectorTy() ||
        Bytes != int64_t(Layout.getTypeAllocSize(T).getKnownMinValue()) ||
        (Array.ElementBytes != 0 && Array.ElementBytes != Bytes))
      return std::nullopt;
    Array.ElementBytes = Bytes;
    std::optional<LinearForm> Column = offsetOf(*Access);
    if (!Column || !Column->divideBy(Bytes) ||
        any_of(Column->loops(), [&](const Loop *L) { return !L->contains(Access); }))
      return std::nullopt;
    std::optional<LinearForm> Least = eliminate(*Column, SE, None, /*Upper=*/false),
                              Largest = eliminate(*Column, SE, None, /*Upper=*/true);
    auto *Row = cast<LoadInst>(rootOf(getLoadStorePointerOperand(Access), SE));
    std::optional<Way> To = wayTo(*Row, *Access);
    if (!Least || !Largest || !To || (!Ways.empty() && Ways.front().Base != To->Base))
      return std::nullopt;
    Low = std::min(Low, Least->Constant);
    High = std::max(High, Largest->Constant);
    Columns.push_back(std::move(*Column));
    Ways.push_back(std::move(*To));
  }
  Value &Base = *Ways.front().Base;
  const auto *Definition = dyn_cast<Instruction>(&Base);
  if ((Definition && LI.getLoopFor(Definition->getParent())) || isa<PHINode>(Base) ||
      High - Low > MaxColumns)
    return std::nullopt;
  Array.Pointers = Ways.front().Levels;
  Array.Shift = ColumnMargin - Low;
  // Not a power of two, for which LLVM would copy rows to avoid cache conflicts.
  Array.Pitch = (High - Low + 2 * ColumnMargin) / 8 * 8 + 24;
  int64_t NumRows = 1;
  for (const RowPointers &Level : Array.Pointers)
    NumRows *= Level.Count;
  if (NumRows * Array.Pitch > MaxBytes / Array.ElementBytes)
    return std::nullopt;
  Array.Base = rootFor(Base);
  Type *Integer = Type::getInt64Ty(F.getContext());
  for (auto [Access, Column, To] : zip_equal(Of.Accesses, Columns, Ways)) {
    RaggedAccess &Row = Array.Accesses.emplace_back();
    Row.Access = Access;
    for (const LinearForm &Index : To.Rows)
      Row.Rows.push_back(Index.expression(SE, Integer));
    Column.Constant += Array.Shift;
    Row.Column = Column.expression(SE, Integer);
  }
  return Array;
}

SmallVector<RaggedArray, 2> RowPointerFinder::find() {
  collect();
  SmallVector<RaggedArray, 2> Found;
  for (const Table &Each : make_second_range(Tables)) {
    // Rows of planes are modelled, but not the pointers to them.
    if (Each.Accesses.empty() || any_of(Each.Accesses, [](const Instruction *I) {
          const auto *Load = dyn_cast<LoadInst>(I);
          return Load && rowMarkOf(*Load);
        }))
      continue;
    if (!all_of(Each.Loads,
                [&](const LoadInst *Load) { return isOnlyAccessedBy(Load, Each.Accesses); }))
      continue;
    if (std::optional<RaggedArray> Array = describe(Each))
      Found.push_back(std::move(*Array));
  }
  return Found;
}

} // namespace specrt
