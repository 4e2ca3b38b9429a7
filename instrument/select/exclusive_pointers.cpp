//===- instrument/select/exclusive_pointers.cpp - inputs that may be noalias ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects considered are those that only this execution of the function can name: its stack
// memory, its allocations, and objects behind a restrict parameter. As long as no such pointer has
// been captured, neither globals nor memory nor calls yield it. A pointer that a call returns from
// its arguments (captures(ret: address, provenance)) does not count as captured, so such calls are
// followed here.
//
//===----------------------------------------------------------------------===//
#include "instrument/select/exclusive_pointers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace specrt {

/// A bounded search might end before it reaches the object.
static constexpr unsigned Unlimited = 0;

/// Returns the object behind \p Pointer if only pointers computed from it reach it; otherwise null.
static const Value *privateObject(const Value &Pointer) {
  const Value *Object = getUnderlyingObject(&Pointer, Unlimited);
  const auto *Arg = dyn_cast<Argument>(Object);
  if (!isa<AllocaInst>(Object) && !isNoAliasCall(Object) && !(Arg && Arg->hasNoAliasAttr()))
    return nullptr;
  // Returning the pointer captures it only after the region has ended.
  return PointerMayBeCaptured(Object, /*ReturnCaptures=*/false) ? nullptr : Object;
}

/// Returns whether \p Pointer may have been computed from \p Object, which privateObject() has
/// returned.
static bool mayBeBasedOn(const Value &Pointer, const Value *Object) {
  SmallVector<const Value *> Work{&Pointer};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty()) {
    SmallVector<const Value *> Bases;
    getUnderlyingObjects(Work.pop_back_val(), Bases, /*LI=*/nullptr, Unlimited);
    for (const Value *Base : Bases) {
      if (Base == Object)
        return true;
      if (!Seen.insert(Base).second || isa<Constant, Argument>(Base) || isIdentifiedObject(Base))
        continue;
      // The result of an allocation is an identified object, so it is not based on arguments.
      const auto *Call = dyn_cast<CallBase>(Base);
      if (!Call && !isEscapeSource(Base))
        return true;
      for (unsigned I = 0; Call && I < Call->arg_size(); ++I)
        if (const Value *Arg = Call->getArgOperand(I);
            Arg->getType()->isPointerTy() &&
            capturesAnything(Call->getCaptureInfo(I).getRetComponents()))
          Work.push_back(Arg);
    }
  }
  return false;
}

bool isExclusivePointer(const Value &Pointer, const SetVector<Value *> &Inputs) {
  const Value *Object = privateObject(Pointer);
  return Object && none_of(Inputs, [&](const Value *Other) {
           return Other != &Pointer && Other->getType()->isPointerTy() &&
                  mayBeBasedOn(*Other, Object);
         });
}

} // namespace specrt
