//===- specializer/module/user_module.cpp - modules from the command line -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/user_module.h"
#include "specializer/polyhedral/model/polly_options.h"
#include "specializer/polyhedral/polyhedral.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Object/IRObjectFile.h"

using namespace llvm;

namespace specrt {

Expected<std::unique_ptr<Module>> readUserModule(MemoryBufferRef File, const TargetMachine &TM,
                                                 LLVMContext &Context) {
  Expected<MemoryBufferRef> Bitcode = object::IRObjectFile::findBitcodeInMemBuffer(File);
  if (!Bitcode) {
    consumeError(Bitcode.takeError());
    return createStringError("it holds no bitcode");
  }
  // Otherwise the reader reports invalid debug info on standard error and drops it, including the
  // names of arguments.
  PollyOptionScope Scope;
  Scope.set("disable-auto-upgrade-debug-info", true);
  Expected<std::unique_ptr<Module>> M = parseBitcodeFile(*Bitcode, Context);
  if (!M)
    return createStringError("its bitcode cannot be read: " + toString(M.takeError()));
  bool HasBrokenDebugInfo = false;
  if (verifyModule(**M, /*OS=*/nullptr, &HasBrokenDebugInfo))
    return createStringError("its bitcode is not valid");
  if (HasBrokenDebugInfo)
    return createStringError("its debug information is not valid");
  // LLVM reports unknown processor names on standard error, so the code is compiled for this
  // machine.
  for (Function &F : **M)
    for (const char *Name : {"target-cpu", "tune-cpu", "target-features"})
      F.removeFnAttr(Name);
  const Triple &Made = (*M)->getTargetTriple();
  if (Made.getArch() != TM.getTargetTriple().getArch())
    return createStringError("its bitcode was made for " + Made.str() + ", not for this machine");
  return M;
}

void canonicalizeUserModule(Module &M, Optimizer &Passes) {
  for (Function &F : M)
    if (F.hasOptNone()) {
      F.removeFnAttr(Attribute::OptimizeNone);
      F.removeFnAttr(Attribute::NoInline);
    }
  Passes.prepareUserModule(M);
  FunctionPassManager FPM;
  addPollyCanonicalization(FPM);
  ModulePassManager MPM;
  MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
  Passes.run(M, std::move(MPM));
  Passes.forget();
}

} // namespace specrt
