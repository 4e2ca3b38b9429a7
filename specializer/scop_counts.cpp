//===- specializer/scop_counts.cpp - Scops of a module, for `specrt scops` ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/scop_counts.h"
#include "specializer/module/host_target.h"
#include "specializer/module/optimize.h"
#include "specializer/module/region_module.h"
#include "specializer/polyhedral/polyhedral.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Object/IRObjectFile.h"

using namespace llvm;

namespace specrt {
namespace {

Expected<std::unique_ptr<Module>> read(MemoryBufferRef File, const TargetMachine &TM,
                                       LLVMContext &Context) {
  Expected<MemoryBufferRef> Bitcode = object::IRObjectFile::findBitcodeInMemBuffer(File);
  if (!Bitcode) {
    consumeError(Bitcode.takeError());
    return createStringError("it holds no bitcode");
  }
  Expected<std::unique_ptr<Module>> M = parseBitcodeFile(*Bitcode, Context);
  if (!M)
    return createStringError("its bitcode cannot be read: " + toString(M.takeError()));
  if (verifyModule(**M))
    return createStringError("its bitcode is not valid");
  const Triple &Made = (*M)->getTargetTriple();
  if (Made.getArch() != TM.getTargetTriple().getArch())
    return createStringError("its bitcode was made for " + Made.str() + ", not for this machine");
  return M;
}

void prepare(Module &M, Optimizer &Passes) {
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

} // namespace

Expected<ScopCounts> countScops(MemoryBufferRef Bitcode, std::chrono::milliseconds Limit) {
  Expected<std::unique_ptr<TargetMachine>> TM = createHostTarget();
  if (!TM)
    return TM.takeError();
  std::unique_ptr<LLVMContext> Context = createQuietContext();
  Expected<std::unique_ptr<Module>> M = read(Bitcode, **TM, *Context);
  if (!M)
    return M.takeError();
  CompileControl Control;
  CompileBudget Budget(Control, Limit);
  Optimizer Passes(**TM, Budget);
  prepare(**M, Passes);
  ScopCounts Counts;
  for (Function &F : **M) {
    // Its definition is another file's.
    if (!F.isDeclaration() && !F.hasAvailableExternallyLinkage() && !Budget.expired())
      surveyScops(F, Passes.functions(), Counts);
    Passes.forget();
  }
  if (Budget.expired())
    return createStringError("it takes more than " + Twine(Limit.count() / 1000) + " s");
  return Counts;
}

} // namespace specrt
