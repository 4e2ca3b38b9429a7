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

FunctionCallee enterFunction(Module &M) {
  Type *Pointer = PointerType::get(M.getContext(), 0);
  return declare(M, "specrt_enter", Pointer, {Pointer, Pointer, Pointer});
}

FunctionCallee leaveFunction(Module &M) {
  Type *Pointer = PointerType::get(M.getContext(), 0);
  return declare(M, "specrt_leave", Type::getVoidTy(M.getContext()), {Pointer, Pointer});
}

FunctionCallee pollFunction(Module &M) {
  Type *Pointer = PointerType::get(M.getContext(), 0);
  return declare(M, "specrt_poll", Pointer,
                 {Pointer, Pointer, Type::getInt64Ty(M.getContext()), Pointer});
}

FunctionCallee leaveNestFunction(Module &M) {
  return declare(M, "specrt_leave_nest", Type::getVoidTy(M.getContext()),
                 {PointerType::get(M.getContext(), 0), Type::getInt32Ty(M.getContext())});
}

} // namespace specrt
