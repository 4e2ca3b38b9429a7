//===- specializer/sparse/equations/scop_equations.cpp - a Scop as equations and as a program ===//
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

/// isl operations granted to all flow and the program of one Scop: about a second.
constexpr unsigned long MaxOperations = 5'000'000;

bool hasScalars(const polly::Scop &S) {
  return any_of(S, [](const polly::ScopStmt &Stmt) {
    return any_of(Stmt, [](const polly::MemoryAccess *A) { return A->isLatestScalarKind(); });
  });
}

void removeScalars(polly::Scop &S) {
  polly::runSimplify(S, 0);
  if (!hasScalars(S))
    return;
  polly::runForwardOpTree(S);
  polly::runDeLICM(S);
  polly::runSimplify(S, 1);
}

std::optional<ScopEquations> equationsOf(polly::Scop &S) {
  isl_options_set_on_error(S.getIslCtx().get(), ISL_ON_ERROR_CONTINUE);
  removeScalars(S);
  const polly::IslMaxOperationsGuard Limit(S.getIslCtx().get(), MaxOperations);
  const std::vector<ScopWrite> Writes = writesInOrder(S);
  ScopEquations Result;
  Result.Context = S.getSharedIslCtx();
  Result.Scop = S.getNameStr();
  Result.System = flowSystem(S, Writes);
  for (const ScopWrite &Write : Writes)
    Result.Writes.push_back(namedAccess(*Write.Access, Write.Name));
  Result.Assumptions = isl::manage(
      isl_set_reset_user(S.getAssumedContext().subtract(S.getInvalidContext()).release()));
  Result.Program = denseProgram(S, Writes, Result.WithoutProgram);
  if (isl_ctx_last_error(S.getIslCtx().get()) != isl_error_none)
    return std::nullopt;
  return Result;
}

} // namespace

std::vector<ScopEquations> equationsOfScops(Function &F, FunctionAnalysisManager &FAM) {
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
        if (std::optional<ScopEquations> Of = equationsOf(*S))
          All.push_back(std::move(*Of));
  return All;
}

} // namespace specrt
