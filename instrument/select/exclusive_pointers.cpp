//===- instrument/select/exclusive_pointers.cpp - who else reaches an object ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects in question are those that only this execution of the function can name: its stack
// memory, what it got from an allocation, and what it may access through a restrict parameter. As
// long as no such pointer was captured, neither globals nor memory nor calls yield it. "Not
// captured" does not count pointers that a call returns from its arguments (captures(ret: address,
// provenance)), which is why these are followed here.
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

/// An answer after a bounded number of steps would not be the object.
static constexpr unsigned Unlimited = 0;

/// The object that only pointers computed from it reach; null if \p Pointer leads to none.
static const Value *privateObject(const Value &Pointer) {
  const Value *Object = getUnderlyingObject(&Pointer, Unlimited);
  const auto *Arg = dyn_cast<Argument>(Object);
  if (!isa<AllocaInst>(Object) && !isNoAliasCall(Object) && !(Arg && Arg->hasNoAliasAttr()))
    return nullptr;
  // Who gets it from a return statement gets it when the region has ended.
  return PointerMayBeCaptured(Object, /*ReturnCaptures=*/false) ? nullptr : Object;
}

/// May \p Pointer have been computed from \p Object, which privateObject() found?
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
      // What an allocation returns, an identified object, is not based on its arguments.
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
