//===- analysis/rounding/fusion.cpp - fusion of multiplications with additions -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/rounding/fusion.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"

using namespace llvm;

namespace specrt {

/// Returns whether the target of \p F has one of \p Wanted, possibly implied by the processor or by
/// other features.
static bool hasFeature(const Function &F, ArrayRef<StringRef> Wanted) {
  const Triple &TT = F.getParent()->getTargetTriple();
  StringRef Features = F.getFnAttribute("target-features").getValueAsString();
  StringRef Cpu = F.getFnAttribute("target-cpu").getValueAsString();
  std::string Problem;
  const Target *T = TargetRegistry::lookupTarget(TT, Problem);
  std::unique_ptr<MCSubtargetInfo> Subtarget(
      T ? T->createMCSubtargetInfo(TT, Cpu.empty() ? "x86-64" : Cpu, Features) : nullptr);
  return Subtarget &&
         any_of(Wanted, [&](StringRef Feature) { return Subtarget->checkFeatures(Feature); });
}

bool mayFuse(const Function &F) {
  const Triple &TT = F.getParent()->getTargetTriple();
  return TT.isX86() ? hasFeature(F, {"+fma", "+fma4"}) : TT.isAArch64();
}

bool mayFuse(const Function &F, const Type &T) {
  const Type *Scalar = T.getScalarType();
  if (Scalar->isHalfTy())
    return hasFeature(F, {"+avx512fp16"});
  return (Scalar->isFloatTy() || Scalar->isDoubleTy()) && mayFuse(F);
}

/// Returns whether \p I carries the flag, or all others that -funsafe-math-optimizations sets. That
/// option implies contraction, too, which a pragma that removes the flag does not turn off.
static bool tellsOfContraction(const Instruction &I) {
  return isa<FPMathOperator>(I) &&
         (I.hasAllowContract() || (I.hasAllowReassoc() && I.hasAllowReciprocal() &&
                                   I.hasApproxFunc() && I.hasNoSignedZeros()));
}

bool mayContract(const Module &M) {
  return any_of(M, [](const Function &F) { return any_of(instructions(F), tellsOfContraction); });
}

/// Returns the first instruction of \p Code with one of \p Opcodes.
static const Instruction *findFirst(ArrayRef<const Instruction *> Code,
                                    ArrayRef<unsigned> Opcodes) {
  auto Found =
      find_if(Code, [&](const Instruction *I) { return is_contained(Opcodes, I->getOpcode()); });
  return Found == Code.end() ? nullptr : *Found;
}

const Instruction *findFreeFusion(ArrayRef<const Instruction *> Code) {
  const Instruction *Product = findFirst(Code, {Instruction::FMul});
  // Conversion of values beyond the range of signed integers generates a subtraction.
  const Instruction *Sum =
      findFirst(Code, {Instruction::FAdd, Instruction::FSub, Instruction::FPToUI});
  if (!Product || !Sum)
    return nullptr;
  SmallPtrSet<const Function *, 4> Functions;
  for (const Instruction *I : Code)
    Functions.insert(I->getFunction());
  return any_of(Functions, [](const Function *F) { return mayFuse(*F); }) ? Sum : nullptr;
}

} // namespace specrt
