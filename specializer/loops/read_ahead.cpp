//===- specializer/loops/read_ahead.cpp - values that loops read one iteration early ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/read_ahead.h"
#include "specializer/loops/independence/loop_accesses.h"
#include "specializer/loops/loop_shape.h"
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
      : FAM(FAM), SE(FAM.getResult<ScalarEvolutionAnalysis>(F)), LI(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)), Expander(SE, "ahead") {}

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

  FunctionAnalysisManager &FAM;
  ScalarEvolution &SE;
  LoopInfo &LI;
  DominatorTree &DT;
  SCEVExpander Expander;
};

/// Returns whether \p L does not write the memory that \p Load reads. Types prove that only for
/// memory that keeps its type: an iteration may read an int and write a double to its place.
bool ReadAheads::isConstantIn(const LoadInst &Load, const Loop &L) {
  LoopAccesses Memory(L, FAM);
  if (!Memory.collect([](const AllocaInst &) { return false; }))
    return false;
  const auto *Read = find_if(Memory.all(), [&](const LoopAccess &A) { return A.I == &Load; });
  return all_of(Memory.all(), [&](const LoopAccess &A) {
    return !A.IsWrite || Memory.areDifferentObjects(*Read, A);
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
