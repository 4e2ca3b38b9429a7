//===- specializer/speculation/memory/memory_calls.cpp - fills and copies as loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/memory/memory_calls.h"
#include "analysis/memory/access_ranges.h"
#include "specializer/module/memory_loops.h"
#include "specializer/module/optimize.h"
#include "specializer/module/region_module.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace specrt {
namespace {

class MemoryCalls final : public Speculation {
  Applied apply(Speculative &On) const override {
    return expandMemoryCalls(On.F, On.Passes) > 0 ? Applied::Done : Applied::Nothing;
  }
};

/// Returns the two arrays of each memmove whose ranges a guard could compare.
MapVector<const MemMoveInst *, SeparateArrays> findMoves(Speculative &On) {
  MapVector<const MemMoveInst *, SeparateArrays> Found;
  if (none_of(instructions(On.F), [](const Instruction &I) { return isa<MemMoveInst>(I); }))
    return Found;
  FunctionAnalysisManager &FAM = On.Passes.functions();
  const AccessSummary Accesses = computeAccesses(
      On.F, FAM.getResult<ScalarEvolutionAnalysis>(On.F), FAM.getResult<LoopAnalysis>(On.F),
      /*AssumeNoWrap=*/false, [&](const GlobalValue &GV) { return symbolNumber(On.region(), GV); });
  MapVector<const MemMoveInst *, SmallVector<specrt_base, 2>> BasesOf;
  for (const BaseAccesses &Base : Accesses.Bases)
    for (const Instruction *Access : Base.Instructions)
      if (const auto *Move = dyn_cast<MemMoveInst>(Access))
        BasesOf[Move].push_back(Base.Base);
  for (const auto &[Move, Bases] : BasesOf)
    if (Bases.size() == 2 && !is_contained(Accesses.Unattributed, Move))
      Found[Move] = {Bases[0], Bases[1]};
  return Found;
}

class SeparateMoves final : public Speculation {
  bool isTentative() const override { return true; }
  Applied apply(Speculative &On) const override {
    const MapVector<const MemMoveInst *, SeparateArrays> Moves = findMoves(On);
    On.Passes.forget();
    if (Moves.empty())
      return Applied::Nothing;
    const unsigned NumLoops = expandMemoryCalls(On.F, On.Passes, [&](const MemMoveInst &Move) {
      const auto *Found = Moves.find(&Move);
      if (Found == Moves.end())
        return false;
      On.Known.Separate.push_back(Found->second);
      return true;
    });
    return NumLoops > 0 ? Applied::Done : Applied::Nothing;
  }
};

} // namespace

const Speculation &memoryCalls() {
  static constexpr MemoryCalls Only;
  return Only;
}

const Speculation &separateMoves() {
  static constexpr SeparateMoves Only;
  return Only;
}

} // namespace specrt
