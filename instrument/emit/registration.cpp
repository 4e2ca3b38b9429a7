//===- instrument/emit/registration.cpp - introducing an image to libspecrt ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every instrumented object carries the same constructor and destructor in a comdat, so an image
// (program or shared library) gets one of each. They pass the bounds of the image's own section of
// region entries: the bounds are hidden symbols the linker defines.
//
//===----------------------------------------------------------------------===//
#include "instrument/emit/descriptor.h"
#include "instrument/emit/functions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace specrt {

// Priorities from 101 on belong to users, so all their constructors find the regions registered,
// and their destructors (fini_array runs backwards) still do.
static constexpr int Priority = 100;
// Regions look for functions of other files when they are registered.
static constexpr int FunctionPriority = 99;

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

/// \p Suffix tells what is registered: "" or "_functions".
static void emitRegistration(Module &M, StringRef Section, const Twine &Suffix, int Priority) {
  Value *Begin = sectionBound(M, ("__start_" + Section).str());
  Value *End = sectionBound(M, ("__stop_" + Section).str());
  const std::string Image = Suffix.isTriviallyEmpty() ? "_image" : Suffix.str();
  Function *Constructor =
      imageFunction(M, "__specrt_register" + Image, ("specrt_register" + Suffix).str(), Begin, End);
  Function *Destructor = imageFunction(M, "__specrt_unregister" + Image,
                                       ("specrt_unregister" + Suffix).str(), Begin, End);
  appendToGlobalCtors(M, Constructor, Priority, Constructor);
  appendToGlobalDtors(M, Destructor, Priority, Destructor);
}

void emitRegistration(Module &M) { emitRegistration(M, SPECRT_REGION_SECTION, "", Priority); }

void emitFunctionRegistration(Module &M) {
  emitRegistration(M, SPECRT_FUNCTION_SECTION, "_functions", FunctionPriority);
}

} // namespace specrt
