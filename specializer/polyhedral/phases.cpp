//===- specializer/polyhedral/phases.cpp - run Polly's phases one by one --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preparation, detection, modelling, a syntax tree (scop_pipeline.h) and code generation, called in
// this order for each maximal Scop. A Scop that went over a limit keeps its original code.
//
//===----------------------------------------------------------------------===//

#include "polly/CodePreparation.h"
#include "specializer/polyhedral/kernel/function_attributes.h"
#include "specializer/polyhedral/model/carried_values.h"
#include "specializer/polyhedral/model/detected_scops.h"
#include "specializer/polyhedral/model/iteration_scopes.h"
#include "specializer/polyhedral/model/polly_options.h"
#include "specializer/polyhedral/model/reload_scalars.h"
#include "specializer/polyhedral/model/unordered_calls.h"
#include "specializer/polyhedral/parallel_start.h"
#include "specializer/polyhedral/ragged/ragged_arrays.h"
#include "specializer/polyhedral/scop_codegen.h"
#include "specializer/polyhedral/scop_pipeline.h"
#include "llvm/ADT/PriorityWorklist.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace specrt {
namespace {

/// Gives the outlined bodies of parallel loops the attributes of \p F; returns their number.
unsigned adoptParallelBodies(Function &F) {
  unsigned NumParallel = 0;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !isParallelStart(Call->getCalledFunction()))
      continue;
    ++NumParallel;
    if (auto *Body = dyn_cast<Function>(Call->getArgOperand(0)->stripPointerCasts()))
      compileAlike(*Body, F);
  }
  return NumParallel;
}

/// Returns whether all nests have depth one; then Polly's rule to keep innermost loops serial would
/// leave no parallel loop.
bool isFlat(const LoopInfo &LI) {
  return llvm::all_of(LI, [](const Loop *L) { return L->isInnermost(); });
}

/// Returns a name for people of a Scop's first loop: "loop of line 12".
std::string nameOf(const Region &R, LoopInfo &LI) {
  for (BasicBlock *Block : R.blocks())
    if (const Loop *L = R.outermostLoopInRegion(&LI, Block))
      if (const DebugLoc At = L->getStartLoc())
        return "loop of line " + std::to_string(At.getLine());
  return "loop";
}

/// Transforms the Scops of a function.
class FunctionPipeline {
public:
  FunctionPipeline(Function &F, FunctionAnalysisManager &FAM, const PolyhedralOptions &Options)
      : F(F), FAM(FAM), Options(Options) {}

  PolyhedralResult run();

private:
  PolyhedralResult transform();
  void prepare();
  bool canShare(const SchedulePolicy &Policy);
  bool areTooShort(polly::ScopDetection &Detection, polly::ScopInfo &Scops);
  void apply(const SchedulePolicy &Policy, polly::ScopDetection &Detection, polly::ScopInfo &Scops,
             RegionInfo &RI);
  void generate(polly::Scop &S, polly::IslAstInfo &Ast, ScopPipeline &Pipeline, RegionInfo &RI);
  void note(const Twine &Line) { Result.Notes += (Line + "\n").str(); }
  void note(const Region &R, const Twine &Line) {
    note(nameOf(R, FAM.getResult<LoopAnalysis>(F)) + ": " + Line);
  }

  Function &F;
  FunctionAnalysisManager &FAM;
  const PolyhedralOptions &Options;
  PolyhedralResult Result;
  PollyOptionScope Scope;
  SmallVector<RaggedArray, 2> Ragged;
  std::vector<ModelledSubscript> Modelled;
  bool HasDeclined = false; ///< code generation changed the function and gave up
  /// The Scops that policies have tried, while no code was generated.
  DenseMap<const Region *, std::unique_ptr<ScopPipeline>> Pipelines;
};

void FunctionPipeline::prepare() {
  forgetIterationScopes(F, FAM);
  reloadScalars(F, FAM, Options.Expired);
  if (Options.isExpired())
    return;
  if (reloadCarriedValues(FAM.getResult<LoopAnalysis>(F), FAM.getResult<ScalarEvolutionAnalysis>(F),
                          FAM.getResult<AAManager>(F)))
    FAM.invalidate(F, PreservedAnalyses::none());
  Ragged = writeAsRagged(F, FAM);
  for (const RaggedArray &Array : Ragged)
    for (const RaggedAccess &Row : Array.Accesses)
      if (const DILocation *At = Row.Access->getDebugLoc().get())
        Modelled.push_back({Array.Base->getName().str(), At->getFilename().str(), At->getLine()});
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  setPollyOptions(Scope, Options.Parallel, Options.Parallel && isFlat(LI));
  polly::runCodePreparation(F, &FAM.getResult<DominatorTreeAnalysis>(F), &LI, nullptr);
}

/// Returns whether, after a policy that found nothing, the models are in the form that \p Policy
/// needs.
bool FunctionPipeline::canShare(const SchedulePolicy &Policy) {
  return !Options.isExpired() &&
         all_of(Pipelines, [&](const auto &Known) { return Known.second->isReadyFor(Policy); });
}

void FunctionPipeline::generate(polly::Scop &S, polly::IslAstInfo &Ast, ScopPipeline &Pipeline,
                                RegionInfo &RI) {
  const std::string Name = nameOf(S.getRegion(), FAM.getResult<LoopAnalysis>(F));
  ScopCodegenResult Generated = generateScop(S, Ast, RI, FAM, Options.Target, Pipeline.conflicts(),
                                             {Pipeline.privateArrays(), Pipeline.compactArrays()});
  if (!Generated.Generated) {
    HasDeclined = true;
    note(Name + ": code generation declined");
    return;
  }
  ++Result.NumGenerated;
  Result.NumKernels += Generated.NumKernels;
  Result.ExpandedBytes += Pipeline.expandedBytes();
  Result.CompactBytes += Pipeline.compactBytes();
  append_range(Result.Storage, Pipeline.storage());
  if (!Pipeline.order().empty())
    Result.Orders.push_back(Name + ": " + Pipeline.order());
  Result.NumTooShort += Generated.NumTooShort;
  std::string What = Name + ": code generated";
  if (Generated.NumKernels)
    What += ", " + std::to_string(Generated.NumKernels) + " contraction kernels, " +
            std::to_string(Generated.NumUnpacked) + " unpacked";
  if (Generated.NumPrivate)
    What += ", " + std::to_string(Generated.NumPrivate) + " private arrays";
  if (!Pipeline.note().empty())
    What += ", " + Pipeline.note();
  note(What);
}

/// Returns whether no Scop has, in any order, a parallel loop that pays; then modelling them for
/// that is pointless.
bool FunctionPipeline::areTooShort(polly::ScopDetection &Detection, polly::ScopInfo &Scops) {
  if (!Options.Parallel)
    return false;
  auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  auto Cost = [&](const polly::ScopStmt &Stmt) { return iterationNs(Stmt, TTI); };
  bool Found = false;
  for (const Region *R : Detection) {
    polly::Scop *S = Detection.isMaxRegionInScop(*R, /*Verify=*/false)
                         ? Scops.getScop(const_cast<Region *>(R))
                         : nullptr;
    if (!S)
      continue;
    Found = true;
    const double Enough = Options.Target.ParallelWorkNs;
    if (ParallelWork::ofAll(*S, Cost).mostNs().value_or(Enough) >= Enough)
      return false;
  }
  return Found;
}

void FunctionPipeline::apply(const SchedulePolicy &Policy, polly::ScopDetection &Detection,
                             polly::ScopInfo &Scops, RegionInfo &RI) {
  auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  Result.AreTooLarge = Detection.begin() != Detection.end();
  // Generating code for one Scop may invalidate others; the map is rebuilt after each.
  SmallPriorityWorklist<Region *, 4> Worklist;
  for (const Region *R : Detection)
    Worklist.insert(const_cast<Region *>(R));
  while (!Worklist.empty() && !Options.isExpired()) {
    Region *R = Worklist.pop_back_val();
    if (!Detection.isMaxRegionInScop(*R, /*Verify=*/false))
      continue;
    polly::Scop *S = Scops.getScop(R);
    if (!S) {
      note(*R, "detected, but modelling it was infeasible or exceeded its limit");
      continue;
    }
    std::unique_ptr<ScopPipeline> &Pipeline = Pipelines[R];
    if (!Pipeline)
      Pipeline = std::make_unique<ScopPipeline>(*S, Options, TTI);
    std::unique_ptr<polly::IslAstInfo> Ast = Pipeline->run(Policy);
    Result.DependsOnWorkers |= Pipeline->dependsOnWorkers();
    Result.AreTooLarge &= Pipeline->isTooLarge();
    if (!Ast) {
      note(*R, Pipeline->note());
    } else {
      generate(*S, *Ast, *Pipeline, RI);
      // Code generation changes the function even if it fails.
      Ast.reset();
      Pipelines.clear();
      Scops.invalidate();
    }
  }
}

/// Performs everything except the replacement of row addresses.
PolyhedralResult FunctionPipeline::transform() {
  prepare();
  if (Options.isExpired()) {
    note("compile budget used up before the first phase");
    return std::move(Result);
  }
  DetectedScops Detected(F, FAM);
  polly::ScopInfo Scops = Detected.model();

  if (areTooShort(Detected.Detection, Scops)) {
    note(TooShortNote);
    Result.DependsOnWorkers = true;
    Result.Passed.assign(Options.Otherwise.size(), Result);
    return std::move(Result);
  }
  apply(Options.first(), Detected.Detection, Scops, Detected.Regions);
  for (const SchedulePolicy *Next : Options.Otherwise) {
    if (Result.NumGenerated || HasDeclined || !canShare(*Next))
      break;
    Result.Passed.push_back(
        {std::exchange(Result.Notes, ""), std::exchange(Result.DependsOnWorkers, false)});
    apply(*Next, Detected.Detection, Scops, Detected.Regions);
  }
  Pipelines.clear();
  return std::move(Result);
}

PolyhedralResult FunctionPipeline::run() {
  PolyhedralResult Outcome;
  {
    const UnorderedCalls Pure(F);
    Outcome = transform();
  }
  FAM.invalidate(F, PreservedAnalyses::none());
  Outcome.IsInvalid = !restoreAddresses(F, FAM, Ragged);
  if (Outcome.NumGenerated) {
    Outcome.NumParallel = adoptParallelBodies(F);
    Outcome.Modelled = std::move(Modelled);
  }
  FAM.invalidate(F, PreservedAnalyses::none());
  return Outcome;
}

} // namespace

PolyhedralResult optimizeScops(Function &F, FunctionAnalysisManager &FAM,
                               const PolyhedralOptions &Options) {
  return FunctionPipeline(F, FAM, Options).run();
}

} // namespace specrt
