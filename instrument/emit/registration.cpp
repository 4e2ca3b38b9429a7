//===- instrument/emit/registration.cpp - introducing an image to libspecrt ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every instrumented object carries the same constructor and destructor in a comdat, so an image
// (program or shared library) gets one of each. They pass the bounds of the image's own section of
// region entries: the bounds are hidden symbols the linker defines.
//
//===----------------------------------------------------------------------===//
#include "instrument/emit/descriptor.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace specrt {

// Priorities from 101 on belong to users, so all their constructors find the regions registered,
// and their destructors (fini_array runs backwards) still do.
static constexpr int Priority = 100;

/// The bounds are weak because --gc-sections may remove every entry.
static GlobalVariable *sectionBound(Module &M, StringRef Name) {
  auto *Bound = new GlobalVariable(M, PointerType::getUnqual(M.getContext()), false,
                                   GlobalValue::ExternalWeakLinkage, nullptr, Name);
  Bound->setVisibility(GlobalValue::HiddenVisibility);
  return Bound;
}

static Function *imageFunction(Module &M, StringRef Name, StringRef Callee, Value *Begin,
                               Value *End) {
  LLVMContext &Context = M.getContext();
  Type *Void = Type::getVoidTy(Context);
  Type *Pointer = PointerType::getUnqual(Context);
  Function *F =
      Function::Create(FunctionType::get(Void, false), GlobalValue::LinkOnceODRLinkage, Name, M);
  F->setVisibility(GlobalValue::HiddenVisibility);
  F->setComdat(M.getOrInsertComdat(Name));
  F->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> Builder(BasicBlock::Create(Context, "", F));
  Builder.CreateCall(
      M.getOrInsertFunction(Callee, FunctionType::get(Void, {Pointer, Pointer}, false)),
      {Begin, End});
  Builder.CreateRetVoid();
  return F;
}

void emitRegistration(Module &M) {
  Value *Begin = sectionBound(M, "__start_" SPECRT_REGION_SECTION);
  Value *End = sectionBound(M, "__stop_" SPECRT_REGION_SECTION);
  Function *Constructor =
      imageFunction(M, "__specrt_register_image", "specrt_register", Begin, End);
  Function *Destructor =
      imageFunction(M, "__specrt_unregister_image", "specrt_unregister", Begin, End);
  appendToGlobalCtors(M, Constructor, Priority, Constructor);
  appendToGlobalDtors(M, Destructor, Priority, Destructor);
}

} // namespace specrt
