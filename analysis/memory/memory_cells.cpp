//===- analysis/memory/memory_cells.cpp - loop bounds and sizes in memory -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/memory/memory_cells.h"
#include "analysis/memory/entry_path.h"
#include "guards/address.h"
#include "specrt/abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {

std::optional<specrt_cell> cellOf(const LoadInst &Load, const SymbolIndex &Symbols) {
  auto *T = dyn_cast<IntegerType>(Load.getType());
  if (!T || !Load.isSimple())
    return std::nullopt;
  unsigned Bits = T->getBitWidth();
  if (Bits != 8 && Bits != 16 && Bits != 32 && Bits != 64)
    return std::nullopt;
  const DataLayout &DL = Load.getModule()->getDataLayout();
  APInt Offset(64, 0);
  const Value *Base = Load.getPointerOperand()->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  if (!isInt<32>(Offset.getSExtValue()))
    return std::nullopt;
  specrt_cell Cell{};
  Cell.begin = static_cast<int32_t>(Offset.getSExtValue());
  Cell.width = Bits / 8;
  if (auto *A = dyn_cast<Argument>(Base)) {
    Cell.base.kind = SPECRT_BASE_ARGUMENT;
    Cell.base.index = A->getArgNo();
    return Cell;
  }
  auto *Global = dyn_cast<GlobalVariable>(Base);
  std::optional<unsigned> Number = Global ? Symbols(*Global) : std::nullopt;
  if (!Number)
    return std::nullopt;
  Cell.base.kind = SPECRT_BASE_SYMBOL;
  Cell.base.index = *Number;
  return Cell;
}

bool shapesControl(const LoadInst &Load) {
  SmallVector<const Value *, 8> Work = {&Load};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second || Seen.size() > 64)
      continue;
    for (const User *U : V->users()) {
      if (isa<BranchInst, SwitchInst, GetElementPtrInst>(U))
        return true;
      if (isa<BinaryOperator, CastInst, ICmpInst, PHINode, SelectInst>(U) &&
          !U->getType()->isFPOrFPVectorTy())
        Work.push_back(U);
    }
  }
  return false;
}

SmallVector<specrt_cell> describeCells(const Function &F, const SymbolIndex &Symbols) {
  SmallVector<specrt_cell> Cells;
  auto Add = [&](const specrt_cell &Cell) {
    if (Cells.size() < SPECRT_MAX_CELLS &&
        none_of(Cells, [&](const specrt_cell &C) { return isSameCell(C, Cell); }))
      Cells.push_back(Cell);
  };
  auto HasNeighbour = [&](const specrt_cell &Cell) {
    return any_of(Cells, [&](const specrt_cell &C) { return isSameBase(C.base, Cell.base); });
  };
  const DenseSet<const Instruction *> OnEntry = instructionsOnEntryPath(F);
  for (bool Certain : {true, false})
    for (const Instruction &I : instructions(F)) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load || OnEntry.contains(Load) != Certain || !shapesControl(*Load))
        continue;
      std::optional<specrt_cell> Cell = cellOf(*Load, Symbols);
      if (!Cell || (!Certain && !HasNeighbour(*Cell)))
        continue;
      Cell->certain = Certain;
      Add(*Cell);
    }
  return Cells;
}

} // namespace specrt
