//===- jit/code/engine.cpp - maps machine code into this process ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/code/engine.h"
#include "jit/code/helper_symbols.h"
#include "jit/code/masked_stores.h"
#include "specializer/module/host_target.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/EHFrameRegistrationPlugin.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace specrt {
namespace {

/// Resolves names of helpers in code that refers to them.
class HelperGenerator final : public orc::DefinitionGenerator {
public:
  Error tryToGenerate(orc::LookupState &, orc::LookupKind, orc::JITDylib &JD,
                      orc::JITDylibLookupFlags, const orc::SymbolLookupSet &Wanted) override {
    orc::SymbolMap Found;
    for (const auto &[Name, Flags] : Wanted)
      if (void *Address = helperAddress((*Name).str()))
        Found[Name] = {orc::ExecutorAddr::fromPtr(Address), JITSymbolFlags::Exported};
    return Found.empty() ? Error::success() : JD.define(orc::absoluteSymbols(std::move(Found)));
  }
};

} // namespace

Expected<std::unique_ptr<Engine>> Engine::create() {
  std::unique_ptr<Engine> E(new Engine());
  Expected<std::unique_ptr<TargetMachine>> TM = createHostTarget();
  if (!TM)
    return TM.takeError();
  E->TM = std::move(*TM);
  Expected<std::unique_ptr<orc::SelfExecutorProcessControl>> Process =
      orc::SelfExecutorProcessControl::Create();
  if (!Process)
    return Process.takeError();
  E->Session = std::make_unique<orc::ExecutionSession>(std::move(*Process));
  // Failures of materialisation are reported here; the lookup that caused them only names symbols.
  E->Session->setErrorReporter(
      [Self = E.get()](Error Problem) { Self->LastProblem = toString(std::move(Problem)); });
  E->Layer = std::make_unique<orc::ObjectLinkingLayer>(*E->Session);
  // Unwinders (profilers, pthread_cancel) must be able to pass through this code.
  Expected<std::unique_ptr<orc::EHFrameRegistrationPlugin>> Frames =
      orc::EHFrameRegistrationPlugin::Create(*E->Session);
  if (!Frames)
    return Frames.takeError();
  E->Layer->addPlugin(std::move(*Frames));
  return E;
}

static Error emit(Module &M, TargetMachine &TM, SmallVectorImpl<char> &Bytes,
                  CodeGenFileType Type) {
  raw_svector_ostream Stream(Bytes);
  legacy::PassManager Passes;
  if (TM.addPassesToEmitFile(Passes, Stream, /*DwoOut=*/nullptr, Type))
    return createStringError("LLVM cannot generate code for this machine");
  Passes.run(M);
  return Error::success();
}

Expected<std::unique_ptr<MemoryBuffer>> Engine::compile(Module &M, std::string *Assembly) {
  M.setDataLayout(TM->createDataLayout());
  M.setTargetTriple(TM->getTargetTriple());
  splitMaskedStores(M);
  if (Assembly) {
    std::unique_ptr<Module> Copy = CloneModule(M);
    SmallVector<char, 0> Text;
    if (Error E = emit(*Copy, *TM, Text, CodeGenFileType::AssemblyFile))
      return std::move(E);
    Assembly->assign(Text.begin(), Text.end());
  }
  SmallVector<char, 0> Bytes;
  if (Error E = emit(M, *TM, Bytes, CodeGenFileType::ObjectFile))
    return std::move(E);
  return std::make_unique<SmallVectorMemoryBuffer>(std::move(Bytes), "specrt",
                                                   /*RequiresNullTerminator=*/false);
}

Expected<LoadedCode> Engine::load(std::unique_ptr<MemoryBuffer> Object, StringRef EntryName,
                                  const SymbolAddresses &Symbols) {
  LastProblem.clear();
  orc::JITDylib &Library = Session->createBareJITDylib("specrt." + std::to_string(NumLoaded++));
  LoadedCode Code{&Library, nullptr};
  orc::SymbolMap Known;
  for (const auto &Entry : Symbols)
    if (Entry.getKey() != EntryName)
      Known[Session->intern(Entry.getKey())] = {orc::ExecutorAddr::fromPtr(Entry.getValue()),
                                                JITSymbolFlags::Exported | JITSymbolFlags::Weak};
  Library.addGenerator(std::make_unique<HelperGenerator>());
  Error Problem = Layer->add(Library, std::move(Object));
  if (!Problem && !Known.empty())
    Problem = Library.define(orc::absoluteSymbols(std::move(Known)));
  if (!Problem) {
    Expected<orc::ExecutorSymbolDef> Found = Session->lookup({&Library}, EntryName);
    if (Found) {
      Code.Entry = Found->getAddress().toPtr<void *>();
      return Code;
    }
    Problem = Found.takeError();
  }
  std::string Why = toString(std::move(Problem));
  if (!LastProblem.empty())
    Why = LastProblem;
  consumeError(unload(Code));
  return createStringError(Why);
}

Expected<void *> Engine::lookup(const LoadedCode &Code, StringRef Name) {
  Expected<orc::ExecutorSymbolDef> Found = Session->lookup(
      {{Code.Library, orc::JITDylibLookupFlags::MatchAllSymbols}}, Session->intern(Name));
  if (!Found)
    return Found.takeError();
  return Found->getAddress().toPtr<void *>();
}

Error Engine::unload(LoadedCode Code) { return Session->removeJITDylib(*Code.Library); }

} // namespace specrt
