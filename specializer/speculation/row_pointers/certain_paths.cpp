//===- specializer/speculation/row_pointers/certain_paths.cpp - iterations of every call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/row_pointers/certain_paths.h"
#include "analysis/memory/scev_value.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace specrt {

static constexpr unsigned MaxDepth = 4, MaxBlocks = 200;

std::optional<int64_t> CertainPaths::valueOf(const SCEV *S, const LoopPoint &At) const {
  ScevValue Value(S, SE);
  if (!Value.isKnown())
    return std::nullopt;
  SmallVector<uint64_t, 4> Iterations;
  for (const Loop *L : Value.loops()) {
    const auto *Found = find(At.Loops, L);
    if (Found == At.Loops.end())
      return std::nullopt;
    Iterations.push_back(At.Iterations[size_t(Found - At.Loops.begin())]);
  }
  return Value.at(Iterations);
}

/// Returns the successor of \p Block, or null if it is unknown.
const BasicBlock *CertainPaths::next(const BasicBlock &Block, const LoopPoint &At) const {
  if (const BasicBlock *Only = Block.getSingleSuccessor())
    return Only;
  const auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
  const auto *Compare = Branch ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy())
    return nullptr;
  const unsigned Width = Compare->getOperand(0)->getType()->getIntegerBitWidth();
  std::optional<int64_t> A = valueOf(SE.getSCEV(Compare->getOperand(0)), At),
                         B = valueOf(SE.getSCEV(Compare->getOperand(1)), At);
  if (!A || !B || Width > 64)
    return nullptr;
  auto Number = [&](int64_t V) {
    return APInt(Width, uint64_t(V), /*isSigned=*/true, /*implicitTrunc=*/true);
  };
  const bool Holds = ICmpInst::compare(Number(*A), Number(*B), Compare->getPredicate());
  return Branch->getSuccessor(Holds ? 0 : 1);
}

/// Returns whether \p From leads to \p To in an iteration of the innermost loop of \p At; inner
/// loops are passed as a whole.
bool CertainPaths::leadsTo(const BasicBlock *From, const BasicBlock *To,
                           const LoopPoint &At) const {
  const Loop *Around = At.Loops.empty() ? nullptr : At.Loops.back();
  for (unsigned N = 0; N < MaxBlocks; ++N) {
    if (From == To)
      return true;
    const Loop *L = LI.getLoopFor(From);
    From = L == Around ? next(*From, At) : L->getUniqueExitBlock();
    if (!From || (Around && (From == Around->getHeader() || !Around->contains(From))))
      return false;
    // The path must not enter the middle of a loop, nor leave several loops at once.
    const Loop *Inner = LI.getLoopFor(From);
    if (Inner != Around && (Inner->getParentLoop() != Around || Inner->getHeader() != From))
      return false;
  }
  return false;
}

void CertainPaths::visit(const Instruction &I, ArrayRef<const Loop *> Left, const BasicBlock *From,
                         LoopPoint &At, function_ref<void(const LoopPoint &At)> Visit) const {
  const BasicBlock *To = Left.empty() ? I.getParent() : Left.front()->getHeader();
  if (!leadsTo(From, To, At))
    return;
  if (Left.empty())
    return Visit(At);
  const Loop *L = Left.front();
  const SCEV *Count = SE.getBackedgeTakenCount(L);
  std::optional<int64_t> Last = isa<SCEVCouldNotCompute>(Count) ? std::nullopt : valueOf(Count, At);
  if (!Last || *Last < 0)
    return;
  SmallSetVector<int64_t, 4> Some;
  for (int64_t T : {int64_t{0}, int64_t{1}, *Last - 1, *Last})
    if (T >= 0 && T <= *Last)
      Some.insert(T);
  At.Loops.push_back(L);
  for (int64_t T : Some) {
    At.Iterations.push_back(uint64_t(T));
    visit(I, Left.drop_front(), L->getHeader(), At, Visit);
    At.Iterations.pop_back();
  }
  At.Loops.pop_back();
}

void CertainPaths::forEach(const Instruction &I,
                           function_ref<void(const LoopPoint &At)> Visit) const {
  SmallVector<const Loop *, 4> Around;
  for (const Loop *L = LI.getLoopFor(I.getParent()); L; L = L->getParentLoop())
    Around.insert(Around.begin(), L);
  LoopPoint At;
  if (Around.size() <= MaxDepth)
    visit(I, Around, &I.getFunction()->getEntryBlock(), At, Visit);
}

} // namespace specrt
