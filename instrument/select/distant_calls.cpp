//===- instrument/select/distant_calls.cpp - calls of functions in other files ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/select/distant_calls.h"
#include "analysis/eligibility.h"
#include "analysis/kinds.h"
#include "instrument/select/definitions.h"
#include "instrument/select/eligibility.h"
#include "instrument/select/rounding/rounding.h"
#include "instrument/select/selection.h"
#include "instrument/select/vector_library.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {

// Larger functions gain less from being specialised for a caller, and the bitcode of each takes
// space in the object file.
static constexpr unsigned MaxInstructions = 80;
// The limit for one file.
static constexpr unsigned MaxFunctions = 64;

/// Returns whether arguments and result are numbers and plain pointers only, so that a call in one
/// file and a definition in another agree if their types do.
static bool isPlainInterface(const FunctionType &T, AttributeList Attributes) {
  if (T.isVarArg() || !kindOf(T.getReturnType()) ||
      !all_of(T.params(), [](const Type *P) { return kindOf(P).has_value(); }))
    return false;
  return none_of(
      std::initializer_list<Attribute::AttrKind>{
          Attribute::ByVal, Attribute::ByRef, Attribute::StructRet, Attribute::InAlloca,
          Attribute::Preallocated, Attribute::InReg, Attribute::Nest, Attribute::SwiftSelf,
          Attribute::SwiftError, Attribute::SwiftAsync},
      [&](Attribute::AttrKind Kind) { return Attributes.hasAttrSomewhere(Kind); });
}

static bool isFloatingPoint(const Type *T) { return T->isFPOrFPVectorTy(); }

static bool handlesFloatingPoint(const FunctionType &T) {
  return isFloatingPoint(T.getReturnType()) || any_of(T.params(), isFloatingPoint);
}

static bool handlesFloatingPoint(const Instruction &I) {
  return isFloatingPoint(I.getType()) ||
         any_of(I.operands(), [](const Use &U) { return isFloatingPoint(U->getType()); });
}

/// Returns whether \p F belongs to a library or to the compiler (names with two underscores): such
/// functions are not instrumented.
static bool isLibraryFunction(const Function &F, const TargetLibraryInfo &TLI) {
  LibFunc Known;
  return F.isIntrinsic() || TLI.getLibFunc(F, Known) || F.getName().starts_with("__");
}

bool isDistantCall(const CallBase &Call, const TargetLibraryInfo &TLI) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || Callee->hasExternalWeakLinkage() ||
      isLibraryFunction(*Callee, TLI) || Call.getCallingConv() != CallingConv::C ||
      Call.hasOperandBundles() || Call.isMustTailCall() || Call.isConvergent() ||
      Call.hasFnAttr(Attribute::ReturnsTwice) || Call.doesNotReturn())
    return false;
  return isPlainInterface(*Call.getFunctionType(), Call.getAttributes()) &&
         isPlainInterface(*Call.getFunctionType(), Callee->getAttributes());
}

SmallVector<CallBase *> findDistantCalls(const Loop &L, const TargetLibraryInfo &TLI) {
  SmallVector<CallBase *> Calls;
  bool Computes = false;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (auto *Call = dyn_cast<CallBase>(&I); Call && isDistantCall(*Call, TLI))
        Calls.push_back(Call);
      Computes |= handlesFloatingPoint(I);
    }
  // An innermost loop without such calls can be a region by itself, whatever the distant calls
  // beside it do.
  const bool HasOthers = any_of(L.getLoopsInPreorder(), [&](const Loop *Part) {
    return Part->isInnermost() &&
           none_of(Calls, [&](const CallBase *Call) { return Part->contains(Call); });
  });
  return Computes && !HasOthers ? Calls : SmallVector<CallBase *>();
}

/// Returns whether an attribute makes calls of \p F observable (patchable entries, XRay, mcount),
/// or marks \p F as handled by libspecrt.
static bool isObserved(const Function &F) {
  return any_of(F.getAttributes().getFnAttrs(), [](const Attribute &A) {
    if (!A.isStringAttribute())
      return false;
    StringRef Kind = A.getKindAsString();
    return Kind.starts_with("patchable-function") || Kind.starts_with("instrument-function") ||
           Kind.starts_with("xray-") || Kind == "fentry-call" || Kind == "mcount" ||
           Kind.starts_with("specrt-");
  });
}

/// Returns whether \p F throws nothing, apart from its distant calls: the functions of other files
/// that become part of it do not throw either.
static bool throwsNothing(const Function &F, const TargetLibraryInfo &TLI) {
  return F.doesNotThrow() || all_of(instructions(F), [&](const Instruction &I) {
           const auto *Call = dyn_cast<CallBase>(&I);
           return !I.mayThrow() || (Call && isDistantCall(*Call, TLI));
         });
}

/// Returns whether \p F is not recursive and calls no visible function, directly or through
/// callees, whose definition may be replaced by another one. Its bitcode is in a module with
/// others.
static bool meansWhatItCalls(const Function &F) {
  SmallSetVector<const Function *, 8> Code;
  Code.insert(&F);
  for (size_t Next = 0; Next < Code.size(); ++Next)
    for (const Instruction &I : instructions(*Code[Next])) {
      const auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || Callee->isDeclaration())
        continue;
      if (Callee == &F || !mayStandForCalls(*Callee))
        return false;
      Code.insert(Callee);
    }
  return true;
}

static bool mayBeDistant(const Function &F, const TargetLibraryInfo &TLI) {
  // Each file has its own definitions of inline functions.
  if (F.isDeclaration() || !F.hasExternalLinkage() || F.hasComdat() ||
      F.getCallingConv() != CallingConv::C || F.hasGC() || F.hasPrefixData() ||
      F.hasPrologueData() || isLibraryFunction(F, TLI) || F.getName() == "main")
    return false;
  if (!throwsNothing(F, TLI) || F.hasFnAttribute(Attribute::NoInline) ||
      F.hasFnAttribute(Attribute::OptimizeNone) || isObserved(F) || !reasonAgainst(F).empty())
    return false;
  return isPlainInterface(*F.getFunctionType(), F.getAttributes()) && meansWhatItCalls(F) &&
         F.getInstructionCount() <= MaxInstructions &&
         (handlesFloatingPoint(*F.getFunctionType()) ||
          any_of(instructions(F), [](const Instruction &I) { return handlesFloatingPoint(I); }) ||
          F.onlyReadsMemory());
}

SmallVector<Function *> findDistantFunctions(Module &M, FunctionAnalysisManager &FAM,
                                             const Selection &Wanted, const Rounding &Bits) {
  SmallVector<Function *> Found;
  for (Function &F : M) {
    if (F.isDeclaration() || Found.size() == MaxFunctions)
      continue;
    const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
    if (mayBeDistant(F, TLI) && Wanted.reasonAgainst(F).empty() && !refuseCallee(F, TLI) &&
        !Bits.refuse(F) && !refuseVectorFunctions(F, TLI))
      Found.push_back(&F);
  }
  return Found;
}

} // namespace specrt
