//===- specializer/speculation/facts.cpp - recurring argument values ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/facts.h"
#include "guards/aligned.h"
#include "guards/equal.h"
#include "guards/in_range.h"
#include "specializer/module/optimize.h"
#include "specializer/rounding/sum_marks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns the constant that the packed value \p Packed stands for; null for pointers.
Constant *unpack(Type *T, uint64_t Packed) {
  if (auto *Integer = dyn_cast<IntegerType>(T))
    return ConstantInt::get(Integer, APInt(64, Packed).trunc(Integer->getBitWidth()));
  if (T->isFloatTy())
    return ConstantFP::get(T, APFloat(APFloat::IEEEsingle(), APInt(64, Packed).trunc(32)));
  if (T->isDoubleTy())
    return ConstantFP::get(T, APFloat(APFloat::IEEEdouble(), APInt(64, Packed)));
  return nullptr;
}

/// Returns whether \p Packed is possible: packed arguments are zero-extended.
bool fits(Type *T, uint64_t Packed) {
  unsigned Width = T->getPrimitiveSizeInBits();
  return Width >= 64 || (Packed >> Width) == 0;
}

/// Returns whether \p A is only the start of a sum. Its value does not predict that of the next
/// call, and knowing it does not improve the nest.
bool isStartOfSum(const Argument &A) {
  return A.getType()->isFloatingPointTy() && all_of(A.users(), [](const User *U) {
           return isa<PHINode>(U) || addsStartOfSum(*cast<Instruction>(U));
         });
}

/// Returns whether the product of \p A with 1 may differ from \p A, because denormals are flushed.
/// LLVM folds such products.
bool mayFlushDenormals(const Argument &A) {
  return A.getType()->isFloatingPointTy() &&
         A.getParent()->getDenormalMode(A.getType()->getFltSemantics()) != DenormalMode::getIEEE();
}

void applyRange(Argument &A, const specrt_fact &Fact, Premises &Result) {
  unsigned Width = A.getType()->getIntegerBitWidth();
  if (Fact.low > Fact.high || Width == 1 ||
      (Width < 64 && (!isIntN(Width, Fact.low) || !isIntN(Width, Fact.high))))
    return;
  APInt Low(Width, static_cast<uint64_t>(Fact.low), /*isSigned=*/true);
  APInt High(Width, static_cast<uint64_t>(Fact.high), /*isSigned=*/true);
  ConstantRange Range = ConstantRange::getNonEmpty(Low, High + 1);
  if (Range.isFullSet())
    return;
  if (std::optional<ConstantRange> Known = A.getRange()) {
    Range = Known->intersectWith(Range, ConstantRange::Signed);
    if (Range.isEmptySet() || Range.isFullSet())
      return;
  }
  A.addAttr(Attribute::get(A.getContext(), Attribute::Range, Range));
  Result.Guards.append(InRangeGuard(A.getArgNo(), Fact.low, Fact.high));
}

void applyAlignment(Argument &A, uint64_t Alignment, Premises &Result) {
  if (!isPowerOf2_64(Alignment) || Alignment > 4096 ||
      Alignment <= A.getParamAlign().valueOrOne().value())
    return;
  A.removeAttr(Attribute::Alignment);
  A.addAttr(Attribute::getWithAlignment(A.getContext(), Align(Alignment)));
  const specrt_base Base{SPECRT_BASE_ARGUMENT, static_cast<uint16_t>(A.getArgNo()), 0};
  Result.Guards.append(AlignedGuard(Base, Alignment));
}

} // namespace

void applyFacts(Function &F, const specrt_region &Region, const specrt_fact *Facts,
                Premises &Result) {
  if (!Facts)
    return;
  for (Argument &A : F.args()) {
    const specrt_fact &Fact = Facts[A.getArgNo()];
    // Arguments that the nest does not use need no guard.
    if (A.use_empty() || isStartOfSum(A) || mayFlushDenormals(A))
      continue;
    Type *T = A.getType();
    if (T->isPointerTy()) {
      if (Fact.flags & SPECRT_FACT_ALIGNED)
        applyAlignment(A, Fact.alignment, Result);
      continue;
    }
    if (Fact.flags & SPECRT_FACT_CONSTANT) {
      if (!fits(T, Fact.value))
        continue;
      Constant *Known = unpack(T, Fact.value);
      // LLVM would not preserve its bits.
      if (auto *Number = dyn_cast<ConstantFP>(Known); Number && Number->isNaN())
        continue;
      A.replaceAllUsesWith(Known);
      Result.Guards.append(EqualGuard(A.getArgNo(), Fact.value));
    } else if ((Fact.flags & SPECRT_FACT_RANGE) && T->isIntegerTy()) {
      applyRange(A, Fact, Result);
    }
  }
}

void unifySameArguments(Function &F, const specrt_region &Region, const uint8_t *Overlaps,
                        Premises &Result) {
  for (const SameGuard &Guard : sameArguments(Overlaps, Region)) {
    Argument &Kept = *F.getArg(Guard.First), &Other = *F.getArg(Guard.Second);
    if (Kept.getType() != Other.getType() || Kept.hasNoAliasAttr() || Other.hasNoAliasAttr() ||
        Other.use_empty())
      continue;
    // An attribute of one argument describes accesses through it, not those through the other one.
    const AttributeList Known = F.getAttributes();
    const std::optional<AttributeSet> Common =
        Known.getParamAttrs(Guard.First)
            .intersectWith(F.getContext(), Known.getParamAttrs(Guard.Second));
    if (!Common)
      continue;
    F.setAttributes(
        Known.removeParamAttributes(F.getContext(), Guard.First)
            .addParamAttributes(F.getContext(), Guard.First, AttrBuilder(F.getContext(), *Common)));
    Other.replaceAllUsesWith(&Kept);
    Result.Guards.append(Guard);
  }
}

namespace {

class ArgumentFacts final : public Speculation {
  Applied apply(Speculative &On) const override {
    unifySameArguments(On.F, On.region(), On.Request.overlaps, On.Known);
    applyFacts(On.F, On.region(), On.Request.facts, On.Known);
    On.Passes.simplify(*On.F.getParent());
    return Applied::Done;
  }
};

} // namespace

const Speculation &argumentFacts() {
  static constexpr ArgumentFacts Only;
  return Only;
}

} // namespace specrt
