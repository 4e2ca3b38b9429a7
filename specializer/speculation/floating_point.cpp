//===- specializer/speculation/floating_point.cpp - which results may change =//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/floating_point.h"
#include "jit/jit_api.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace specrt {
namespace {

/// The C function (double version) that code generation calls for an intrinsic whose result IEEE
/// 754 does not define exactly; "" for all others.
StringRef libraryFunction(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::sin:
    return "sin";
  case Intrinsic::cos:
    return "cos";
  case Intrinsic::tan:
    return "tan";
  case Intrinsic::asin:
    return "asin";
  case Intrinsic::acos:
    return "acos";
  case Intrinsic::atan:
    return "atan";
  case Intrinsic::atan2:
    return "atan2";
  case Intrinsic::sinh:
    return "sinh";
  case Intrinsic::cosh:
    return "cosh";
  case Intrinsic::tanh:
    return "tanh";
  case Intrinsic::pow:
    return "pow";
  case Intrinsic::exp:
    return "exp";
  case Intrinsic::exp2:
    return "exp2";
  case Intrinsic::exp10:
    return "exp10";
  case Intrinsic::log:
    return "log";
  case Intrinsic::log2:
    return "log2";
  case Intrinsic::log10:
    return "log10";
  default:
    return "";
  }
}

/// C functions whose result is exact, correctly rounded or not a number: free to be optimised.
bool isExactFunction(StringRef Name) {
  StringRef Base = Name;
  // The float and long double versions; the double ones that end in f or l themselves first.
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

/// Replaces the intrinsic by a call of the library function that code generation would emit.
void callLibrary(IntrinsicInst &I, StringRef Name) {
  Type *T = I.getType();
  if (!T->isFloatTy() && !T->isDoubleTy())
    return;
  std::string Full = (Name + (T->isFloatTy() ? "f" : "")).str();
  FunctionCallee Callee = I.getModule()->getOrInsertFunction(Full, I.getFunctionType());
  IRBuilder<> B(&I);
  CallInst *Call = B.CreateCall(Callee, SmallVector<Value *, 2>(I.args()));
  if (auto *F = dyn_cast<Function>(Callee.getCallee()); F && F->isDeclaration()) {
    F->setDoesNotThrow();
    F->addFnAttr(Attribute::WillReturn);
  }
  // The intrinsic promises not to touch errno; the call inherits the promise.
  Call->setDoesNotAccessMemory();
  Call->setDoesNotThrow();
  Call->addFnAttr(Attribute::WillReturn);
  Call->addFnAttr(Attribute::NoBuiltin);
  Call->copyFastMathFlags(&I);
  Call->takeName(&I);
  I.replaceAllUsesWith(Call);
  I.eraseFromParent();
}

void makeStrict(Instruction &I) {
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I)) {
    if (StringRef Name = libraryFunction(Intrinsic->getIntrinsicID()); !Name.empty())
      callLibrary(*Intrinsic, Name);
    return;
  }
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || !Call->getCalledFunction() || !handlesFloat(*Call))
    return;
  const Function &Callee = *Call->getCalledFunction();
  if (Callee.isDeclaration() && !isExactFunction(Callee.getName()))
    Call->addFnAttr(Attribute::NoBuiltin);
}

void relax(Instruction &I, bool Fast) {
  if (!isa<FPMathOperator>(I))
    return;
  I.setHasNoSignedZeros(true);
  if (!Fast)
    return;
  I.setHasAllowReassoc(true);
  I.setHasAllowContract(true);
  I.setHasAllowReciprocal(true);
  I.setHasApproxFunc(true);
}

} // namespace

void applyFloatingPointMode(Module &M, unsigned FpMode) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      if (FpMode != SPECRT_FP_STRICT)
        relax(I, FpMode == SPECRT_FP_FAST);
      if (FpMode != SPECRT_FP_FAST)
        makeStrict(I);
    }
}

} // namespace specrt
