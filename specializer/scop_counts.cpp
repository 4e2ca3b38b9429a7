//===- specializer/scop_counts.cpp - Scops of a module, for `specrt scops` ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/scop_counts.h"
#include "specializer/module/host_target.h"
#include "specializer/module/region_module.h"
#include "specializer/module/user_module.h"

using namespace llvm;

namespace specrt {

Expected<ScopCounts> countScops(MemoryBufferRef Bitcode, std::chrono::milliseconds Limit) {
  Expected<std::unique_ptr<TargetMachine>> TM = createHostTarget();
  if (!TM)
    return TM.takeError();
  std::unique_ptr<LLVMContext> Context = createQuietContext();
  Expected<std::unique_ptr<Module>> M = readUserModule(Bitcode, **TM, *Context);
  if (!M)
    return M.takeError();
  CompileBudget Budget(Limit);
  Optimizer Passes(**TM, Budget);
  canonicalizeUserModule(**M, Passes);
  ScopCounts Counts;
  for (Function &F : **M) {
    // Its definition belongs to another file.
    if (!F.isDeclaration() && !F.hasAvailableExternallyLinkage() && !Budget.expired())
      surveyScops(F, Passes.functions(), Counts);
    Passes.forget();
  }
  if (Budget.expired())
    return createStringError("it takes more than " + Twine(Limit.count() / 1000) + " s");
  return Counts;
}

} // namespace specrt
