//===- specializer/sparse/loops/row_loop.cpp - loops over the rows of sparse data ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/loops/row_loop.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace specrt {

static specrt_note_code aboutObstacle(StringRef Obstacle) {
  return StringSwitch<specrt_note_code>(Obstacle)
      .Cases({"it writes what decides", "what it reads leads on to where it reads"},
             SPECRT_NOTE_ROWS_WRITE)
      .Case("it can be left early", SPECRT_NOTE_ROWS_EXIT)
      .Cases({"it reads pointers to what it accesses", "it computes pointers to what it accesses",
              "it writes pointers to what it accesses"},
             SPECRT_NOTE_ROWS_POINTERS)
      .Cases({"it computes a value that is used after it", "it carries a value from row to row",
              "it carries many values from row to row"},
             SPECRT_NOTE_ROWS_CARRY)
      .Default(SPECRT_NOTE_ROWS_OTHER);
}

RowObstacle RowObstacle::of(const Loop &L, const char *Obstacle) {
  const DebugLoc Start = L.getStartLoc();
  const std::string Where = Start ? " in line " + std::to_string(Start.getLine()) : "";
  return {aboutObstacle(Obstacle), "no loop over rows" + Where + ": " + Obstacle};
}

const Loop *RowLoop::opaqueAround(const LoopInfo &LI, const BasicBlock *BB) const {
  for (const Loop *Around = LI.getLoopFor(BB); Around && Around != L;
       Around = Around->getParentLoop())
    if (Opaque.contains(Around))
      return Around;
  return nullptr;
}

bool RowLoop::leavesCounted(const Loop &Inner, const BasicBlock &BB) const {
  return &Inner != L && !Stepped.contains(&Inner) && Inner.getExitingBlock() == &BB;
}

uint32_t RowLoop::inputOf(const RowBase &Base) const {
  const auto Found = llvm::find(Inputs, Base.Pointer);
  return Found == Inputs.end() ? SPECRT_ROWS_NO_INPUT : uint32_t(Found - Inputs.begin());
}

bool RowLoop::hasAddresses() const {
  const auto IsPointer = [](const Instruction *I) { return I->getType()->isPointerTy(); };
  return any_of(Carried, IsPointer) || any_of(Deciding, IsPointer);
}

specrt_rows_places RowLoop::places() const {
  const auto Decides = [](const auto &Input) {
    return std::get<0>(Input)->getType()->isPointerTy() &&
           std::get<1>(Input) == SPECRT_ROWS_DECIDING;
  };
  if (hasAddresses() || any_of(Bases, [](const RowBase &B) { return !B.Pointer; }) ||
      any_of(zip(Inputs, IsDeciding), Decides))
    return SPECRT_ROWS_HERE;
  // Circular accesses must be on pages of other accesses.
  return Circular.empty() ? SPECRT_ROWS_ANYWHERE : SPECRT_ROWS_ON_ANY_PAGE;
}

bool RowLoop::decidesByIteration(ScalarEvolution &SE) const {
  return any_of(Deciding, [&](const Instruction *I) {
    Value *Address = const_cast<Value *>(getLoadStorePointerOperand(I));
    return SE.isSCEVable(Address->getType()) && !SE.isLoopInvariant(SE.getSCEV(Address), L) &&
           SCEVExprContains(SE.getSCEV(Address), [&](const SCEV *S) {
             const auto *Rec = dyn_cast<SCEVAddRecExpr>(S);
             return Rec && Rec->getLoop() == L;
           });
  });
}

bool RowLoop::hasNarrowCarried() const {
  return all_of(Carried, [](const PHINode *Phi) {
    return Phi->getType()->isIntegerTy() && Phi->getType()->getIntegerBitWidth() <= 32;
  });
}

bool isReadWithin(const Loop &L, const Value &V) {
  SmallSetVector<const Value *, 16> Work;
  Work.insert(&V);
  for (unsigned I = 0; I < Work.size(); ++I) {
    const auto *Step = dyn_cast<Instruction>(Work[I]);
    if (!Step || !L.contains(Step))
      continue;
    if (isa<LoadInst>(Step))
      return true;
    for (const Value *Operand : Step->operands())
      Work.insert(Operand);
  }
  return false;
}

} // namespace specrt
