//===- instrument/emit/functions.cpp - emits functions that nests in other files may inline -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record names its definition by the address of a private alias, which no other definition of the
// same name can replace at link time. With -ffunction-sections the records have sections of their
// own, too, and the linker drops a function and its record together.
//
//===----------------------------------------------------------------------===//
#include "instrument/emit/functions.h"
#include "instrument/emit/bitcode.h"
#include "instrument/emit/text.h"
#include "instrument/select/distant_calls.h"
#include "specrt/abi.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {
namespace {

class FunctionEmitter {
public:
  FunctionEmitter(Module &M, FunctionAnalysisManager &FAM)
      : M(M), FAM(FAM), Context(M.getContext()) {}
  SmallVector<GlobalValue *> emit(ArrayRef<Function *> Functions, bool HasOneSection);

private:
  using Symbols = MapVector<GlobalValue *, std::string>;
  GlobalVariable *emitFile(const FunctionsBitcode &Bitcode);
  Constant *recordOf(Function &F, GlobalVariable *File, const Symbols &Used);
  GlobalVariable *addRecords(ArrayRef<Constant *> Records, Function &First);
  bool isCalled(const GlobalValue &Symbol);
  Constant *number(uint32_t Value) { return ConstantInt::get(Type::getInt32Ty(Context), Value); }

  Module &M;
  FunctionAnalysisManager &FAM;
  LLVMContext &Context;
};

/// Emits the specrt_function_file that the records of this module share.
GlobalVariable *FunctionEmitter::emitFile(const FunctionsBitcode &Bitcode) {
  Constant *Init = ConstantStruct::getAnon(
      {ConstantDataArray::get(Context, ArrayRef(Bitcode.Hash)),
       ConstantInt::get(Type::getInt64Ty(Context), Bitcode.Bytes.size()),
       ConstantDataArray::getString(Context, StringRef(Bitcode.Bytes.data(), Bitcode.Bytes.size()),
                                    /*AddNull=*/false)});
  auto *File = new GlobalVariable(M, Init->getType(), true, GlobalValue::PrivateLinkage, Init,
                                  "specrt.functions");
  File->setAlignment(Align(8));
  return File;
}

/// Returns whether this module calls \p Symbol as a function that another file may define.
bool FunctionEmitter::isCalled(const GlobalValue &Symbol) {
  const auto *F = dyn_cast<Function>(&Symbol);
  return F && any_of(F->users(), [&](const User *U) {
           const auto *Call = dyn_cast<CallBase>(U);
           return Call && Call->getCalledFunction() == F &&
                  isDistantCall(*Call, FAM.getResult<TargetLibraryAnalysis>(
                                           const_cast<Function &>(*Call->getFunction())));
         });
}

Constant *FunctionEmitter::recordOf(Function &F, GlobalVariable *File, const Symbols &Used) {
  auto *Place = GlobalAlias::create(F.getValueType(), F.getAddressSpace(),
                                    GlobalValue::PrivateLinkage, F.getName() + ".specrt", &F, &M);
  SmallVector<Constant *> Called, Others;
  for (const auto &[Symbol, Name] : Used)
    (isCalled(*Symbol) ? Called : Others)
        .push_back(ConstantStruct::getAnon({addText(M, Name), cast<Constant>(Symbol)}));
  const size_t NumCalls = Called.size();
  Called.append(Others);
  const size_t Bytes = sizeof(specrt_function) + Called.size() * sizeof(specrt_symbol);
  SmallVector<Constant *> Members{
      number(SPECRT_ABI_VERSION), number(Bytes),   addText(M, F.getName()), Place, File,
      number(Called.size()),      number(NumCalls)};
  Members.append(Called);
  return ConstantStruct::getAnon(Members);
}

/// Emits \p Records as one object, associated with the section of \p First.
GlobalVariable *FunctionEmitter::addRecords(ArrayRef<Constant *> Records, Function &First) {
  Constant *Init = ConstantStruct::getAnon(Records);
  auto *Object = new GlobalVariable(M, Init->getType(), false, GlobalValue::PrivateLinkage, Init,
                                    "specrt.function");
  Object->setSection(SPECRT_FUNCTION_SECTION);
  Object->setAlignment(Align(8));
  Object->setMetadata(LLVMContext::MD_associated,
                      MDNode::get(Context, ValueAsMetadata::get(&First)));
  return Object;
}

SmallVector<GlobalValue *> FunctionEmitter::emit(ArrayRef<Function *> Functions,
                                                 bool HasOneSection) {
  const FunctionsBitcode Bitcode = writeBitcode(M, Functions);
  GlobalVariable *File = emitFile(Bitcode);
  SmallVector<Constant *> Records;
  for (auto [F, Used] : zip_equal(Functions, Bitcode.Symbols))
    Records.push_back(recordOf(*F, File, Used));
  if (HasOneSection && none_of(Functions, [](const Function *F) { return F->hasSection(); }))
    return {addRecords(Records, *Functions.front())};
  SmallVector<GlobalValue *> Objects;
  for (auto [F, Record] : zip_equal(Functions, Records))
    Objects.push_back(addRecords(Record, *F));
  return Objects;
}

} // namespace

SmallVector<GlobalValue *> emitFunctions(Module &M, ArrayRef<Function *> Functions,
                                         FunctionAnalysisManager &FAM, bool HasOneSection) {
  return FunctionEmitter(M, FAM).emit(Functions, HasOneSection);
}

} // namespace specrt
