//===- specializer/speculation/fp_environment.cpp - guards on floating-point modes -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/fp_environment.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace specrt {
namespace {

bool isFloat(const Type *T) { return T->isFPOrFPVectorTy(); }

/// Returns whether \p Call depends on the environment. Calls do, unless their callee is inspected
/// as well.
bool dependsOnEnvironment(const CallBase &Call) {
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return !Intrinsic->isAssumeLikeIntrinsic() &&
           (isFloat(Call.getType()) ||
            any_of(Call.args(), [](const Use &U) { return isFloat(U->getType()); }));
  return !Call.getCalledFunction() || Call.getCalledFunction()->isDeclaration();
}

bool dependsOnEnvironment(const Instruction &I) {
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return dependsOnEnvironment(*Call);
  if (isa<FCmpInst>(I))
    return true;
  if (isa<CastInst>(I))
    return !isa<BitCastInst>(I) && (isFloat(I.getType()) || isFloat(I.getOperand(0)->getType()));
  return isa<BinaryOperator>(I) && isFloat(I.getType());
}

bool usesX87(const Instruction &I) {
  auto IsX87 = [](const Type *T) { return T->getScalarType()->isX86_FP80Ty(); };
  return IsX87(I.getType()) ||
         any_of(I.operands(), [&](const Use &U) { return IsX87(U->getType()); });
}

/// Returns whether the result of \p I may differ by more than the treatment of denormals.
bool isApproximate(const Instruction &I) {
  if (isa<FPMathOperator>(I)) {
    // If the target cannot contract, the flag has been removed; see fusion.h.
    FastMathFlags Flags = I.getFastMathFlags();
    Flags.setAllowContract();
    if (Flags.isFast())
      return true;
  }
  const Type *T =
      (isFloat(I.getType()) || I.getNumOperands() == 0 ? I.getType() : I.getOperand(0)->getType())
          ->getScalarType();
  return T->isFloatingPointTy() &&
         I.getFunction()->getDenormalMode(T->getFltSemantics()) != DenormalMode::getIEEE();
}

} // namespace

std::optional<FpEnvironmentGuard> guardOnFpEnvironment(const Module &M) {
  bool Depends = false, X87 = false, Approximate = false, Exact = false;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      if (!dependsOnEnvironment(I))
        continue;
      Depends = true;
      X87 |= usesX87(I);
      // Conversions carry no flags; the other operations decide.
      if (!isa<CastInst>(I))
        (isApproximate(I) ? Approximate : Exact) = true;
    }
  if (!Depends)
    return std::nullopt;
  const bool FreeDenormals = Approximate && !Exact;
  return FpEnvironmentGuard(FreeDenormals ? MxcsrControl & ~MxcsrDenormals : MxcsrControl,
                            X87 ? X87Control : 0);
}

namespace {

class FpEnvironment final : public Speculation {
  Applied apply(Speculative &On) const override {
    auto Guard = guardOnFpEnvironment(*On.F.getParent());
    if (!Guard)
      return Applied::Nothing;
    On.Known.Guards.append(*Guard);
    if (!(Guard->Mxcsr & MxcsrDenormals))
      for (Function &F : *On.F.getParent())
        F.addFnAttr("denormal-fp-math", "dynamic,dynamic");
    return Applied::Done;
  }
};

} // namespace

const Speculation &fpEnvironment() {
  static constexpr FpEnvironment Only;
  return Only;
}

} // namespace specrt
