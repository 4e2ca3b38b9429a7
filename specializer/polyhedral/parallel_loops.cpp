//===- specializer/polyhedral/parallel_loops.cpp - finds parallel loops in source order ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/parallel_loops.h"
#include "polly/ScopInfo.h"
#include "polly/Support/GICHelper.h"
#include "specializer/polyhedral/model/detected_scops.h"
#include "specializer/polyhedral/model/polly_options.h"
#include "specializer/polyhedral/model/unordered_calls.h"
#include "specializer/polyhedral/storage/independent_loops.h"
#include "specializer/polyhedral/storage/private_arrays.h"
#include "isl/options.h"

using namespace llvm;

namespace specrt {
namespace {

/// Returns whether the model of \p S holds in each call, so that generated code would need no
/// run-time checks and no preloaded values.
bool holdsAlways(polly::Scop &S) {
  const isl::set Possible = S.getContext();
  return S.getAliasGroups().empty() && S.getInvariantAccesses().empty() &&
         S.hasTrivialInvalidContext() && Possible.is_subset(S.getAssumedContext()).is_true();
}

void addLoops(polly::Scop &S, unsigned long MaxOperations, std::vector<ModelledLoop> &To,
              std::string &Why) {
  isl_options_set_on_error(S.getIslCtx().get(), ISL_ON_ERROR_CONTINUE);
  if (!holdsAlways(S)) {
    Why = "the model of a loop does not hold for each call";
    return;
  }
  PrivateArrays Private(S);
  Private.find(MaxOperations);
  std::string Shared;
  for (const Loop *L : independentLoops(S, MaxOperations, Shared)) {
    ModelledLoop &New = To.emplace_back(ModelledLoop{L->getHeader(), {}});
    for (const PrivateArray &Array : Private.all())
      if (Array.Of == L)
        New.Arrays.push_back(
            {Array.Array->getBasePtr(), Array.FirstByte, Array.NumBytes, Array.LastIteration});
  }
  if (!Shared.empty())
    Why = "iterations of the outermost loop share " + Shared;
}

} // namespace

std::vector<ModelledLoop> findParallelLoops(Function &F, FunctionAnalysisManager &FAM,
                                            unsigned long MaxOperations,
                                            function_ref<bool()> Expired, std::string &Why) {
  std::vector<ModelledLoop> Found;
  {
    const UnorderedCalls Pure(F);
    PollyOptionScope Options;
    setPollyOptions(Options, /*Parallel=*/true, /*ForceParallel=*/false);
    DetectedScops Detected(F, FAM);
    polly::ScopInfo Scops = Detected.model();
    for (const Region *R : Detected.Detection) {
      if (Expired && Expired())
        break;
      polly::Scop *S = Detected.Detection.isMaxRegionInScop(*R, /*Verify=*/false)
                           ? Scops.getScop(const_cast<Region *>(R))
                           : nullptr;
      if (S)
        addLoops(*S, MaxOperations, Found, Why);
      else
        Why = "modelling it was infeasible or exceeded its limit";
    }
  }
  FAM.invalidate(F, PreservedAnalyses::none());
  return Found;
}

} // namespace specrt
