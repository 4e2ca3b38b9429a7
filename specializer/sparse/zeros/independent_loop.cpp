//===- specializer/sparse/zeros/independent_loop.cpp - iterations in any order ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/zeros/independent_loop.h"
#include "specializer/sparse/forms/loop_shape.h"
#include "specializer/sparse/loops/loop_copy.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace specrt {
namespace {

/// Pairs of accesses grow with their square.
constexpr size_t MaxAccesses = 64;
/// With fewer iterations than 2^32 and steps below this, no address wraps around to another.
constexpr int64_t MaxStep = int64_t{1} << 31;

class IterationProof {
public:
  IterationProof(const Loop &L, ScalarEvolution &SE, AAResults &AA)
      : L(L), SE(SE), AA(AA), Word(Type::getInt64Ty(SE.getContext())) {}

  bool run();
  IndependentLoop Found;

private:
  struct Access {
    Instruction *I;
    MemoryLocation Where; ///< in any iteration
    bool IsWrite;
    const SCEV *Address;
    uint64_t Bytes;
  };
  /// What one iteration touches: from Start + Low to before Start + High, where Start is Step
  /// bytes further in each iteration.
  struct Range {
    const SCEV *Start = nullptr, *Step = nullptr, *Low = nullptr, *High = nullptr;
  };

  bool carriesCountersOnly() const;
  bool leavesNothing() const;
  bool collect();
  bool addAccess(Instruction &I);
  const SCEV *mostTaken(const Loop &Inner) const;
  std::optional<Range> rangeOf(const Access &A) const;
  bool areApart(const Access &A, const Access &B);
  bool demand(const SCEV *Small, const SCEV *Large);
  bool isKnownBefore(const SCEV *S) const { return specrt::isKnownBefore(L, S, SE); }

  const Loop &L;
  ScalarEvolution &SE;
  AAResults &AA;
  Type *Word;
  SmallVector<Access> Accesses;
};

bool IterationProof::carriesCountersOnly() const {
  return all_of(L.getHeader()->phis(),
                [&](PHINode &Phi) { return counterOf(Phi, L, SE) != nullptr; });
}

bool IterationProof::leavesNothing() const {
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      for (const User *U : I.users())
        if (!L.contains(cast<Instruction>(U)))
          return false;
  return true;
}

bool IterationProof::addAccess(Instruction &I) {
  const auto Add = [&](Value *Pointer, uint64_t Bytes, bool IsWrite) {
    Accesses.push_back({&I, MemoryLocation::getBeforeOrAfter(Pointer, I.getAAMetadata()), IsWrite,
                        SE.getSCEV(Pointer), Bytes});
    return Accesses.size() <= MaxAccesses;
  };
  const DataLayout &DL = I.getDataLayout();
  const auto BytesOf = [&](Type *T) { return DL.getTypeStoreSize(T).getKnownMinValue(); };
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() && Add(Load->getPointerOperand(), BytesOf(Load->getType()), false);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return Store->isSimple() &&
           Add(Store->getPointerOperand(), BytesOf(Store->getValueOperand()->getType()), true);
  if (auto *Set = dyn_cast<MemSetInst>(&I)) {
    const auto *Length = dyn_cast<ConstantInt>(Set->getLength());
    return !Set->isVolatile() && Length && Length->getValue().isIntN(31) &&
           Add(Set->getRawDest(), Length->getZExtValue(), true);
  }
  return isOnlySaid(I) || (!I.mayReadOrWriteMemory() && !I.mayThrow() && I.willReturn());
}

bool IterationProof::collect() {
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (!addAccess(I))
        return false;
  return true;
}

/// The most iterations but one that \p Inner has in one of L, where it runs at all. Counters go
/// up to what loops do really execute, so these sums do not wrap where they matter.
const SCEV *IterationProof::mostTaken(const Loop &Inner) const {
  const SCEV *Taken = SE.getBackedgeTakenCount(&Inner);
  if (isa<SCEVCouldNotCompute>(Taken) || SE.getTypeSizeInBits(Taken->getType()) > 64)
    return nullptr;
  Taken = SE.getNoopOrZeroExtend(Taken, Word);
  while (const auto *Varying = dyn_cast<SCEVAddRecExpr>(Taken)) {
    if (!L.contains(Varying->getLoop()))
      break;
    const SCEV *Step = Varying->getStepRecurrence(SE);
    if (!Varying->isAffine())
      return nullptr;
    if (SE.isKnownNonPositive(Step)) {
      Taken = Varying->getStart();
      continue;
    }
    const SCEV *Last = SE.getBackedgeTakenCount(Varying->getLoop());
    if (!SE.isKnownNonNegative(Step) || isa<SCEVCouldNotCompute>(Last) ||
        SE.getTypeSizeInBits(Last->getType()) > 64)
      return nullptr;
    Taken = Varying->evaluateAtIteration(SE.getNoopOrZeroExtend(Last, Word), SE);
  }
  return isKnownBefore(Taken) ? Taken : nullptr;
}

std::optional<IterationProof::Range> IterationProof::rangeOf(const Access &A) const {
  Range R;
  R.Low = SE.getZero(Word);
  R.High = SE.getConstant(Word, A.Bytes);
  R.Start = A.Address;
  while (const auto *Varying = dyn_cast<SCEVAddRecExpr>(R.Start)) {
    const Loop *With = Varying->getLoop();
    const SCEV *Step = Varying->getStepRecurrence(SE);
    if (!L.contains(With))
      break;
    if (!Varying->isAffine())
      return std::nullopt;
    R.Start = Varying->getStart();
    if (With == &L) {
      R.Step = Step;
      break;
    }
    const auto *Known = dyn_cast<SCEVConstant>(Step);
    const SCEV *Taken = mostTaken(*With);
    if (!Known || !Known->getAPInt().isSignedIntN(31) || !Taken)
      return std::nullopt;
    const SCEV *&Further = Known->getAPInt().isNegative() ? R.Low : R.High;
    Further = SE.getAddExpr(Further, SE.getMulExpr(Step, Taken));
  }
  if (!R.Step || !isKnownBefore(R.Step) || !SE.isLoopInvariant(R.Start, &L))
    return std::nullopt;
  return R;
}

bool IterationProof::demand(const SCEV *Small, const SCEV *Large) {
  if (SE.isKnownPredicate(CmpInst::ICMP_SLE, Small, Large))
    return true;
  if (SE.isKnownPredicate(CmpInst::ICMP_SGT, Small, Large) || !isKnownBefore(Small) ||
      !isKnownBefore(Large))
    return false;
  Found.NoLarger.insert({Small, Large});
  return true;
}

/// Does no iteration access by \p A what another one accesses by \p B?
bool IterationProof::areApart(const Access &A, const Access &B) {
  if (A.I != B.I && AA.isNoAlias(A.Where, B.Where))
    return true;
  const std::optional<Range> OfA = rangeOf(A), OfB = rangeOf(B);
  if (!OfA || !OfB || OfA->Step != OfB->Step)
    return false;
  const SCEV *Between = SE.getMinusSCEV(OfB->Start, OfA->Start);
  if (!isa<SCEVConstant>(Between))
    return false;
  const SCEV *Step = OfA->Step;
  const SCEV *LowOfB = SE.getAddExpr(OfB->Low, Between),
             *HighOfB = SE.getAddExpr(OfB->High, Between);
  return demand(Step, SE.getConstant(Word, MaxStep)) &&
         demand(SE.getMinusSCEV(OfA->High, LowOfB), Step) &&
         demand(SE.getMinusSCEV(HighOfB, OfA->Low), Step);
}

bool IterationProof::run() {
  const SCEV *Taken = backedgesOf(L, SE);
  if (!Taken || !isKnownBefore(Taken) || !carriesCountersOnly() || !leavesNothing() || !collect())
    return false;
  Found.Header = L.getHeader();
  for (const Access &A : Accesses)
    for (const Access &B : Accesses)
      if (A.IsWrite && !areApart(A, B))
        return false;
  return demand(SE.getNoopOrZeroExtend(Taken, Word), SE.getConstant(Word, (int64_t{1} << 32) - 2));
}

} // namespace

std::vector<IndependentLoop> findIndependentLoops(Function &F, FunctionAnalysisManager &FAM) {
  const auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &AA = FAM.getResult<AAManager>(F);
  std::vector<IndependentLoop> All;
  SmallPtrSet<const Loop *, 8> Inside;
  for (const Loop *L : LI.getLoopsInPreorder()) {
    if (L->isInnermost() || Inside.contains(L->getParentLoop())) {
      Inside.insert(L);
      continue;
    }
    IterationProof Proof(*L, SE, AA);
    if (Proof.run()) {
      Inside.insert(L);
      All.push_back(std::move(Proof.Found));
    }
  }
  return All;
}

} // namespace specrt
