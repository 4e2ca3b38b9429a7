//===- instrument/emit/registration.cpp - registers an image's regions with libspecrt -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every instrumented object carries the same constructor and destructor in a comdat, so an image
// (program or shared library) gets one of each. They pass the bounds of the image's own section of
// region entries: the bounds are hidden symbols the linker defines.
//
//===----------------------------------------------------------------------===//
#include "instrument/emit/descriptor.h"
#include "instrument/emit/functions.h"
#include "specrt/abi.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace specrt {

// Priorities below 101 are reserved, so all constructors of users find the regions registered, and
// so do their destructors, as fini_array runs backwards.
static constexpr int Priority = 100;
// Functions are registered first: registering a region looks up the functions of other files.
static constexpr int FunctionPriority = 99;

/// Declares a bound of the section, weak because --gc-sections may remove every entry.
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

/// Emits the constructor and destructor; \p Suffix names what they register.
static void emitRegistration(Module &M, StringRef Section, const Twine &Suffix, int Priority) {
  Value *Begin = sectionBound(M, ("__start_" + Section).str());
  Value *End = sectionBound(M, ("__stop_" + Section).str());
  const auto Make = [&](const std::string &Verb) {
    const std::string Callee = Verb + Suffix.str();
    return imageFunction(M, "__" + Callee, Callee, Begin, End);
  };
  Function *Constructor = Make("specrt_register"), *Destructor = Make("specrt_unregister");
  appendToGlobalCtors(M, Constructor, Priority, Constructor);
  appendToGlobalDtors(M, Destructor, Priority, Destructor);
}

/// Emits pointers to \p Records, which lie in one section. With --gc-sections the pointers are kept
/// exactly if the records are, to which the stubs refer; members of a comdat are kept together.
static GlobalVariable *addEntries(ArrayRef<GlobalVariable *> Records) {
  GlobalVariable &First = *Records.front();
  Module &M = *First.getParent();
  SmallVector<Constant *> Pointers(Records);
  auto *T = ArrayType::get(PointerType::getUnqual(M.getContext()), Pointers.size());
  auto *Entries = new GlobalVariable(M, T, false, GlobalValue::PrivateLinkage,
                                     ConstantArray::get(T, Pointers), "specrt.entries");
  Entries->setComdat(First.getComdat());
  Entries->setSection(SPECRT_RECORD_SECTION);
  Entries->setAlignment(Align(8));
  if (!First.hasComdat())
    Entries->setMetadata(LLVMContext::MD_associated,
                         MDNode::get(M.getContext(), ValueAsMetadata::get(&First)));
  return Entries;
}

SmallVector<GlobalValue *> emitEntries(ArrayRef<GlobalVariable *> Records, bool HasOneSection) {
  SmallVector<GlobalValue *> Entries;
  SmallVector<GlobalVariable *> Together;
  for (GlobalVariable *Record : Records)
    if (HasOneSection && !Record->hasComdat())
      Together.push_back(Record);
    else
      Entries.push_back(addEntries(Record));
  if (!Together.empty())
    Entries.push_back(addEntries(Together));
  return Entries;
}

void emitRegistration(Module &M) {
  emitRegistration(M, SPECRT_RECORD_SECTION, "_records", Priority);
}

void emitFunctionRegistration(Module &M) {
  emitRegistration(M, SPECRT_FUNCTION_SECTION, "_functions", FunctionPriority);
}

} // namespace specrt
