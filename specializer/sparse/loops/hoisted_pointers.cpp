//===- specializer/sparse/loops/hoisted_pointers.cpp - hoists pointers that a loop reloads -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/loops/hoisted_pointers.h"
#include "specializer/loops/loop_shape.h"
#include "specializer/sparse/canonical/entry_runs.h"
#include "specializer/speculation/errno_math.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns whether nothing in \p F frees memory, or synchronises with a thread that may free it.
bool keepsMemory(const Function &F) {
  return F.doesNotFreeMemory() && none_of(instructions(F), [](const Instruction &I) {
           if (I.isAtomic() || I.isVolatile())
             return true;
           const auto *Call = dyn_cast<CallInst>(&I);
           return isa<CallBase>(I) && !isa<IntrinsicInst>(I) &&
                  !(Call && (isRoot(*Call) || reportsRangeOnly(*Call) || isAboutRuns(*Call)));
         });
}

/// Returns whether a pointer can be loaded from \p Offset behind \p Base anywhere in \p F.
bool canBeRead(const Value *Base, const APInt &Offset, const Function &F) {
  const auto *Passed = dyn_cast<Argument>(Base);
  constexpr uint64_t Bytes = sizeof(void *);
  return Passed && Offset.isNonNegative() && Offset.getActiveBits() < 32 &&
         Passed->getDereferenceableBytes() >= Offset.getZExtValue() + Bytes && keepsMemory(F);
}

} // namespace

HoistedPointers::HoistedPointers(const Loop &L, const DominatorTree &DT) {
  if (!isLeftBehindLatch(L))
    return;
  SmallVector<LoadInst *> Loads;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (auto *Load = dyn_cast<LoadInst>(&I);
          Load && Load->getType()->isPointerTy() && Load->isSimple())
        Loads.push_back(Load);
  // A hoisted pointer may be the address of another one.
  while (any_of(Loads, [&](LoadInst *&Load) {
    return Load && hoist(*Load, L, DT) && (Load = nullptr, true);
  })) {
  }
}

bool HoistedPointers::hoist(LoadInst &Load, const Loop &L, const DominatorTree &DT) {
  const DataLayout &DL = Load.getDataLayout();
  APInt Offset(DL.getIndexTypeSizeInBits(Load.getPointerOperandType()), 0);
  Value *Base = Load.getPointerOperand()->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  if (!L.isLoopInvariant(Base) || Load.getPointerAddressSpace() != 0 ||
      Load.getType()->getPointerAddressSpace() != 0)
    return false;
  if (!DT.dominates(Load.getParent(), L.getLoopLatch()) &&
      !canBeRead(Base, Offset, *Load.getFunction()))
    return false;
  IRBuilder<> B(L.getLoopPreheader()->getTerminator());
  Value *From = B.CreateGEP(B.getInt8Ty(), Base, B.getInt(Offset));
  Hoisted New = {&Load, B.CreateAlignedLoad(Load.getType(), From, Align(1)), {}};
  for (Use &U : Load.uses())
    if (const auto *User = dyn_cast<Instruction>(U.getUser()); User && L.contains(User))
      New.Uses.push_back(&U);
  for (Use *U : New.Uses)
    U->set(New.Before);
  All.push_back(std::move(New));
  return true;
}

HoistedPointers::~HoistedPointers() {
  for (Hoisted &Each : reverse(All)) {
    for (Use *U : Each.Uses)
      U->set(Each.Load);
    RecursivelyDeleteTriviallyDeadInstructions(Each.Before);
  }
}

} // namespace specrt
