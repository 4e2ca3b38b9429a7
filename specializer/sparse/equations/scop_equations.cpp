//===- specializer/sparse/equations/scop_equations.cpp - equations and program of a Scop -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/equations/scop_equations.h"
#include "polly/CodePreparation.h"
#include "polly/DeLICM.h"
#include "polly/ForwardOpTree.h"
#include "polly/Simplify.h"
#include "polly/Support/GICHelper.h"
#include "specializer/polyhedral/model/carried_values.h"
#include "specializer/polyhedral/model/detected_scops.h"
#include "specializer/polyhedral/model/iteration_scopes.h"
#include "specializer/polyhedral/model/passed_scalars.h"
#include "specializer/polyhedral/model/polly_options.h"
#include "specializer/polyhedral/model/reload_scalars.h"
#include "specializer/polyhedral/model/unordered_calls.h"
#include "specializer/sparse/equations/scop_program.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "isl/options.h"
#include "isl/set.h"

using namespace llvm;

namespace specrt {
namespace {

void removeScalars(polly::Scop &S) {
  polly::runSimplify(S, 0);
  if (!passesScalars(S))
    return;
  polly::runForwardOpTree(S);
  polly::runDeLICM(S);
  polly::runSimplify(S, 1);
}

/// Builds the model of \p S. Everything needed from isl comes first, as Polly does not check isl's
/// results for errors.
std::optional<ScopEquations> equationsOf(polly::Scop &S, unsigned long MaxOperations) {
  isl_options_set_on_error(S.getIslCtx().get(), ISL_ON_ERROR_CONTINUE);
  removeScalars(S);
  const std::vector<ScopWrite> Writes = writesInOrder(S);
  const isl::schedule Order = S.getScheduleTree();
  const isl::space Parameters = S.getFullParamSpace();
  ScopEquations Result;
  Result.Context = S.getSharedIslCtx();
  Result.Scop = S.getNameStr();
  Result.Assumptions = isl::manage(
      isl_set_reset_user(S.getAssumedContext().subtract(S.getInvalidContext()).release()));

  const polly::IslMaxOperationsGuard Limit(S.getIslCtx().get(), MaxOperations);
  Result.System = flowSystem(S, Order.get_map(), Writes);
  for (const ScopWrite &Write : Writes)
    Result.Writes.push_back(namedAccess(*Write.Access, Write.Name));
  Result.Program = denseProgram(Parameters, Order, Writes, Result.WithoutProgram);
  if (isl_ctx_last_error(S.getIslCtx().get()) != isl_error_none)
    return std::nullopt;
  return Result;
}

} // namespace

std::vector<ScopEquations> equationsOfScops(Function &F, FunctionAnalysisManager &FAM,
                                            unsigned long MaxOperations) {
  std::vector<ScopEquations> All;
  PollyOptionScope Scope;
  setPollyOptions(Scope, /*Parallel=*/false, /*ForceParallel=*/false);
  Scope.set("polly-use-llvm-names", true);
  forgetIterationScopes(F, FAM);
  reloadScalars(F, FAM);
  if (reloadCarriedValues(FAM.getResult<LoopAnalysis>(F), FAM.getResult<ScalarEvolutionAnalysis>(F),
                          FAM.getResult<AAManager>(F)))
    FAM.invalidate(F, PreservedAnalyses::none());
  const UnorderedCalls Pure(F);
  polly::runCodePreparation(F, &FAM.getResult<DominatorTreeAnalysis>(F),
                            &FAM.getResult<LoopAnalysis>(F), nullptr);
  DetectedScops Detected(F, FAM);
  polly::ScopInfo Scops = Detected.model();
  for (const Region *R : Detected.Detection)
    if (Detected.Detection.isMaxRegionInScop(*R, /*Verify=*/false))
      if (polly::Scop *S = Scops.getScop(const_cast<Region *>(R)))
        if (std::optional<ScopEquations> Of = equationsOf(*S, MaxOperations))
          All.push_back(std::move(*Of));
  return All;
}

} // namespace specrt
