//===- specializer/speculation/memory/memory_values.cpp - assumes sizes in memory -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/memory/memory_values.h"
#include "analysis/memory/entry_path.h"
#include "analysis/memory/memory_cells.h"
#include "guards/address.h"
#include "guards/memory/load_equal.h"
#include "guards/words.h"
#include "specializer/module/optimize.h"
#include "specializer/module/region_module.h"
#include "specializer/speculation/errno_math.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns the assumption about the place that \p Load reads, or null.
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
    // No guard can exclude errno: every thread has its own.
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

namespace {

/// Limit on rounds: sizes may depend on sizes, as when s->n decides whether s->m is read at all.
constexpr unsigned MaxRounds = 3;

class MemoryValues final : public Speculation {
  bool isTentative() const override { return true; }
  Applied apply(Speculative &On) const override;
};

void addPremises(const specrt_cell_fact &Fact, const specrt_region &Region, Premises &Known) {
  const specrt_cell &Cell = Fact.cell;
  const specrt_range Bytes = {Cell.base, constantPolynomial(Cell.begin),
                              constantPolynomial(int64_t{Cell.begin} + Cell.width)};
  appendLoadEqual(Known.Guards, Cell.base, Bytes.begin, Cell.width, Fact.value);
  Known.Unwritten.push_back(
      {Bytes,
       "the size in memory at " + describe(Cell.base, Region) + " + " + std::to_string(Cell.begin),
       "is taken to be " + std::to_string(Fact.value)});
}

Applied MemoryValues::apply(Speculative &On) const {
  const ArrayRef Cells(On.Request.cells, On.Request.num_cells);
  Applied What = Applied::Nothing;
  for (unsigned Round = 0; Round < MaxRounds; ++Round) {
    SmallVector<specrt_cell_fact, 4> Assumed = assumeMemoryValues(On.F, On.region(), Cells);
    if (Assumed.empty())
      break;
    What = Applied::Done;
    for (const specrt_cell_fact &Fact : Assumed)
      addPremises(Fact, On.region(), On.Known);
    On.Passes.forget();
    On.Passes.simplify(*On.F.getParent());
  }
  return What;
}

} // namespace

const Speculation &memoryValues() {
  static constexpr MemoryValues Only;
  return Only;
}

} // namespace specrt
