//===- analysis/eligibility.cpp - code that cannot be compiled once more --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/eligibility.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include <array>

using namespace llvm;

namespace specrt {

/// Returns whether \p Call reads or changes rounding, denormal or trap modes or exception flags.
static bool usesFpEnvironment(const CallBase &Call) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::get_rounding:
  case Intrinsic::set_rounding:
  case Intrinsic::get_fpenv:
  case Intrinsic::set_fpenv:
  case Intrinsic::reset_fpenv:
  case Intrinsic::get_fpmode:
  case Intrinsic::set_fpmode:
  case Intrinsic::reset_fpmode:
  case Intrinsic::x86_sse_ldmxcsr:
  case Intrinsic::x86_sse_stmxcsr:
    return true;
  default:
    return Call.isStrictFP() || isa<ConstrainedFPIntrinsic>(Call);
  }
}

static std::string reasonAgainstCall(const CallBase &Call) {
  if (usesFpEnvironment(Call))
    return "uses the floating-point environment";
  if (Call.getIntrinsicID() == Intrinsic::threadlocal_address)
    return "accesses a thread-local variable";
  if (Call.isInlineAsm())
    return "contains inline assembly";
  if (isa<InvokeInst, CallBrInst>(Call))
    return "handles exceptions";
  if (Call.isMustTailCall())
    return "contains a guaranteed tail call";
  const Function *Callee = Call.getCalledFunction();
  if (Callee && !Callee->isIntrinsic() &&
      (Call.isConvergent() || Call.hasFnAttr(Attribute::ReturnsTwice)))
    return ("calls " + Callee->getName() + ", which must stay in place").str();
  return "";
}

std::string reasonAgainst(const Instruction &I) {
  if (I.isVolatile())
    return "accesses volatile memory";
  if (I.isAtomic())
    return "contains atomic operations";
  if (I.isEHPad() || isa<ResumeInst>(I))
    return "handles exceptions";
  if (isa<IndirectBrInst>(I))
    return "jumps to computed addresses";
  if (isa<VAArgInst>(I))
    return "reads variable arguments";
  if (I.getType()->isTokenTy())
    return "uses a token value";
  for (const Value *Operand : I.operands()) {
    if (const auto *Global = dyn_cast<GlobalValue>(Operand); Global && Global->isThreadLocal())
      return "accesses a thread-local variable";
    // Such addresses are mostly relative to a register that each thread has of its own.
    if (const auto *T = dyn_cast<PointerType>(Operand->getType()->getScalarType());
        T && T->getAddressSpace() != 0)
      return "accesses another address space";
  }
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return reasonAgainstCall(*Call);
  return "";
}

/// Returns whether sanitizer passes, which run last and only on the original, will add checks.
static bool isSanitized(const Function &F) {
  return any_of(std::array{Attribute::SanitizeAddress, Attribute::SanitizeHWAddress,
                           Attribute::SanitizeMemory, Attribute::SanitizeMemTag,
                           Attribute::SanitizeNumericalStability, Attribute::SanitizeRealtime,
                           Attribute::SanitizeThread, Attribute::SanitizeType,
                           Attribute::SafeStack},
                [&](Attribute::AttrKind Kind) { return F.hasFnAttribute(Kind); });
}

std::string reasonAgainst(const Function &F) {
  if (F.hasFnAttribute(Attribute::Naked))
    return "is naked";
  if (F.hasFnAttribute(Attribute::StrictFP))
    return "changes the floating-point environment";
  if (F.isPresplitCoroutine())
    return "is a coroutine";
  if (F.isConvergent())
    return "is convergent";
  if (F.callsFunctionThatReturnsTwice())
    return "calls setjmp or the like";
  if (isSanitized(F))
    return "is checked by a sanitizer, which a version would not be";
  return "";
}

bool isPlainData(const Constant *C) {
  if (isa<GlobalValue, BlockAddress, DSOLocalEquivalent, NoCFIValue>(C))
    return false;
  return all_of(C->operands(), [](const Use &U) { return isPlainData(cast<Constant>(U.get())); });
}

} // namespace specrt
