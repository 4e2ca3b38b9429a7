//===- specializer/speculation/memory_values.cpp - sizes that live in memory =//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/memory_values.h"
#include "analysis/memory/entry_path.h"
#include "analysis/memory/memory_cells.h"
#include "specializer/region_module.h"
#include "specializer/speculation/errno_math.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {
namespace {

/// What is assumed of the place that a load reads, or null.
const specrt_cell_fact *factAbout(const LoadInst &Load, ArrayRef<specrt_cell_fact> Known,
                                  const SymbolIndex &Symbols) {
  std::optional<specrt_cell> Cell = cellOf(Load, Symbols);
  if (!Cell)
    return nullptr;
  const auto *Fact =
      find_if(Known, [&](const specrt_cell_fact &K) { return isSameCell(K.cell, *Cell); });
  return Fact == Known.end() ? nullptr : Fact;
}

} // namespace

SmallVector<specrt_cell_fact, 4> assumeMemoryValues(Function &F, const specrt_region &Region,
                                                    ArrayRef<specrt_cell_fact> Known) {
  SmallVector<specrt_cell_fact, 4> Assumed;
  auto Symbols = [&](const GlobalValue &GV) { return symbolNumber(Region, GV); };
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
    const specrt_cell_fact *Fact = factAbout(*Load, Known, Symbols);
    if (Fact && !factAbout(*Load, Assumed, Symbols))
      Assumed.push_back(*Fact);
  }
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Load = dyn_cast<LoadInst>(&I);
    const specrt_cell_fact *Fact = Load ? factAbout(*Load, Assumed, Symbols) : nullptr;
    if (!Fact)
      continue;
    Load->replaceAllUsesWith(ConstantInt::get(Load->getType(), Fact->value));
    Load->eraseFromParent();
  }
  return Assumed;
}

} // namespace specrt
