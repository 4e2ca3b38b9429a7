//===- instrument/select/eligibility.cpp - code that cannot or should not be a region ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region runs in another function, perhaps as another version, so everything in it must mean the
// same there and must not unwind out of it. Calls are allowed when their effects are limited or
// their definitions can be seen and obey the same rules.
//
//===----------------------------------------------------------------------===//
#include "instrument/select/eligibility.h"
#include "analysis/eligibility.h"
#include "instrument/select/definitions.h"
#include "instrument/select/distant_calls.h"
#include "instrument/select/driver_loop.h"
#include "instrument/select/recursion.h"
#include "instrument/select/unprofitable.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {

// The depth to which visible callees are examined.
static constexpr unsigned MaxCalleeDepth = 3;

static Refusal refuseInstruction(const Instruction &I, unsigned Depth);

static Refusal refuseIntrinsic(const IntrinsicInst &I) {
  if (I.isAssumeLikeIntrinsic() || I.isLifetimeStartOrEnd())
    return {};
  MemoryEffects Elsewhere = I.getMemoryEffects().getWithoutLoc(IRMemLocation::ArgMem);
  if (I.isConvergent() || I.cannotDuplicate() || !I.doesNotThrow() ||
      !Elsewhere.doesNotAccessMemory())
    return {("it uses " + Intrinsic::getBaseName(I.getIntrinsicID())).str(), &I};
  return {};
}

/// Examines a visible definition: its body must obey the rules of a region.
static Refusal refuseDefinition(const Function &F, const CallBase &Call, unsigned Depth) {
  std::string Name = F.getName().str();
  if (Depth >= MaxCalleeDepth || !reasonAgainst(F).empty() ||
      F.getInstructionCount() > MaxCalleeInstructions)
    return {"it calls " + Name + ", which is too large or special", &Call};
  // Loops that are not short become regions of their own, before or after this one.
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> Backedges;
  FindFunctionBackedges(F, Backedges);
  if ((!Backedges.empty() && !F.hasFnAttribute(ShortLoopsAttribute)) ||
      F.hasFnAttribute("specrt-instrumented"))
    return {"it calls " + Name + ", which has loops of its own", &Call};
  for (const Instruction &I : instructions(F)) {
    if (const auto *Inner = dyn_cast<CallBase>(&I); Inner && Inner->getCalledFunction() == &F)
      return {"it calls " + Name + ", which is recursive", &Call};
    if (isa<ReturnInst>(I) || (isa<AllocaInst>(I) && I.getParent()->isEntryBlock()))
      continue;
    if (Refusal Why = refuseInstruction(I, Depth + 1))
      return {"it calls " + Name + ": " + Why.Text, &Call};
  }
  return {};
}

static Refusal refuseCall(const CallBase &Call, unsigned Depth) {
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return refuseIntrinsic(*Intrinsic);
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return {"it calls through a pointer", &Call};

  MemoryEffects Elsewhere = Call.getMemoryEffects()
                                .getWithoutLoc(IRMemLocation::ArgMem)
                                .getWithoutLoc(IRMemLocation::ErrnoMem);
  if (Call.doesNotThrow() && Call.hasFnAttr(Attribute::WillReturn) && Elsewhere.onlyReadsMemory())
    return {};
  // Attributes hold for all definitions of an inline function, even if the compiler has derived
  // other facts from one of them only.
  if (hasMeaningOfCalls(*Callee) && (Callee->isDefinitionExact() || Call.doesNotThrow()))
    return refuseDefinition(*Callee, Call, Depth);
  if (!Call.doesNotThrow())
    return {("it calls " + Callee->getName() +
             (hasMeaningOfCalls(*Callee) ? ", which is not noexcept and may be another file's"
                                         : ", which may throw"))
                .str(),
            &Call};
  return {("it calls " + Callee->getName() + ", whose effects are unknown").str(), &Call};
}

static Refusal refuseInstruction(const Instruction &I, unsigned Depth) {
  if (std::string Why = reasonAgainst(I); !Why.empty())
    return {"it " + Why, &I};
  if (isa<AllocaInst>(I))
    return {"it allocates stack memory", &I};
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return refuseCall(*Call, Depth);
  return {};
}

Refusal refuseFunction(const Function &F, const LoopInfo &LI) {
  if (F.hasFnAttribute(Attribute::OptimizeNone))
    return {"the function is not optimized"};
  if (std::string Why = reasonAgainst(F); !Why.empty())
    return {"the function " + Why};
  ReversePostOrderTraversal<const Function *> Order(&F);
  if (containsIrreducibleCFG<const BasicBlock *>(Order, LI))
    return {"the function has irreducible control flow"};
  return {};
}

/// Returns a pointer that changes between iterations other than by a stride, as when two buffers
/// are swapped; null if there is none. No version can analyse accesses through such a pointer. In a
/// region inside the loop the pointer is an argument.
static const PHINode *exchangedPointer(const Loop &L, ScalarEvolution &SE) {
  for (const PHINode &Phi : L.getHeader()->phis())
    if (Phi.getType()->isPointerTy() &&
        !isa<SCEVAddRecExpr>(SE.getSCEV(const_cast<PHINode *>(&Phi))))
      return &Phi;
  return nullptr;
}

Refusal refuseCallee(const Function &F, const TargetLibraryInfo &TLI) {
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (isa<ReturnInst>(I) || (isa<AllocaInst>(I) && I.getParent()->isEntryBlock()) ||
        (Call && isDistantCall(*Call, TLI) && reasonAgainst(I).empty()))
      continue;
    if (Refusal Why = refuseInstruction(I, 0))
      return Why;
  }
  return {};
}

Refusal refuseBlocks(ArrayRef<BasicBlock *> Blocks, const Recursion &Calls,
                     ArrayRef<CallBase *> Distant) {
  for (const BasicBlock *Block : Blocks) {
    if (Block->hasAddressTaken())
      return {"the address of a label in it is taken", &*Block->begin()};
    for (const Instruction &I : *Block) {
      const bool IsDistant = is_contained(Distant, dyn_cast<CallBase>(&I));
      if (std::string Why = IsDistant ? reasonAgainst(I) : ""; !Why.empty())
        return {"it " + Why, &I};
      if (Refusal Why = IsDistant ? Refusal() : refuseInstruction(I, 0))
        return Why;
    }
  }
  if (const CallBase *Call = Calls.findCall(Blocks, Distant))
    return {("it calls " + Call->getCalledFunction()->getName() +
             ", through which its function may be called again")
                .str(),
            Call};
  return {};
}

Refusal refuseLoop(const Loop &L, ScalarEvolution &SE, const Recursion &Calls,
                   ArrayRef<CallBase *> Distant, bool Requested) {
  if (!L.isLoopSimplifyForm())
    return {"it has an entry or exit that cannot be made simple"};
  SmallVector<BasicBlock *> Exits;
  L.getExitBlocks(Exits);
  if (Exits.empty())
    return {"it has no exit"};
  for (const BasicBlock *Exit : Exits)
    if (Exit->isEHPad())
      return {"it handles exceptions", &*Exit->begin()};
  if (Refusal Why = refuseBlocks(L.getBlocks(), Calls, Distant))
    return Why;
  if (!L.isInnermost())
    if (const PHINode *Phi = exchangedPointer(L, SE))
      return {"it exchanges pointers between iterations", Phi};
  if (Requested)
    return {};
  if (const char *Why = drivesOthers(L, SE))
    return {Why};
  return {whyUnprofitable(L, SE)};
}

} // namespace specrt
