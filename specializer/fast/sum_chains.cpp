//===- specializer/fast/sum_chains.cpp - finds sums that loops carry ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/fast/sum_chains.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace specrt {
namespace {

/// Collects the operations of one sum, from the instruction that reads it at the beginning of an
/// iteration to those that keep it for the next iteration.
class Chain {
public:
  Chain(Instruction &Start, ArrayRef<const Instruction *> Keep, const Loop &L)
      : Start(Start), Keep(Keep), L(L) {}

  bool find(Value *Result);
  SumKind kind() const { return *Kind; }
  Intrinsic::ID extremum() const { return Extremum; }
  FastMathFlags flags() const { return Flags; }

private:
  bool follow(Instruction &Value, const Use &U);
  bool followComparison(Instruction &Value, FCmpInst &Compare);
  bool followCall(const Instruction &I, unsigned Operand);
  bool isComplete(const Instruction &I) const;
  bool setKind(SumKind New, Intrinsic::ID By = Intrinsic::not_intrinsic) {
    const bool Agrees = !Kind || (*Kind == New && Extremum == By);
    Kind = New;
    Extremum = By;
    return Agrees;
  }

  Instruction &Start;
  const SmallVector<const Instruction *, 2> Keep;
  const Loop &L;
  Instruction *Next = nullptr;
  std::optional<SumKind> Kind;
  Intrinsic::ID Extremum = Intrinsic::not_intrinsic;
  FastMathFlags Flags = FastMathFlags::getFast();
  SmallSetVector<Instruction *, 8> Values;
  /// Select instructions that return the smaller or larger of two numbers.
  SmallPtrSet<const Instruction *, 4> Extrema;
};

/// Adds the selection that \p Compare decides to the chain. Returns false unless it only selects
/// between \p Value and the other number, and selects \p Value if the other one is NaN.
bool Chain::followComparison(Instruction &Value, FCmpInst &Compare) {
  if (!Compare.hasOneUse())
    return false;
  auto *Choice = dyn_cast<SelectInst>(*Compare.user_begin());
  const bool IsFirst = Compare.getOperand(0) == &Value;
  llvm::Value *Other = Compare.getOperand(IsFirst ? 1 : 0);
  if (!Choice || Choice->getCondition() != &Compare || Other == &Value || !L.contains(Choice))
    return false;
  // Brings the selection into the form (Value P Other) ? Value : Other.
  CmpInst::Predicate P = IsFirst ? Compare.getPredicate() : Compare.getSwappedPredicate();
  if (Choice->getTrueValue() == Other && Choice->getFalseValue() == &Value)
    P = CmpInst::getInversePredicate(P);
  else if (Choice->getTrueValue() != &Value || Choice->getFalseValue() != Other)
    return false;
  Flags &= Compare.getFastMathFlags();
  Extrema.insert(Choice);
  Values.insert(Choice);
  if (Compare.hasNoNaNs())
    P = CmpInst::getUnorderedPredicate(P);
  if (P == CmpInst::FCMP_ULT || P == CmpInst::FCMP_ULE)
    return setKind(SumKind::Minimum);
  return (P == CmpInst::FCMP_UGT || P == CmpInst::FCMP_UGE) && setKind(SumKind::Maximum);
}

bool Chain::followCall(const Instruction &I, unsigned Operand) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  const Intrinsic::ID Id = Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic;
  switch (Id) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return Operand == 2 && setKind(SumKind::Add);
  case Intrinsic::minnum:
  case Intrinsic::minimum:
  case Intrinsic::minimumnum:
    return setKind(SumKind::Minimum, Id);
  case Intrinsic::maxnum:
  case Intrinsic::maximum:
  case Intrinsic::maximumnum:
    return setKind(SumKind::Maximum, Id);
  default:
    return false;
  }
}

/// Adds the use \p U of \p Value to the chain. Returns false if a sum cannot have such a use.
bool Chain::follow(Instruction &Value, const Use &U) {
  auto *I = cast<Instruction>(U.getUser());
  if (!L.contains(I))
    return &Value == Next;
  if (is_contained(Keep, I))
    return &Value == Next;
  if (auto *Compare = dyn_cast<FCmpInst>(I))
    return followComparison(Value, *Compare);
  Values.insert(I);
  if (!isa<PHINode, SelectInst>(I) && isa<FPMathOperator>(I))
    Flags &= I->getFastMathFlags();
  switch (I->getOpcode()) {
  case Instruction::FAdd:
    return setKind(SumKind::Add);
  case Instruction::FSub:
    return U.getOperandNo() == 0 && setKind(SumKind::Add);
  case Instruction::FMul:
    return setKind(SumKind::Multiply);
  case Instruction::PHI:
  case Instruction::Select:
    return true;
  case Instruction::Call:
    return followCall(*I, U.getOperandNo());
  default:
    return false;
  }
}

/// Returns whether \p I combines one value of the chain with numbers from outside, or chooses
/// between values of the chain.
bool Chain::isComplete(const Instruction &I) const {
  const auto IsInChain = [&](const llvm::Value *V) {
    return Values.contains(dyn_cast<Instruction>(const_cast<llvm::Value *>(V)));
  };
  if (Extrema.contains(&I))
    return count_if(cast<SelectInst>(I).operands(), IsInChain) == 1;
  if (const auto *Merge = dyn_cast<PHINode>(&I))
    return all_of(Merge->incoming_values(), IsInChain);
  if (const auto *Choice = dyn_cast<SelectInst>(&I))
    return IsInChain(Choice->getTrueValue()) && IsInChain(Choice->getFalseValue());
  return count_if(I.operands(), IsInChain) == 1;
}

/// Returns whether \p Result, the value that the loop keeps, is the result of a sum.
bool Chain::find(Value *Result) {
  if (!Start.getType()->isFloatTy() && !Start.getType()->isDoubleTy())
    return false;
  Next = dyn_cast<Instruction>(Result);
  if (!Next || Next == &Start || !L.contains(Next))
    return false;
  Values.insert(&Start);
  for (unsigned At = 0; At < Values.size(); ++At)
    for (const Use &U : Values[At]->uses())
      if (!follow(*Values[At], U))
        return false;
  return Kind && Values.contains(Next) &&
         all_of(Values, [&](const Instruction *I) { return I == &Start || isComplete(*I); });
}

/// Says how an address changes from one iteration of a loop to the next.
enum class Change : uint8_t { None, NextElement, Other };

bool dependsOn(const Loop &L, const SCEV *S) {
  return SCEVExprContains(S, [&](const SCEV *Part) {
    if (const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Part))
      return Recurrence->getLoop() == &L;
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    const auto *I = Unknown ? dyn_cast<Instruction>(Unknown->getValue()) : nullptr;
    return I && L.contains(I);
  });
}

Change changeOf(Instruction &Access, const Loop &L, ScalarEvolution &SE) {
  const SCEV *S = SE.getSCEV(getLoadStorePointerOperand(&Access));
  if (!dependsOn(L, S))
    return Change::None;
  const uint64_t Size = Access.getDataLayout().getTypeStoreSize(getLoadStoreType(&Access));
  bool IsNext = false;
  while (const auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S)) {
    const SCEV *Step = Recurrence->getStepRecurrence(SE);
    if (Recurrence->getLoop() == &L) {
      const auto *Known = dyn_cast<SCEVConstant>(Step);
      IsNext = Known && Known->getAPInt().abs() == Size;
    } else if (dependsOn(L, Step)) {
      return Change::Other;
    }
    S = Recurrence->getStart();
  }
  return IsNext && !dependsOn(L, S) ? Change::NextElement : Change::Other;
}

/// Returns whether the start of a sum depends on a number that \p L carries from iteration to
/// iteration.
bool isCarriedBy(const Loop &L, const Value &Start) {
  SmallSetVector<const Value *, 8> Work;
  Work.insert(&Start);
  for (unsigned At = 0; At < Work.size(); ++At) {
    const auto *I = dyn_cast<Instruction>(Work[At]);
    if (!I || !L.contains(I) || isa<LoadInst>(I))
      continue;
    if (isa<PHINode>(I) && I->getParent() == L.getHeader())
      return true;
    for (const Value *Operand : I->operands())
      if (Operand->getType()->isFloatingPointTy())
        Work.insert(Operand);
  }
  return false;
}

/// Returns whether \p Outer also writes arrays that \p Loads read. Its iterations are then probably
/// not independent.
bool writesOperands(const Loop &Outer, ArrayRef<LoadInst *> Loads) {
  SmallPtrSet<const Value *, 4> Read;
  for (const LoadInst *Load : Loads)
    Read.insert(getUnderlyingObject(Load->getPointerOperand()));
  return any_of(Outer.blocks(), [&](const BasicBlock *Block) {
    return any_of(*Block, [&](const Instruction &I) {
      const auto *Store = dyn_cast<StoreInst>(&I);
      return Store && Read.contains(getUnderlyingObject(Store->getPointerOperand()));
    });
  });
}

} // namespace

std::optional<Sum> findSum(PHINode &Phi, const Loop &L, const StoreInst *Store) {
  Chain Operations(Phi, {&Phi, Store}, L);
  Value *Result = Phi.getIncomingValueForBlock(L.getLoopLatch());
  if (!Operations.find(Result))
    return std::nullopt;
  return Sum{.Phi = &Phi,
             .Next = cast<Instruction>(Result),
             .Kind = Operations.kind(),
             .Extremum = Operations.extremum(),
             .Flags = Operations.flags()};
}

bool isSumInMemory(LoadInst &Load, StoreInst &Store, const Loop &L) {
  return Chain(Load, &Store, L).find(Store.getValueOperand());
}

bool haveBetterLoops(const Loop &L, ArrayRef<Sum> Sums, ArrayRef<SumInMemory> InMemory,
                     ScalarEvolution &SE) {
  SmallVector<LoadInst *> Loads;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (auto *Load = dyn_cast<LoadInst>(&I);
          Load && I.getType()->isFloatingPointTy() &&
          none_of(InMemory, [&](const SumInMemory &S) { return S.Load == Load; }))
        Loads.push_back(Load);
  const bool IsContiguous =
      all_of(Loads, [&](LoadInst *Load) { return changeOf(*Load, L, SE) != Change::Other; });
  // [loop][load]. A loop in which no address changes only repeats the sums and is left out.
  SmallVector<SmallVector<Change>> Changes;
  for (const Loop *Outer = L.getParentLoop(); Outer; Outer = Outer->getParentLoop()) {
    if (any_of(Sums,
               [&](const Sum &S) {
                 return isCarriedBy(*Outer, *S.Phi->getIncomingValueForBlock(L.getLoopPreheader()));
               }) ||
        any_of(
            InMemory,
            [&](const SumInMemory &S) { return changeOf(*S.Store, *Outer, SE) == Change::None; }) ||
        (IsContiguous && writesOperands(*Outer, Loads)))
      continue;
    SmallVector<Change> Here;
    for (LoadInst *Load : Loads)
      Here.push_back(changeOf(*Load, *Outer, SE));
    if (any_of(Here, [](Change C) { return C != Change::None; }))
      Changes.push_back(std::move(Here));
  }
  const bool HasVectors =
      any_of(Changes, [](ArrayRef<Change> Here) { return !is_contained(Here, Change::Other); });
  const bool UsesAllAgain = !Changes.empty() && all_of(seq(Loads.size()), [&](size_t Load) {
    return any_of(Changes, [&](ArrayRef<Change> Here) { return Here[Load] == Change::None; });
  });
  return HasVectors || UsesAllAgain;
}

} // namespace specrt
