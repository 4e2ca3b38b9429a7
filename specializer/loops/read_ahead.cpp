//===- specializer/loops/read_ahead.cpp - values that loops read one iteration early ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/read_ahead.h"
#include "specializer/loops/loop_shape.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {
namespace {

class ReadAheads {
public:
  ReadAheads(Function &F, FunctionAnalysisManager &FAM)
      : SE(FAM.getResult<ScalarEvolutionAnalysis>(F)), LI(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)), AA(FAM.getResult<AAManager>(F)),
        Expander(SE, "ahead") {
    AA.enableCrossIterationMode();
  }

  unsigned reload(Loop &L) {
    unsigned Count = 0;
    if (isLeftBehindLatch(L))
      for (PHINode &Phi : make_early_inc_range(L.getHeader()->phis()))
        if (!SE.isSCEVable(Phi.getType()) || !counterOf(Phi, L, SE))
          Count += reload(Phi, L);
    return Count;
  }

private:
  bool reload(PHINode &Phi, Loop &L);
  bool isConstantIn(const LoadInst &Load, const Loop &L);

  ScalarEvolution &SE;
  LoopInfo &LI;
  DominatorTree &DT;
  BatchAAResults AA; ///< answers are valid for two different iterations
  SCEVExpander Expander;
};

bool ReadAheads::isConstantIn(const LoadInst &Load, const Loop &L) {
  const auto Where =
      MemoryLocation::getBeforeOrAfter(Load.getPointerOperand(), Load.getAAMetadata());
  return all_of(L.blocks(), [&](const BasicBlock *BB) {
    return all_of(*BB, [&](const Instruction &I) {
      return !I.mayWriteToMemory() || !isModSet(AA.getModRefInfo(&I, Where));
    });
  });
}

bool ReadAheads::reload(PHINode &Phi, Loop &L) {
  auto *const Load = dyn_cast<LoadInst>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
  if (!Load || !Load->isSimple() || LI.getLoopFor(Load->getParent()) != &L ||
      !DT.dominates(Load, L.getLoopLatch()->getTerminator()) || !isConstantIn(*Load, L))
    return false;
  const auto *Address = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Load->getPointerOperand()));
  Instruction *const Before = L.getLoopPreheader()->getTerminator();
  if (!Address || Address->getLoop() != &L || !Address->isAffine() ||
      !isa<SCEVConstant>(Address->getStepRecurrence(SE)) ||
      !Expander.isSafeToExpandAt(Address->getStart(), Before))
    return false;
  Value *const Begin = Expander.expandCodeFor(Address->getStart(), nullptr, Before);
  const auto At = L.getHeader()->getFirstInsertionPt();
  Type *const Word = Type::getInt64Ty(Phi.getContext());
  Value *const Number = Expander.expandCodeFor(
      SE.getAddRecExpr(SE.getZero(Word), SE.getOne(Word), &L, SCEV::FlagAnyWrap), Word, At);
  IRBuilder<> B(L.getHeader(), At);
  // The first iteration reads what it reads in any case, and does not use it.
  Value *Last = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Number, B.getInt64(1));
  Value *Step = cast<SCEVConstant>(Address->getStepRecurrence(SE))->getValue();
  LoadInst *Again = B.CreateAlignedLoad(
      Phi.getType(), B.CreatePtrAdd(Begin, B.CreateMul(Last, B.CreateSExtOrTrunc(Step, Word))),
      Load->getAlign());
  Again->setAAMetadata(Load->getAAMetadata());
  Value *Known = B.CreateSelect(B.CreateICmpEQ(Number, B.getInt64(0)),
                                Phi.getIncomingValueForBlock(L.getLoopPreheader()), Again);
  SE.forgetValue(&Phi);
  Phi.replaceAllUsesWith(Known);
  Phi.eraseFromParent();
  return true;
}

} // namespace

unsigned reloadReadAheads(Function &F, FunctionAnalysisManager &FAM) {
  ReadAheads All(F, FAM);
  unsigned Count = 0;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    Count += All.reload(*L);
  return Count;
}

} // namespace specrt
