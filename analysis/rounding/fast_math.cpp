//===- analysis/rounding/fast_math.cpp - results that -ffast-math leaves open ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/rounding/fast_math.h"
#include "analysis/rounding/extrema.h"
#include "analysis/rounding/fusion.h"
#include "analysis/rounding/unrolling.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace specrt {
namespace {

constexpr const char *Reordered = "its operations may be reordered";
constexpr const char *Fused = "code generation chooses which of its multiplications are fused";
constexpr const char *Reciprocal = "its divisions may become products with reciprocals";
constexpr const char *Approximate = "its functions may be approximated";
constexpr const char *Converted = "its conversions to less precision may be left out";
constexpr const char *SignOfZero = "which of two zeros it chooses is open";

bool isFloat(const Value &V) { return V.getType()->isFPOrFPVectorTy(); }

bool isSum(const Instruction &I) {
  return I.getOpcode() == Instruction::FAdd || I.getOpcode() == Instruction::FSub;
}

/// Returns whether \p I has a flag for regrouping; other flags are about divisions and functions.
bool mayBeRegrouped(const Instruction &I) {
  return isa<FPMathOperator>(I) && (I.hasAllowReassoc() || I.hasNoSignedZeros());
}

/// Returns whether the result of \p I is exact, so that it cannot be approximated.
bool isExact(const IntrinsicInst &I) {
  switch (I.getIntrinsicID()) {
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::minimumnum:
  case Intrinsic::maximumnum:
    return true;
  default:
    return false;
  }
}

/// Returns whether \p I rounds: two such operations may be rewritten together.
bool isArithmetic(const Instruction &I) {
  if (isa<BinaryOperator>(I))
    return isFloat(I);
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && isFloat(I) && !isExact(*Call);
}

/// Returns whether \p I passes its operand on, so that rewriting looks through it.
bool isTransparent(const Instruction &I) {
  if (!isFloat(I))
    return false;
  if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
    return isExact(*Call);
  return isa<PHINode, SelectInst, UnaryOperator, FPExtInst, FPTruncInst, FreezeInst, BitCastInst,
             ExtractElementInst, InsertElementInst, ShuffleVectorInst>(I);
}

class Search {
public:
  Search(ArrayRef<const Instruction *> Code,
         function_ref<LoopsOfFunction(const Function &)> LoopsOf)
      : Code(Code), Inside(Code.begin(), Code.end()), LoopsOf(LoopsOf) {}

  OpenResult find(bool MayContract) const;

private:
  Unrolling unrolling(const Instruction &I) const;
  OpenResult findAlone(const Instruction &I) const;
  OpenResult findPairs(const Instruction &I) const;
  OpenResult findThroughMemory() const;
  bool isFarFrom(const Instruction &Operand, const Instruction &User) const;
  SmallSetVector<const Instruction *, 4> operandsOf(const Instruction &User) const;
  SmallSetVector<const Instruction *, 4> usersOf(const Instruction &Operand) const;
  bool isOpenPair(const Instruction &Operand, const Instruction &User) const;
  bool mayBeFactored(const Instruction &Product, const Instruction &Sum) const;
  bool isElement(const Value *Pointer, uint64_t Bytes, const Loop &L,
                 const LoopsOfFunction &Loops) const;
  bool mayMeet(const StoreInst &Store, const LoadInst &Load) const;
  bool fuses(const Instruction &I) const;
  bool mayBeDistributed(const Instruction &Sum) const;
  bool isSurelyFused(const Instruction &Product, const Instruction &Sum) const;
  OpenResult findFusion(const Instruction &I) const;

  ArrayRef<const Instruction *> Code;
  SmallPtrSet<const Instruction *, 32> Inside;
  function_ref<LoopsOfFunction(const Function &)> LoopsOf;
  mutable SmallDenseMap<const Function *, bool, 4> Fuses;
};

Unrolling Search::unrolling(const Instruction &I) const {
  const LoopsOfFunction Loops = LoopsOf(*I.getFunction());
  return Unrolling(Loops.LI, Loops.SE, /*ForLTO=*/false);
}

/// Returns whether a loop that does not mix with its neighbours separates the two; then \p Operand
/// is computed before it.
bool Search::isFarFrom(const Instruction &Operand, const Instruction &User) const {
  const Loop *L = LoopsOf(*User.getFunction()).LI.getLoopFor(User.getParent());
  return L && !L->contains(&Operand) && !unrolling(User).mayMixWithNeighbours(*L);
}

/// Returns the arithmetic from which \p User gets its operands.
SmallSetVector<const Instruction *, 4> Search::operandsOf(const Instruction &User) const {
  SmallSetVector<const Instruction *, 4> Found;
  SmallSetVector<const Instruction *, 8> Passed;
  Passed.insert(&User);
  for (size_t Next = 0; Next < Passed.size(); ++Next)
    for (const Value *V : Passed[Next]->operand_values()) {
      const auto *I = dyn_cast<Instruction>(V);
      if (!I || isFarFrom(*I, User))
        continue;
      if (isArithmetic(*I))
        Found.insert(I);
      else if (isTransparent(*I))
        Passed.insert(I);
    }
  return Found;
}

/// Returns the arithmetic and the comparisons that use the result of \p Operand.
SmallSetVector<const Instruction *, 4> Search::usersOf(const Instruction &Operand) const {
  SmallSetVector<const Instruction *, 4> Found;
  SmallSetVector<const Instruction *, 8> Passed;
  Passed.insert(&Operand);
  for (size_t Next = 0; Next < Passed.size(); ++Next)
    for (const User *U : Passed[Next]->users()) {
      const auto *I = cast<Instruction>(U);
      if (isArithmetic(*I) || isa<FCmpInst>(I)) {
        if (!isFarFrom(Operand, *I))
          Found.insert(I);
      } else if (isTransparent(*I)) {
        Passed.insert(I);
      }
    }
  return Found;
}

/// Returns whether x + x may become 2 x, or x y + x z may become x (y + z). A multiply-add is both
/// product and sum.
bool Search::mayBeFactored(const Instruction &Product, const Instruction &Sum) const {
  const Unrolling Loops = unrolling(Product);
  const bool IsBoth = &Product == &Sum;
  const Value *const Factors[] = {Product.getOperand(0), Product.getOperand(1)};
  const Value *const Terms[] = {Sum.getOperand(IsBoth ? 2 : 0), Sum.getOperand(IsBoth ? 2 : 1)};
  for (const Value *Factor : Factors) {
    if (const auto *C = dyn_cast<ConstantFP>(Factor)) {
      if (C->isExactlyValue(2) || C->isExactlyValue(-2))
        return true;
    } else if (isa<Constant>(Factor) || Loops.mayBecomeConstant(*Factor)) {
      return true;
    }
    for (const Value *Term : Terms) {
      const auto *Other = dyn_cast<Instruction>(Term);
      if (Term == Factor || (Other && Other != &Product && isArithmetic(*Other) &&
                             is_contained(Other->operand_values(), Factor)))
        return true;
    }
  }
  return false;
}

bool Search::isOpenPair(const Instruction &Operand, const Instruction &User) const {
  auto MayChange = [](const Instruction &I) {
    return mayBeRegrouped(I) ||
           (hasFreeResult(I) && !isSum(I) && I.getOpcode() != Instruction::FMul);
  };
  if (!MayChange(Operand) && !MayChange(User))
    return false;
  if (Operand.getOpcode() == Instruction::FMul && isSum(User))
    return mayBeFactored(Operand, User);
  if (isSum(Operand) && User.getOpcode() == Instruction::FMul)
    return any_of(User.operand_values(), [&](const Value *Factor) {
      return Factor != &Operand &&
             (isa<Constant>(Factor) || unrolling(User).mayBecomeConstant(*Factor)) &&
             any_of(Operand.operand_values(), [&](const Value *Term) {
               return isa<Constant>(Term) || unrolling(User).mayBecomeConstant(*Term);
             });
    });
  return true;
}

OpenResult Search::findPairs(const Instruction &I) const {
  if (!isArithmetic(I))
    return {};
  for (const Instruction *Operand : operandsOf(I))
    if (isOpenPair(*Operand, I))
      return {&I, Reordered};
  for (const Instruction *User : usersOf(I))
    if ((!Inside.contains(User) || isa<FCmpInst>(User)) && isOpenPair(I, *User))
      return {&I, Reordered};
  return {};
}

/// Returns whether one of the two, or its negation, is selected by comparing them.
bool isChoiceOfCompared(const Value *A, const Value *B) {
  auto Plain = [](const Value *V) {
    const auto *I = dyn_cast<UnaryOperator>(V);
    return I ? I->getOperand(0) : V;
  };
  if (Plain(A) == Plain(B))
    return true;
  if (isa<Constant>(A))
    std::swap(A, B);
  if (const auto *C = dyn_cast<ConstantFP>(B); C && !C->isZero())
    return false;
  return any_of(A->users(), [&](const User *U) {
    return isa<FCmpInst>(U) && is_contained(U->operand_values(), B);
  });
}

bool isFreeChoice(const Instruction &I) {
  if (!isFloat(I) || !mayBeRegrouped(I))
    return false;
  if (isa<SelectInst>(I))
    return isChoiceOfCompared(I.getOperand(1), I.getOperand(2));
  const auto *Phi = dyn_cast<PHINode>(&I);
  return Phi && any_of(Phi->incoming_values(), [&](const Value *A) {
           return any_of(Phi->incoming_values(),
                         [&](const Value *B) { return A != B && isChoiceOfCompared(A, B); });
         });
}

/// Returns whether \p I rounds to less precision and back, or computes with 16 bits, which many
/// targets do with more.
bool isConversionToLess(const Instruction &I) {
  auto IsSmall = [](const Type *T) {
    return T->getScalarType()->isHalfTy() || T->getScalarType()->isBFloatTy();
  };
  return (isa<FPExtInst>(I) && isa<FPTruncInst>(I.getOperand(0))) || IsSmall(I.getType()) ||
         any_of(I.operands(), [&](const Use &U) { return IsSmall(U->getType()); });
}

/// Returns an open result that \p I alone, without a second operation, has.
OpenResult Search::findAlone(const Instruction &I) const {
  if (const IntrinsicInst *Extremum = asExtremum(I))
    return whichOfEqual(*Extremum) == OfEqual::Free ? OpenResult{&I, SignOfZero} : OpenResult();
  if (isConversionToLess(I))
    return {&I, Converted};
  if (!hasFreeResult(I))
    return {};
  if (I.getOpcode() == Instruction::FDiv && (I.hasAllowReciprocal() || I.hasApproxFunc()))
    return {&I, Reciprocal};
  if (isFreeChoice(I))
    return {&I, SignOfZero};
  // -(a + b) may become (-a) + (-b), with another sign of zero.
  if (I.getOpcode() == Instruction::FNeg && mayBeRegrouped(I))
    if (const auto *Sum = dyn_cast<Instruction>(I.getOperand(0)); Sum && isSum(*Sum))
      return {&I, SignOfZero};
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return {};
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(Call)) {
    if (isExact(*Intrinsic))
      return {};
    if (is_contained({Intrinsic::fma, Intrinsic::fmuladd}, Intrinsic->getIntrinsicID()))
      return mayBeFactored(I, I) ? OpenResult{&I, Reordered} : OpenResult();
  }
  const Function *Callee = Call->getCalledFunction();
  if (!Callee || Callee->isDeclaration())
    return {&I, Approximate};
  return {};
}

/// Returns the base of an address. The compiler distinguishes two different bases as well, unless
/// one is computed from the other.
const Value *baseOf(const Value *Pointer, ScalarEvolution &SE) {
  const auto *Base =
      dyn_cast<SCEVUnknown>(SE.getPointerBase(SE.getSCEV(const_cast<Value *>(Pointer))));
  return Base ? Base->getValue() : nullptr;
}

/// Returns whether the compiler cannot prove that \p A and \p B are equal.
bool areUnrelated(const Value *A, const Value *B) {
  auto IsObject = [](const Value *V) { return V && (isa<Argument>(V) || isIdentifiedObject(V)); };
  auto IsRead = [](const Value *V) { return V && isa<LoadInst>(V); };
  return A != B && (IsObject(A) || IsObject(B)) && (IsObject(A) || IsRead(A)) &&
         (IsObject(B) || IsRead(B));
}

/// Returns whether each iteration of \p L accesses \p Bytes of its own at \p Pointer, and \p L
/// stays a loop.
bool Search::isElement(const Value *Pointer, uint64_t Bytes, const Loop &L,
                       const LoopsOfFunction &Loops) const {
  const auto *Address = dyn_cast<SCEVAddRecExpr>(Loops.SE.getSCEV(const_cast<Value *>(Pointer)));
  if (!Address || Address->getLoop() != &L || !Address->isAffine() ||
      Unrolling(Loops.LI, Loops.SE, /*ForLTO=*/false).mayVanish(L))
    return false;
  const auto *Step = dyn_cast<SCEVConstant>(Address->getStepRecurrence(Loops.SE));
  return Step && Step->getAPInt().abs().uge(Bytes);
}

/// Returns whether \p Load may read what \p Store wrote and the compiler can find that out. False
/// if iterations read an element before they write it, and across loops.
bool Search::mayMeet(const StoreInst &Store, const LoadInst &Load) const {
  if (Store.getFunction() != Load.getFunction())
    return true;
  const LoopsOfFunction Loops = LoopsOf(*Store.getFunction());
  const Value *To = Store.getPointerOperand(), *From = Load.getPointerOperand();
  if (areUnrelated(baseOf(To, Loops.SE), baseOf(From, Loops.SE)))
    return false;
  const Loop *Writing = Loops.LI.getLoopFor(Store.getParent());
  const Loop *Reading = Loops.LI.getLoopFor(Load.getParent());
  const DataLayout &Layout = Store.getDataLayout();
  const uint64_t Bytes = Layout.getTypeStoreSize(Store.getValueOperand()->getType());
  if (!Writing || !Reading || !isElement(To, Bytes, *Writing, Loops) ||
      !isElement(From, Layout.getTypeStoreSize(Load.getType()), *Reading, Loops))
    return true;
  if (Writing != Reading)
    return Writing->contains(Reading) || Reading->contains(Writing);
  return Loops.SE.getSCEV(const_cast<Value *>(To)) != Loops.SE.getSCEV(const_cast<Value *>(From)) ||
         Store.getParent() != Load.getParent() || Store.comesBefore(&Load);
}

OpenResult Search::findThroughMemory() const {
  SmallVector<const StoreInst *> Stores;
  SmallVector<const LoadInst *> Loads;
  auto IsFree = [&](const Instruction *I) {
    return mayBeRegrouped(*I) || (isa<FPMathOperator>(I) && I->hasAllowContract() && fuses(*I));
  };
  for (const Instruction *I : Code) {
    if (const auto *Store = dyn_cast<StoreInst>(I)) {
      const auto *Stored = dyn_cast<Instruction>(Store->getValueOperand());
      if (Stored && isFloat(*Stored) &&
          (isArithmetic(*Stored) ? IsFree(Stored) : any_of(operandsOf(*Stored), IsFree)))
        Stores.push_back(Store);
    } else if (const auto *Load = dyn_cast<LoadInst>(I)) {
      if (isFloat(*Load) && any_of(usersOf(*Load), IsFree))
        Loads.push_back(Load);
    }
  }
  for (const StoreInst *Store : Stores)
    for (const LoadInst *Load : Loads)
      if (mayMeet(*Store, *Load))
        return {Store, Reordered};
  return {};
}

bool Search::fuses(const Instruction &I) const {
  auto [Known, IsNew] = Fuses.try_emplace(I.getFunction(), false);
  if (IsNew)
    Known->second = mayFuse(*I.getFunction());
  return Known->second;
}

/// Returns whether a factor is an element of its own in each iteration of \p L. Other products may
/// be computed once per vector, or before the loop.
bool hasElementOf(const Instruction &Product, const Loop &L, ScalarEvolution &SE) {
  return any_of(Product.operand_values(), [&](const Value *Factor) {
    const auto *Load = dyn_cast<LoadInst>(Factor);
    if (!Load || !L.contains(Load))
      return false;
    const auto *Address =
        dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Value *>(Load->getPointerOperand())));
    return Address && Address->getLoop() == &L;
  });
}

/// Returns whether code generation certainly fuses \p Product with \p Sum: they are in one block,
/// \p Sum is the only user, and no other operation of the block competes.
bool Search::isSurelyFused(const Instruction &Product, const Instruction &Sum) const {
  const BasicBlock *Block = Product.getParent();
  if (Sum.getParent() != Block || !Product.hasOneUse() || !isSum(Sum) ||
      !is_contained(Sum.operand_values(), &Product) || !Product.hasAllowContract() ||
      !Sum.hasAllowContract() || !(Sum.getType()->isFloatTy() || Sum.getType()->isDoubleTy()) ||
      mayBeFactored(Product, Sum))
    return false;
  for (const Instruction &I : *Block)
    if (&I != &Product && &I != &Sum && (isArithmetic(I) || isa<FPToUIInst, UIToFPInst>(I)))
      return false;
  const LoopsOfFunction Loops = LoopsOf(*Block->getParent());
  const Loop *L = Loops.LI.getLoopFor(Block);
  return L && !unrolling(Product).mayMixWithNeighbours(*L) && hasElementOf(Product, *L, Loops.SE);
}

/// Returns whether (x + 1) y may become x y + y.
bool Search::mayBeDistributed(const Instruction &Sum) const {
  return any_of(Sum.operand_values(), [&](const Value *Term) {
    const auto *C = dyn_cast<ConstantFP>(Term);
    return C ? C->isExactlyValue(1) || C->isExactlyValue(-1)
             : isa<Constant>(Term) || unrolling(Sum).mayBecomeConstant(*Term);
  });
}

/// Returns a product or sum for which fusion is possible but not certain. Sums without flags count:
/// the option makes code generation disregard flags.
OpenResult Search::findFusion(const Instruction &I) const {
  if (!fuses(I))
    return {};
  if (I.getOpcode() == Instruction::FMul) {
    for (const Instruction *User : usersOf(I))
      if (isSum(*User) && !isSurelyFused(I, *User))
        return {User, Fused};
    for (const Instruction *Operand : operandsOf(I))
      if (isSum(*Operand) && mayBeDistributed(*Operand))
        return {&I, Fused};
  }
  if (isSum(I))
    for (const Instruction *Operand : operandsOf(I))
      if (Operand->getOpcode() == Instruction::FMul && !isSurelyFused(*Operand, I))
        return {&I, Fused};
  return {};
}

OpenResult Search::find(bool MayContract) const {
  for (const Instruction *I : Code) {
    if (OpenResult Found = MayContract ? findFusion(*I) : OpenResult())
      return Found;
    if (OpenResult Found = findAlone(*I))
      return Found;
    if (OpenResult Found = findPairs(*I))
      return Found;
  }
  return findThroughMemory();
}

} // namespace

bool hasFreeResult(const Instruction &I) {
  return isa<FPMathOperator>(I) && (I.hasAllowReassoc() || I.hasAllowReciprocal() ||
                                    I.hasApproxFunc() || I.hasNoSignedZeros());
}

bool mayDifferInCopies(const Instruction &I) {
  const auto IsComputed = [](const Value *V) {
    const auto *From = dyn_cast<Instruction>(V);
    return From && isFloat(*From) && !isa<LoadInst>(From);
  };
  if (isa<FCmpInst>(I))
    return false;
  if (isa<BitCastInst>(I))
    return !isFloat(I) && IsComputed(I.getOperand(0));
  if (isa<FPMathOperator>(I) &&
      (I.hasAllowReassoc() || I.hasAllowReciprocal() || I.hasApproxFunc() || I.hasAllowContract()))
    return true;
  if (I.getOpcode() == Instruction::FDiv)
    return I.hasNoSignedZeros() && IsComputed(I.getOperand(1));
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (Call && Call->getIntrinsicID() == Intrinsic::fmuladd)
    return true;
  if (Call && Call->getIntrinsicID() == Intrinsic::copysign)
    return IsComputed(I.getOperand(1));
  if (!Call || Call->getIntrinsicID() != Intrinsic::is_fpclass)
    return false;
  const auto Classes = FPClassTest(cast<ConstantInt>(I.getOperand(1))->getZExtValue());
  const auto HasOneOf = [&](FPClassTest Both) {
    return (Classes & Both) != fcNone && (Classes & Both) != Both;
  };
  return IsComputed(I.getOperand(0)) && (HasOneOf(fcNan) || HasOneOf(fcZero));
}

OpenResult findOpenResult(ArrayRef<const Instruction *> Code,
                          function_ref<LoopsOfFunction(const Function &)> LoopsOf, bool MayContract,
                          bool ForLTO) {
  const Instruction *Sum = MayContract ? findFreeFusion(Code) : nullptr;
  const auto *Free = find_if(Code, [](const Instruction *I) { return hasFreeResult(*I); });
  if (Free == Code.end() && !Sum)
    return {};
  if (ForLTO)
    return Sum ? OpenResult{Sum, Fused}
               : OpenResult{*Free, "link-time optimisation may reorder its operations"};
  // Conversion of values beyond the range of signed integers generates a subtraction.
  if (Sum && Sum->getOpcode() == Instruction::FPToUI)
    return {Sum, Fused};
  return Search(Code, LoopsOf).find(Sum != nullptr);
}

} // namespace specrt
