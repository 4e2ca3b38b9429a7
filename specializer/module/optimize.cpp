//===- specializer/module/optimize.cpp - LLVM pipelines under a budget -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/optimize.h"
#include "analysis/eligibility.h"
#include "analysis/narrow_recurrences.h"
#include "specializer/loops/unrolled_stages.h"
#include "specializer/polyhedral/polyhedral.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/LoopLoadElimination.h"
#include "llvm/Transforms/Scalar/SCCP.h"

using namespace llvm;

namespace specrt {
namespace {

/// Threshold that inlines all embedded callees. A call that stays in a nest rules out all models.
constexpr int InlineThreshold = 5 * int(MaxCalleeInstructions); // the inliner's cost of one: 5

/// Loop load elimination compares all accesses of a loop with each other. Limits its use in
/// straight-line code for rows of sparse matrices, which has more accesses than it pays for.
constexpr unsigned MaxAccessesToCompare = 300;

bool isTooLargeToCompare(const Function &F) {
  return any_of(F, [](const BasicBlock &BB) {
    return hasNItemsOrMore(BB.begin(), BB.end(), MaxAccessesToCompare,
                           [](const Instruction &I) { return I.mayReadOrWriteMemory(); });
  });
}

/// Returns whether to run the pass with this name.
bool isWorthIt(StringRef Pass, const Any &IR) {
  if (Pass != LoopLoadEliminationPass::name())
    return true;
  const auto *const *F = any_cast<const Function *>(&IR);
  return !F || !isTooLargeToCompare(**F);
}

PipelineTuningOptions tuning() {
  PipelineTuningOptions Options;
  Options.LoopVectorization = true;
  Options.LoopInterleaving = true;
  Options.SLPVectorization = true;
  Options.LoopUnrolling = true;
  return Options;
}

} // namespace

Optimizer::Optimizer(TargetMachine &TM, CompileBudget &Budget)
    : PB(&TM, tuning(), std::nullopt, &PIC) {
  Budget.attach(PIC);
  PIC.registerShouldRunOptionalPassCallback(isWorthIt);
  PB.registerVectorizerStartEPCallback([](FunctionPassManager &FPM, OptimizationLevel) {
    FPM.addPass(TameNarrowRecurrencesPass());
  });
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
}

void Optimizer::run(Module &M, ModulePassManager MPM) { MPM.run(M, MAM); }

void Optimizer::prepareUserModule(Module &M) {
  ModulePassManager MPM;
  // Most of a translation unit does not belong to the function.
  MPM.addPass(GlobalDCEPass());
  MPM.addPass(
      PB.buildModuleSimplificationPipeline(OptimizationLevel::O2, ThinOrFullLTOPhase::None));
  MPM.addPass(GlobalDCEPass());
  run(M, std::move(MPM));
}

void Optimizer::inlineAndCanonicalize(Module &M) {
  ModulePassManager MPM;
  bool HasCallees = count_if(M, [](const Function &F) { return !F.isDeclaration(); }) > 1;
  if (HasCallees)
    MPM.addPass(ModuleInlinerWrapperPass(getInlineParams(InlineThreshold)));
  FunctionPassManager FPM;
  addPollyCanonicalization(FPM);
  MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
  run(M, std::move(MPM));
}

void Optimizer::simplify(Module &M) {
  bool HasUnrolled;
  do {
    fold(M);
    HasUnrolled = false;
    for (Function &F : M)
      HasUnrolled |= !F.isDeclaration() && unrollStages(F, FAM);
  } while (HasUnrolled);
}

void Optimizer::fold(Module &M) {
  FunctionPassManager FPM;
  FPM.addPass(SCCPPass());
  addPollyCanonicalization(FPM);
  FPM.addPass(ADCEPass());
  ModulePassManager MPM;
  MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
  run(M, std::move(MPM));
}

void Optimizer::optimize(Module &M) {
  ModulePassManager MPM;
  MPM.addPass(createModuleToFunctionPassAdaptor(
      PB.buildFunctionSimplificationPipeline(OptimizationLevel::O3, ThinOrFullLTOPhase::None)));
  MPM.addPass(PB.buildModuleOptimizationPipeline(OptimizationLevel::O3, ThinOrFullLTOPhase::None));
  run(M, std::move(MPM));
}

void Optimizer::forget() {
  // Outer managers refer to inner ones, so they are cleared first.
  MAM.clear();
  CGAM.clear();
  FAM.clear();
  LAM.clear();
}

} // namespace specrt
