//===- specializer/rounding/floating_point.cpp - keeps results bit by bit -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/rounding/floating_point.h"
#include "specrt/jit_api.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns whether the result of the C function \p Name is exact, correctly rounded or not a
/// number, so that calls may be optimised.
bool isExactFunction(StringRef Name) {
  StringRef Base = Name;
  // Strips the suffix of float and long double versions, but not the last letter of the names
  // themselves.
  if (Base != "ceil" && Base != "modf" && Base != "erf" &&
      (Base.ends_with("f") || Base.ends_with("l")))
    Base = Base.drop_back();
  return StringSwitch<bool>(Base)
      .Cases({"sqrt", "fabs", "floor", "ceil", "trunc", "rint", "nearbyint", "round"}, true)
      .Cases({"roundeven", "copysign", "fma", "fmin", "fmax", "fminimum", "fmaximum"}, true)
      .Cases({"fmod", "remainder", "ldexp", "scalbn", "scalbln", "frexp", "modf", "logb"}, true)
      .Cases({"ilogb", "lround", "llround", "lrint", "llrint", "fdim", "nextafter"}, true)
      .Default(false);
}

bool handlesFloat(const CallBase &Call) {
  if (Call.getType()->isFPOrFPVectorTy())
    return true;
  return any_of(Call.args(), [](const Use &U) { return U->getType()->isFPOrFPVectorTy(); });
}

void makeStrict(Instruction &I) {
  if (isa<IntrinsicInst>(I))
    return;
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || !Call->getCalledFunction() || !handlesFloat(*Call))
    return;
  const Function &Callee = *Call->getCalledFunction();
  if (!isExactFunction(Callee.getName()))
    Call->addFnAttr(Attribute::NoBuiltin);
}

} // namespace

void applyFloatingPointMode(Module &M, unsigned FpMode) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      if (isa<FPMathOperator>(I)) {
        I.copyFastMathFlags(FastMathFlags());
        I.setHasNoSignedZeros(FpMode == SPECRT_FP_FINITE);
      }
      makeStrict(I);
    }
}

} // namespace specrt
