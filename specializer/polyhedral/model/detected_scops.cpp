//===- specializer/polyhedral/model/detected_scops.cpp - Scops that Polly detects -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/model/detected_scops.h"
#include "specializer/polyhedral/model/wrapping.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {

DetectedScops::DetectedScops(Function &F, FunctionAnalysisManager &FAM)
    : Regions(RegionInfoAnalysis().run(F, FAM)),
      Detection(FAM.getResult<DominatorTreeAnalysis>(F), FAM.getResult<ScalarEvolutionAnalysis>(F),
                FAM.getResult<LoopAnalysis>(F), Regions, FAM.getResult<AAManager>(F),
                FAM.getResult<OptimizationRemarkEmitterAnalysis>(F)),
      F(F), FAM(FAM) {
  Detection.detect(F);
}

polly::ScopInfo DetectedScops::model() {
  // Without that option models take longer, but are correct if integers may wrap.
  (void)Options.set("polly-ignore-integer-wrapping",
                    !mayWrap(F, FAM.getResult<ScalarEvolutionAnalysis>(F)));
  return polly::ScopInfo(F.getParent()->getDataLayout(), Detection,
                         FAM.getResult<ScalarEvolutionAnalysis>(F), FAM.getResult<LoopAnalysis>(F),
                         FAM.getResult<AAManager>(F), FAM.getResult<DominatorTreeAnalysis>(F),
                         FAM.getResult<AssumptionAnalysis>(F),
                         FAM.getResult<OptimizationRemarkEmitterAnalysis>(F));
}

} // namespace specrt
