//===- specializer/polyhedral/pipelines.cpp - passes before and after Polly -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "specializer/polyhedral/polyhedral.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace specrt {

void addPollyCanonicalization(FunctionPassManager &FPM) {
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(LCSSAPass());
  FPM.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  FPM.addPass(createFunctionToLoopPassAdaptor(IndVarSimplifyPass()));
  FPM.addPass(InstCombinePass());
  FPM.addPass(SimplifyCFGPass());
}

ModulePassManager buildPipelineAfterPolly(PassBuilder &PB) {
  ModulePassManager MPM;
  FunctionPassManager Cleanup;
  Cleanup.addPass(SROAPass(SROAOptions::ModifyCFG));
  Cleanup.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Cleanup.addPass(InstCombinePass());
  Cleanup.addPass(SimplifyCFGPass());
  LoopPassManager Invariants;
  Invariants.addPass(LoopRotatePass());
  Invariants.addPass(LICMPass(LICMOptions()));
  Cleanup.addPass(createFunctionToLoopPassAdaptor(std::move(Invariants), /*UseMemorySSA=*/true));
  Cleanup.addPass(InstCombinePass());
  MPM.addPass(createModuleToFunctionPassAdaptor(std::move(Cleanup)));

  MPM.addPass(PB.buildModuleOptimizationPipeline(OptimizationLevel::O3, ThinOrFullLTOPhase::None));

  // Operands of a register tile are loaded once per row, which is visible only after unrolling.
  FunctionPassManager Late;
  Late.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Late.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  Late.addPass(InstCombinePass());
  MPM.addPass(createModuleToFunctionPassAdaptor(std::move(Late)));
  return MPM;
}

} // namespace specrt
