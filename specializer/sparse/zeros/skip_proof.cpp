//===- specializer/sparse/zeros/skip_proof.cpp - proves that zeros make iterations idle -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/zeros/skip_proof.h"
#include "specializer/loops/loop_shape.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace specrt {
namespace {

/// Limit on the size of loops: in longer ones most work would have to depend on one element.
constexpr unsigned MaxInstructions = 400;

/// Powers of two below 1 that are available for the bits of all factors of a product together.
constexpr int DoubleRange = 970, FloatRange = 103;
/// Limit on factors, chosen so that all 32-bit numbers are large enough to be factors in 64 bits.
constexpr unsigned MaxFactors = 6;

bool isNumber(const Type *T) { return T->isFloatTy() || T->isDoubleTy(); }

} // namespace

int SkipDemands::minExponent() const {
  const int Range = FusesFloat ? FloatRange : DoubleRange;
  return MostFactors == 0 ? 0 : -(Range / static_cast<int>(MostFactors));
}

PresumedZero PresumedZero::readBy(const LoadInst &Load, ScalarEvolution &SE) {
  return {.Address = SE.getSCEV(const_cast<Value *>(Load.getPointerOperand())),
          .Type = Load.getType()};
}

bool SkipProof::isElement(const LoadInst &Load) const {
  return Element.Address && Load.getType() == Element.Type &&
         SE.getSCEV(const_cast<Value *>(Load.getPointerOperand())) == Element.Address;
}

SkipProof::State SkipProof::stateOf(Value *V) {
  if (const auto Found = Known.find(V); Found != Known.end())
    return Found->second;
  const State Result = evaluate(V);
  Known[V] = Result;
  return Result;
}

SkipProof::State SkipProof::evaluate(Value *V) {
  if (V == Element.Number)
    return {.IsZero = true};
  if (const auto *C = dyn_cast<Constant>(V))
    return {.IsZero = C->isZeroValue()};
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return {};
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    if (isElement(*Load)) {
      Elements.insert(Load);
      return {.IsZero = true};
    }
    return {.Root = Load};
  }
  if (auto *Phi = dyn_cast<PHINode>(I))
    return evaluatePhi(*Phi);
  if (auto *Select = dyn_cast<SelectInst>(I))
    return evaluateSelect(*Select);
  if (auto *Call = dyn_cast<CallInst>(I))
    return evaluateCall(*Call);
  auto Operand = [&](unsigned K) { return stateOf(I->getOperand(K)); };
  switch (I->getOpcode()) {
  case Instruction::FAdd:
  case Instruction::Add:
  case Instruction::Or:
  case Instruction::Xor:
    return sum(Operand(0), Operand(1));
  case Instruction::FSub:
  case Instruction::Sub:
    // Zero minus a value is not a sum.
    return Operand(1).IsZero ? sum(Operand(0), Operand(1)) : State{};
  case Instruction::FMul:
    return product(I->getOperand(0), I->getOperand(1));
  case Instruction::Mul:
  case Instruction::And:
    return {.IsZero = Operand(0).IsZero || Operand(1).IsZero};
  case Instruction::Shl:
  case Instruction::FNeg:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::Freeze:
    return {.IsZero = Operand(0).IsZero};
  default:
    return {};
  }
}

SkipProof::State SkipProof::sum(State A, State B) {
  if (A.IsZero)
    return B;
  return B.IsZero ? A : State{};
}

SkipProof::State SkipProof::product(Value *A, Value *B) {
  const bool ZeroA = stateOf(A).IsZero, ZeroB = stateOf(B).IsZero;
  return {.IsZero = (ZeroA && ZeroB) || (ZeroA && isFinite(B)) || (ZeroB && isFinite(A))};
}

SkipProof::State SkipProof::evaluatePhi(PHINode &Phi) {
  const Loop *Of = LI.getLoopFor(Phi.getParent());
  if (Phi.getParent() == L.getHeader())
    return {.Root = &Phi};
  if (Of->getHeader() != Phi.getParent()) {
    const State First = stateOf(Phi.getIncomingValue(0));
    const bool AllEqual =
        all_of(Phi.incoming_values(), [&](Value *V) { return stateOf(V) == First; });
    return AllEqual ? First : State{};
  }
  if (!Of->getLoopPreheader() || !Of->getLoopLatch())
    return {};
  if (counterOf(Phi, *Of, SE))
    return {};
  // The value is carried by the inner loop, which does not change it.
  const State First = stateOf(Phi.getIncomingValueForBlock(Of->getLoopPreheader()));
  if (!First.isKnown())
    return {};
  Known[&Phi] = First;
  if (stateOf(Phi.getIncomingValueForBlock(Of->getLoopLatch())) == First)
    return First;
  HasFailed = true; // other values may depend on the presumption
  return {};
}

SkipProof::State SkipProof::evaluateSelect(SelectInst &I) {
  const State Left = stateOf(I.getTrueValue()), Right = stateOf(I.getFalseValue());
  return Left == Right ? Left : State{};
}

SkipProof::State SkipProof::evaluateCall(const CallInst &I) {
  switch (I.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return fused(I);
  case Intrinsic::sqrt:
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::canonicalize:
  case Intrinsic::arithmetic_fence:
    return {.IsZero = stateOf(I.getArgOperand(0)).IsZero};
  default:
    return {};
  }
}

SkipProof::State SkipProof::fused(const CallInst &I) {
  Value *A = I.getArgOperand(0), *B = I.getArgOperand(1);
  if (!product(A, B).IsZero)
    return {};
  unsigned Count = 0;
  if (!addFactors(A, I.getType(), Count) || !addFactors(B, I.getType(), Count))
    return {};
  if (Count > MaxFactors)
    return {};
  Demands.MostFactors = std::max(Demands.MostFactors, Count);
  Demands.FusesFloat |= I.getType()->isFloatTy();
  return sum({.IsZero = true}, stateOf(I.getArgOperand(2)));
}

/// Counts the factors of the product \p V and adds those to be checked; returns false if there are
/// unsupported ones.
bool SkipProof::addFactors(Value *V, Type *Wide, unsigned &Count) {
  if (const auto *Number = dyn_cast<ConstantFP>(V)) {
    // Constants of programs have moderate exponents, so their bits hardly matter.
    const APFloat Size = abs(Number->getValueAPF());
    ++Count;
    return Size.isZero() || (Size.isFinite() && ilogb(Size) >= -16 && ilogb(Size) <= 16);
  }
  auto *I = dyn_cast<Instruction>(V);
  if (I && L.contains(I)) {
    if (isa<SIToFPInst, UIToFPInst, FPExtInst>(I)) {
      ++Count;
      return true;
    }
    if (I->getOpcode() == Instruction::FNeg)
      return addFactors(I->getOperand(0), Wide, Count);
    if (I->getOpcode() == Instruction::FMul)
      return addFactors(I->getOperand(0), Wide, Count) && addFactors(I->getOperand(1), Wide, Count);
    if (!isa<LoadInst>(I))
      return false;
  }
  ++Count;
  Demands.Factors.insert(V);
  return true;
}

bool SkipProof::isFinite(Value *V) {
  if (const auto *Number = dyn_cast<ConstantFP>(V))
    return Number->getValueAPF().isFinite();
  if (!isNumber(V->getType()))
    return false;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I)) {
    Demands.FiniteNumbers.insert(V);
    return true;
  }
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    Demands.Finite.insert(Load);
    return true;
  }
  switch (I->getOpcode()) {
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return I->getOperand(0)->getType()->getScalarSizeInBits() <= 64;
  case Instruction::FPExt:
  case Instruction::FNeg:
    return isFinite(I->getOperand(0));
  case Instruction::Select:
    return isFinite(I->getOperand(1)) && isFinite(I->getOperand(2));
  case Instruction::Call:
    return cast<CallInst>(I)->getIntrinsicID() == Intrinsic::fabs && isFinite(I->getOperand(0));
  default:
    return false;
  }
}

/// Returns whether \p Store writes back the value that the same iteration loaded from its address.
/// If no iteration changes anything, that value is unchanged until the store.
bool SkipProof::keepsMemory(StoreInst &Store) {
  auto *Read = dyn_cast_or_null<LoadInst>(stateOf(Store.getValueOperand()).Root);
  if (!Read || Read->getType() != Store.getValueOperand()->getType() ||
      LI.getLoopFor(Read->getParent()) != LI.getLoopFor(Store.getParent()) ||
      SE.getSCEV(Read->getPointerOperand()) != SE.getSCEV(Store.getPointerOperand()))
    return false;
  if (Read->getType()->isFloatingPointTy())
    Demands.SumsInMemory.insert(&Store);
  return true;
}

bool SkipProof::isHarmless(const Instruction &I) const {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return Store->isSimple();
  return isa<DbgInfoIntrinsic, AssumeInst>(I) ||
         (!I.mayReadOrWriteMemory() && !I.mayThrow() && I.willReturn());
}

bool SkipProof::run() {
  unsigned Count = 0;
  SmallVector<StoreInst *> Stores;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      if (++Count > MaxInstructions || !isHarmless(I))
        return false;
      if (auto *Store = dyn_cast<StoreInst>(&I))
        Stores.push_back(Store);
      if (auto *Load = dyn_cast<LoadInst>(&I); Load && isElement(*Load))
        Elements.insert(Load);
    }
  for (PHINode &Phi : L.getHeader()->phis()) {
    if (counterOf(Phi, L, SE))
      continue;
    if (stateOf(Phi.getIncomingValueForBlock(L.getLoopLatch())) != State{.Root = &Phi})
      return false;
    if (Phi.getType()->isFloatingPointTy())
      Demands.Sums.insert(&Phi);
  }
  // All sums must be of known formats.
  const bool KnowsFormats =
      all_of(Demands.Sums, [](const PHINode *P) { return isNumber(P->getType()); }) &&
      all_of(Demands.SumsInMemory,
             [](const StoreInst *S) { return isNumber(S->getValueOperand()->getType()); });
  return KnowsFormats && all_of(Stores, [&](StoreInst *S) { return keepsMemory(*S); }) &&
         !HasFailed;
}

} // namespace specrt
