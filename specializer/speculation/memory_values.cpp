//===- specializer/speculation/memory_values.cpp - sizes that live in memory =//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/memory_values.h"
#include "specializer/region_module.h"
#include "specializer/speculation/entry_path.h"
#include "specializer/speculation/errno_math.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace specrt {
namespace {

/// Where a load reads: base and constant offset; none for anything else.
std::optional<AssumedCell> cellOf(const LoadInst &Load, const specrt_region &Region) {
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
  AssumedCell Cell;
  Cell.Offset = Offset.getSExtValue();
  Cell.Width = Bits / 8;
  if (auto *A = dyn_cast<Argument>(Base)) {
    Cell.Base.kind = SPECRT_BASE_ARGUMENT;
    Cell.Base.index = A->getArgNo();
    return Cell;
  }
  if (auto *GV = dyn_cast<GlobalVariable>(Base))
    if (std::optional<unsigned> Symbol = symbolNumber(Region, *GV)) {
      Cell.Base.kind = SPECRT_BASE_SYMBOL;
      Cell.Base.index = *Symbol;
      return Cell;
    }
  return std::nullopt;
}

bool isSameCell(const AssumedCell &A, const AssumedCell &B) {
  return isSameBase(A.Base, B.Base) && A.Offset == B.Offset && A.Width == B.Width;
}

/// Does the loaded value shape the loop nest: a branch or a subscript? A value that is mere data
/// would make the guard fail whenever the data change.
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

std::optional<uint64_t> valueNow(const AssumedCell &Cell, const specrt_region &Region,
                                 const uint64_t *SampleArguments) {
  uint64_t Address;
  if (Cell.Base.kind == SPECRT_BASE_SYMBOL)
    Address = reinterpret_cast<uint64_t>(Region.symbols[Cell.Base.index].address);
  else if (SampleArguments)
    Address = SampleArguments[Cell.Base.index];
  else
    return std::nullopt;
  return peekMemory(Address + static_cast<uint64_t>(Cell.Offset), Cell.Width);
}

} // namespace

std::optional<uint64_t> peekMemory(uint64_t Address, unsigned Width) {
  // A pipe refuses to take bytes from where nothing is mapped. process_vm_readv would be shorter,
  // but a process with a strict seccomp filter is killed for it.
  int Ends[2];
  if (pipe2(Ends, O_CLOEXEC | O_NONBLOCK) != 0)
    return std::nullopt;
  uint64_t Value = 0;
  const auto Wanted = static_cast<ssize_t>(Width);
  bool Copied = write(Ends[1], reinterpret_cast<void *>(Address), Width) == Wanted &&
                read(Ends[0], &Value, Width) == Wanted;
  for (int End : Ends)
    close(End);
  return Copied ? std::optional(Value) : std::nullopt;
}

SmallVector<AssumedCell, 4> assumeMemoryValues(Function &F, const specrt_region &Region,
                                               const uint64_t *SampleArguments) {
  SmallVector<AssumedCell, 4> Cells;
  DenseSet<const Instruction *> OnEntry = instructionsOnEntryPath(F);
  bool SetsErrno = any_of(instructions(F), setsErrno);
  // In function order, so that the same input gives the same guards.
  for (Instruction &I : instructions(F)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !OnEntry.contains(Load) || !shapesControl(*Load))
      continue;
    // No guard can tell it apart: every thread has its own.
    if (SetsErrno && mayAccessErrno(*Load))
      continue;
    std::optional<AssumedCell> Cell = cellOf(*Load, Region);
    if (!Cell || any_of(Cells, [&](const AssumedCell &C) { return isSameCell(C, *Cell); }))
      continue;
    std::optional<uint64_t> Value = valueNow(*Cell, Region, SampleArguments);
    if (!Value)
      continue;
    Cell->Value = *Value;
    Cells.push_back(*Cell);
  }
  if (Cells.empty())
    return Cells;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Load = dyn_cast<LoadInst>(&I);
    std::optional<AssumedCell> Cell = Load ? cellOf(*Load, Region) : std::nullopt;
    if (!Cell)
      continue;
    auto *Known = find_if(Cells, [&](const AssumedCell &C) { return isSameCell(C, *Cell); });
    if (Known == Cells.end())
      continue;
    Load->replaceAllUsesWith(ConstantInt::get(Load->getType(), Known->Value));
    Load->eraseFromParent();
  }
  return Cells;
}

} // namespace specrt
