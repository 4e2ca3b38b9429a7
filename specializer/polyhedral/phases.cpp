//===- specializer/polyhedral/phases.cpp - run Polly's phases one by one
//------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detection, modelling, simplification, dependences, schedule, syntax tree and code generation,
// called in this order for each maximal Scop. Between phases the compile budget and isl's error
// state are looked at: a Scop that went over a limit keeps its original code.
//
//===--------------------------------------------------------------------------------------------===//

#include "polly/CodeGen/CodeGeneration.h"
#include "polly/CodeGen/IslAst.h"
#include "polly/CodePreparation.h"
#include "polly/DeLICM.h"
#include "polly/DependenceInfo.h"
#include "polly/ForwardOpTree.h"
#include "polly/ScheduleOptimizer.h"
#include "polly/ScopDetection.h"
#include "polly/ScopInfo.h"
#include "polly/Simplify.h"
#include "polly/Support/GICHelper.h"
#include "specializer/polyhedral/polly_options.h"
#include "specializer/polyhedral/polyhedral.h"
#include "llvm/ADT/PriorityWorklist.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/RegionInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "isl/ctx.h"
#include "isl/options.h"
#include "isl/printer.h"
#include "isl/schedule.h"
#include <cstdlib>

using namespace llvm;

namespace specrt {
namespace {

/// Name of the entry point that starts a parallel loop in Polly's GNU OpenMP back end.
constexpr StringLiteral ParallelLoopStart = "GOMP_parallel_loop_runtime_start";

/// isl operations granted to syntax tree generation: a second of work, far more than a nest with
/// constant sizes needs. Beyond it isl returns null and the Scop keeps its code.
constexpr unsigned long MaxAstOperations = 4'000'000;

bool expired(const PolyhedralOptions &Options) { return Options.Expired && Options.Expired(); }

void setOptions(PollyOptionScope &Scope, const PolyhedralOptions &Options, bool ForceParallel) {
  Scope.set("polly-on-isl-error-abort", false);
  // Measured calls decide what pays, not Polly's estimate: otherwise single loops are refused and a
  // nest that keeps its order gets no syntax tree.
  Scope.set("polly-process-unprofitable", true);
  Scope.set("polly-parallel", Options.Parallel);
  Scope.set("polly-parallel-force", ForceParallel);
  Scope.set("polly-omp-backend", "GNU");
  // Polly's own limits allow about a second each. A nest with constant sizes needs a hundredth of
  // these; one that needs more is better left to the other candidates.
  Scope.set("polly-analysis-computeout", "200000");
  Scope.set("polly-dependences-computeout", "200000");
  Scope.set("polly-optree-max-ops", "100000");
  Scope.set("polly-delicm-max-ops", "100000");
  // Reductions may only be reordered where the program allows it; keeping them as ordinary
  // dependences keeps the order of floating-point operations.
  Scope.set("polly-detect-reductions", false);
  Scope.set("polly-dependences-use-reductions", false);
  // The matrix-multiplication pattern loses more often than it wins and is unbounded in time while
  // sizes are symbolic.
  Scope.set("polly-pattern-matching-based-opts", false);
}

/// One Scop on its way through the phases.
class ScopPipeline {
public:
  ScopPipeline(polly::Scop &S, const PolyhedralOptions &Options, TargetTransformInfo &TTI)
      : S(S), Options(Options), TTI(TTI) {
    isl_options_set_on_error(ctx(), ISL_ON_ERROR_CONTINUE);
  }

  /// Brings the Scop to a syntax tree. Null when a limit was exceeded; note() says which.
  std::unique_ptr<polly::IslAstInfo> run(bool &Rescheduled) {
    if (Options.Dump)
      printModel(*Options.Dump);
    polly::DependenceAnalysis::Result Dependences = polly::runDependenceAnalysis(S);
    polly::runSimplify(S, 0);
    if (stopped("simplification"))
      return nullptr;
    polly::runForwardOpTree(S);
    polly::runDeLICM(S);
    polly::runSimplify(S, 1);
    if (stopped("scalar removal"))
      return nullptr;
    const polly::Dependences &D = Dependences.getDependences(polly::Dependences::AL_Statement);
    if (stopped("dependence analysis"))
      return nullptr;
    if (!D.hasValidDependences())
      return fail("dependence analysis exceeded its limit");
    if (Options.Schedule != SchedulePolicy::Original && !reschedule(Dependences, Rescheduled))
      return nullptr;
    if (Options.Dump)
      printSchedule(*Options.Dump, "Chosen schedule");
    std::unique_ptr<polly::IslAstInfo> Ast;
    {
      polly::IslMaxOperationsGuard Limit(ctx(), MaxAstOperations);
      Ast = polly::runIslAstGen(S, Dependences);
    }
    // Here a quota hit is an error: the tree or the condition to run it may be incomplete.
    bool Complete = isl_ctx_last_error(ctx()) == isl_error_none;
    if (stopped("syntax tree generation"))
      return nullptr;
    if (!Complete || !Ast || Ast->getAst().is_null())
      return fail("no syntax tree was generated");
    if (Options.Dump)
      Ast->print(*Options.Dump);
    return Ast;
  }

  const std::string &note() const { return Note; }

private:
  isl_ctx *ctx() const { return S.getIslCtx().get(); }

  void printModel(raw_ostream &OS) {
    OS << "Static control part " << S.getNameStr() << ":\n";
    S.print(OS, /*PrintInstructions=*/true);
    printSchedule(OS, "Original schedule");
  }

  void printSchedule(raw_ostream &OS, StringRef Title) {
    isl_printer *Printer = isl_printer_to_str(ctx());
    Printer = isl_printer_set_yaml_style(Printer, ISL_YAML_STYLE_BLOCK);
    Printer = isl_printer_print_schedule(Printer, S.getScheduleTree().get());
    char *Text = isl_printer_get_str(Printer);
    isl_printer_free(Printer);
    OS << "\n" << Title << " of " << S.getNameStr() << ":\n" << (Text ? Text : "?") << "\n";
    std::free(Text);
  }

  std::nullptr_t fail(StringRef Why) {
    Note = Why.str();
    return nullptr;
  }

  /// Applies the schedule policy. False, with a note, when the Scop should keep its code.
  bool reschedule(polly::DependenceAnalysis::Result &Dependences, bool &Rescheduled) {
    std::string Before = polly::stringFromIslObj(S.getScheduleTree());
    if (Options.Schedule == SchedulePolicy::Polly) {
      polly::runIslScheduleOptimizer(S, &TTI, Dependences);
    } else {
      isl::schedule Tiled = tileContractions(
          S, Dependences.getDependences(polly::Dependences::AL_Statement), Options.Target);
      if (Tiled.is_null()) {
        fail("no contraction-shaped band");
        return false;
      }
      S.setScheduleTree(Tiled);
      S.markAsOptimized();
    }
    if (stopped("scheduling"))
      return false;
    Rescheduled |= Before != polly::stringFromIslObj(S.getScheduleTree());
    return true;
  }

  /// True, with a note, when the budget is used up or isl reported an error in the last phase.
  bool stopped(StringRef Phase) {
    if (expired(Options)) {
      fail(("compile budget used up in " + Phase).str());
      return true;
    }
    // Phases bound isl operations themselves and recover: a quota hit there is not an error.
    isl_error Error = isl_ctx_last_error(ctx());
    if (Error == isl_error_none || Error == isl_error_quota) {
      isl_ctx_reset_error(ctx());
      return false;
    }
    fail(("isl error in " + Phase).str());
    return true;
  }

  polly::Scop &S;
  const PolyhedralOptions &Options;
  TargetTransformInfo &TTI;
  std::string Note;
};

/// Polly's outlined loop bodies must be compiled like the function they came from.
unsigned adoptParallelBodies(Function &F) {
  unsigned NumParallel = 0;
  Function *Start = F.getParent()->getFunction(ParallelLoopStart);
  if (!Start)
    return 0;
  for (User *U : Start->users()) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call || Call->getFunction() != &F)
      continue;
    ++NumParallel;
    if (auto *Body = dyn_cast<Function>(Call->getArgOperand(0)->stripPointerCasts()))
      for (const Attribute &A : F.getAttributes().getFnAttrs())
        if (A.isStringAttribute() && !Body->hasFnAttribute(A.getKindAsString()))
          Body->addFnAttr(A);
  }
  return NumParallel;
}

/// Only nests of depth one: then Polly's rule to leave innermost loops serial would leave nothing.
bool isFlat(const LoopInfo &LI) {
  return llvm::all_of(LI, [](const Loop *L) { return L->isInnermost(); });
}

} // namespace

PolyhedralResult optimizeScops(Function &F, FunctionAnalysisManager &FAM,
                               const PolyhedralOptions &Options) {
  PolyhedralResult Result;
  PollyOptionScope Scope;
  {
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    setOptions(Scope, Options, Options.Parallel && isFlat(LI));
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    polly::runCodePreparation(F, &DT, &LI, nullptr);

    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    auto &AA = FAM.getResult<AAManager>(F);
    auto &ORE = FAM.getResult<OptimizationRemarkEmitterAnalysis>(F);
    auto &AC = FAM.getResult<AssumptionAnalysis>(F);
    auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
    RegionInfo RI = RegionInfoAnalysis().run(F, FAM);

    polly::ScopDetection Detection(DT, SE, LI, RI, AA, ORE);
    Detection.detect(F);
    polly::ScopInfo Scops(F.getParent()->getDataLayout(), Detection, SE, LI, AA, DT, AC, ORE);

    // Generating code for one Scop may invalidate others; the map is rebuilt after each.
    SmallPriorityWorklist<Region *, 4> Worklist;
    for (const Region *R : Detection)
      Worklist.insert(const_cast<Region *>(R));
    while (!Worklist.empty() && !expired(Options)) {
      Region *R = Worklist.pop_back_val();
      if (!Detection.isMaxRegionInScop(*R, /*Verify=*/false))
        continue;
      ++Result.NumDetected;
      polly::Scop *S = Scops.getScop(R);
      std::string Name = R->getNameStr();
      if (!S) {
        Result.Notes +=
            Name + ": detected, but modelling it was infeasible or exceeded its limit\n";
        continue;
      }
      ScopPipeline Pipeline(*S, Options, TTI);
      std::unique_ptr<polly::IslAstInfo> Ast = Pipeline.run(Result.Rescheduled);
      if (!Ast) {
        Result.Notes += Name + ": " + Pipeline.note() + "\n";
        continue;
      }
      if (polly::runCodeGeneration(*S, RI, *Ast)) {
        ++Result.NumGenerated;
        Result.Notes += Name + ": code generated\n";
        Ast.reset();
        Scops.invalidate();
      } else {
        Result.Notes += Name + ": code generation declined\n";
      }
    }
  }
  if (Result.NumGenerated)
    Result.NumParallel = adoptParallelBodies(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  return Result;
}

} // namespace specrt
