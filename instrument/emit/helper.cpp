//===- instrument/emit/helper.cpp - small functions beside a region -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/emit/helper.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {

Function *addHelper(const Function &Body, const Function &Parent, Type *Result,
                    ArrayRef<Type *> More, StringRef Suffix) {
  SmallVector<Type *> Types(Body.getFunctionType()->params());
  append_range(Types, More);
  auto *M = const_cast<Module *>(Body.getParent());
  Function *F = Function::Create(FunctionType::get(Result, Types, false),
                                 GlobalValue::InternalLinkage, Body.getName() + "." + Suffix, M);
  // Same code generation as the region: target features decide how arguments are passed.
  for (StringRef Kind : {"target-cpu", "target-features", "tune-cpu", "frame-pointer",
                         "probe-stack", "stack-protector-buffer-size"})
    if (Body.hasFnAttribute(Kind))
      F->addFnAttr(Body.getFnAttribute(Kind));
  if (Body.hasFnAttribute(Attribute::UWTable))
    F->addFnAttr(Body.getFnAttribute(Attribute::UWTable));
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr("specrt-region");
  F->setDSOLocal(true);
  F->setComdat(const_cast<Comdat *>(Body.getComdat()));
  if (Parent.hasSection())
    F->setSection(Parent.getSection());
  else if (Body.hasComdat()) // one for all of the comdat, instead of one with a long name for each
    F->setSection(".text.specrt");
  else // not between the functions that run in place
    F->setSectionPrefix("unlikely");
  return F;
}

} // namespace specrt
