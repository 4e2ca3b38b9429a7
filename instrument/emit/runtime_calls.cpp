//===- instrument/emit/runtime_calls.cpp - what regions call in libspecrt -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/emit/runtime_calls.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {

static FunctionCallee declare(Module &M, StringRef Name, Type *Result, ArrayRef<Type *> Arguments) {
  FunctionCallee Callee = M.getOrInsertFunction(Name, FunctionType::get(Result, Arguments, false));
  if (auto *F = dyn_cast<Function>(Callee.getCallee()))
    F->addFnAttr(Attribute::NonLazyBind);
  return Callee;
}

FunctionCallee endNestFunction(Module &M) {
  return declare(M, "specrt_end_nest", Type::getVoidTy(M.getContext()),
                 {Type::getInt32Ty(M.getContext())});
}

FunctionCallee endHandedOverFunction(Module &M) {
  Type *I32 = Type::getInt32Ty(M.getContext());
  return declare(M, "specrt_end_handed_over", Type::getVoidTy(M.getContext()), {I32, I32});
}

FunctionCallee continueFunction(Module &M) {
  return declare(M, "specrt_continue", PointerType::getUnqual(M.getContext()),
                 {Type::getInt32Ty(M.getContext())});
}

// It is declared like Objective-C's objc_msgSend, with a type that no call has: passes do not
// change calls whose type differs from that of the function.
Value *pollNestFunction(Module &M) {
  LLVMContext &Context = M.getContext();
  auto *Any = FunctionType::get(Type::getVoidTy(Context), /*isVarArg=*/true);
  Value *Callee = M.getOrInsertFunction("specrt_poll_nest", Any).getCallee();
  if (auto *F = dyn_cast<Function>(Callee)) {
    F->addFnAttr(Attribute::NonLazyBind);
    F->addFnAttr("thunk");
  }
  return Callee;
}

Attribute staticChain(LLVMContext &Context) { return Attribute::get(Context, Attribute::Nest); }

} // namespace specrt
