//===- specializer/polyhedral/model/carried_values.cpp - reloads what loops carry -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "specializer/polyhedral/model/carried_values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {
namespace {

class CarriedValue {
public:
  CarriedValue(PHINode &Phi, const Loop &L, const LoopInfo &LI, ScalarEvolution &SE, AAResults &AA)
      : Phi(Phi), L(L), LI(LI), SE(SE), AA(AA), Body(*L.getHeader()) {}

  bool reload() {
    auto *First = dyn_cast<LoadInst>(Phi.getIncomingValueForBlock(L.getLoopPreheader()));
    if (!First || !First->isSimple() || !reachesLoop(*First) || !findAccess())
      return false;
    const SCEV *Start = SE.getSCEV(First->getPointerOperand());
    const SCEV *Step = Address->getStepRecurrence(SE);
    // The next iteration must find its value where this iteration's access goes.
    if (Start->getType() != Address->getStart()->getType() ||
        SE.getMinusSCEV(Address->getStart(), Start) != Step || isOverwritten())
      return false;
    const SCEV *Place = SE.getAddRecExpr(Start, Step, &L, SCEV::FlagAnyWrap);
    // The first iteration reads where First does, all others where Access goes.
    replaceBy(Place, std::min(First->getAlign(), getLoadStoreAlignment(Access)));
    RecursivelyDeleteTriviallyDeadInstructions(First);
    return true;
  }

private:
  int64_t size() const {
    return static_cast<int64_t>(
        Phi.getDataLayout().getTypeStoreSize(Phi.getType()).getFixedValue());
  }

  /// Returns whether memory still holds \p First when the loop begins.
  bool reachesLoop(LoadInst &First) {
    const BasicBlock *Before = L.getLoopPreheader();
    if (First.getParent() == Before)
      return none_of(make_range(First.getIterator(), First.getParent()->end()),
                     [](const Instruction &I) { return I.mayWriteToMemory(); });
    // If First is loaded farther out, nothing executed in between may write there. Both are in the
    // same iteration of the loops around the load, so that addresses are comparable.
    const Loop *Around = LI.getLoopFor(First.getParent());
    if (Around && !Around->contains(&L))
      return false;
    const SCEV *Pointer = SE.getSCEV(First.getPointerOperand());
    return none_of(instructions(*Body.getParent()), [&](Instruction &I) {
      return (!Around || Around->contains(&I)) && mayWriteTo(I, First, Pointer);
    });
  }

  /// Returns whether \p I may write to what \p Access reads or writes at \p Pointer.
  bool mayWriteTo(Instruction &I, Instruction &Access, const SCEV *Pointer) {
    if (!I.mayWriteToMemory())
      return false;
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store || !Store->isSimple())
      return true;
    const SCEV *Written = SE.getSCEV(Store->getPointerOperand());
    if (SE.getPointerBase(Written) != SE.getPointerBase(Pointer))
      return !AA.isNoAlias(MemoryLocation::get(Store), MemoryLocation::get(&Access));
    auto Size = static_cast<int64_t>(Store->getDataLayout()
                                         .getTypeStoreSize(Store->getValueOperand()->getType())
                                         .getFixedValue());
    ConstantRange Distance = SE.getSignedRange(SE.getMinusSCEV(Written, Pointer));
    return Distance.getSignedMin().slt(size()) && Distance.getSignedMax().sgt(-Size);
  }

  /// Finds the load or store in the loop whose value the next iteration receives.
  bool findAccess() {
    Value *Next = Phi.getIncomingValueForBlock(&Body);
    for (Instruction &I : Body) {
      auto *Store = dyn_cast<StoreInst>(&I);
      bool Loads = &I == Next && isa<LoadInst>(I) && cast<LoadInst>(I).isSimple();
      bool Stores = Store && Store->getValueOperand() == Next && Store->isSimple();
      if (!Loads && !Stores)
        continue;
      auto *Recurrence = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(getLoadStorePointerOperand(&I)));
      if (!Recurrence || Recurrence->getLoop() != &L || !Recurrence->isAffine())
        continue;
      Access = &I;
      Address = Recurrence;
    }
    return Access;
  }

  /// Returns whether something may write to the place between the access and the end of its
  /// iteration.
  bool isOverwritten() {
    return any_of(make_range(std::next(Access->getIterator()), Body.end()),
                  [&](Instruction &I) { return mayWriteTo(I, *Access, Address); });
  }

  void replaceBy(const SCEV *Place, Align Alignment) {
    SCEVExpander Expander(SE, "reload");
    BasicBlock::iterator At = Body.getFirstInsertionPt();
    Value *Pointer = Expander.expandCodeFor(Place, Place->getType(), At);
    auto *Load = new LoadInst(Phi.getType(), Pointer, Phi.getName() + ".reload",
                              /*isVolatile=*/false, Alignment, At);
    Load->setDebugLoc(Phi.getDebugLoc());
    SE.forgetValue(&Phi);
    Phi.replaceAllUsesWith(Load);
    Phi.eraseFromParent();
  }

  PHINode &Phi;
  const Loop &L;
  const LoopInfo &LI;
  ScalarEvolution &SE;
  AAResults &AA;
  BasicBlock &Body;
  Instruction *Access = nullptr;
  const SCEVAddRecExpr *Address = nullptr;
};

} // namespace

bool reloadCarriedValues(const LoopInfo &LI, ScalarEvolution &SE, AAResults &AA) {
  bool Changed = false;
  for (const Loop *L : LI.getLoopsInPreorder()) {
    if (L->getNumBlocks() != 1 || !L->getLoopPreheader())
      continue;
    for (PHINode &Phi : make_early_inc_range(L->getHeader()->phis()))
      if (!SE.isSCEVable(Phi.getType()) || !isa<SCEVAddRecExpr>(SE.getSCEV(&Phi)))
        Changed |= CarriedValue(Phi, *L, LI, SE, AA).reload();
  }
  return Changed;
}

} // namespace specrt
