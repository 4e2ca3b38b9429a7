//===- specializer/polyhedral/phases.cpp - run Polly's phases one by one
//------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detection, modelling, simplification, dependences, schedule, syntax tree and code generation,
// called in this order for each maximal Scop. Between phases the compile budget and isl's error
// state are looked at: a Scop that went over a limit keeps its original code.
//
//===--------------------------------------------------------------------------------------------===//

#include "polly/CodeGen/IslAst.h"
#include "polly/CodePreparation.h"
#include "polly/DeLICM.h"
#include "polly/DependenceInfo.h"
#include "polly/ForwardOpTree.h"
#include "polly/ScheduleOptimizer.h"
#include "polly/Simplify.h"
#include "polly/Support/GICHelper.h"
#include "specializer/polyhedral/access_alignment.h"
#include "specializer/polyhedral/carried_values.h"
#include "specializer/polyhedral/commuting_updates.h"
#include "specializer/polyhedral/contraction_grid.h"
#include "specializer/polyhedral/contraction_schedule.h"
#include "specializer/polyhedral/detected_scops.h"
#include "specializer/polyhedral/expand_storage.h"
#include "specializer/polyhedral/function_attributes.h"
#include "specializer/polyhedral/isl_work.h"
#include "specializer/polyhedral/iteration_scopes.h"
#include "specializer/polyhedral/legality.h"
#include "specializer/polyhedral/loop_shifts.h"
#include "specializer/polyhedral/outer_vectors.h"
#include "specializer/polyhedral/polly_options.h"
#include "specializer/polyhedral/polyhedral.h"
#include "specializer/polyhedral/reload_scalars.h"
#include "specializer/polyhedral/scop_codegen.h"
#include "specializer/polyhedral/time_tiling.h"
#include "llvm/ADT/PriorityWorklist.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
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

/// One Scop on its way through the phases.
class ScopPipeline {
public:
  ScopPipeline(polly::Scop &S, const PolyhedralOptions &Options, TargetTransformInfo &TTI)
      : S(S), Options(Options), TTI(TTI), Dependences(polly::runDependenceAnalysis(S)) {
    isl_options_set_on_error(ctx(), ISL_ON_ERROR_CONTINUE);
    if (Options.Dump)
      printModel(*Options.Dump, "Static control part");
  }

  /// Brings the Scop to a syntax tree. Null when the policy finds nothing or a limit was exceeded;
  /// note() says which.
  std::unique_ptr<polly::IslAstInfo> run(SchedulePolicy Policy, bool &Rescheduled) {
    const IslWork Interruptible(ctx());
    Note.clear();
    Contractions = {};
    Conflicts = {};
    Stencil = false;
    Tiles.reset();
    if (Policy == SchedulePolicy::TimeTiled && !mayBeStencil())
      return nullptr;
    if (!model(Policy) || !reschedule(Policy, Rescheduled))
      return nullptr;
    IsSpent = true;
    if (Options.Dump)
      printSchedule(*Options.Dump, "Chosen schedule");
    std::unique_ptr<polly::IslAstInfo> Ast;
    {
      polly::IslMaxOperationsGuard Limit(ctx(), MaxAstOperations);
      Ast = generateAst();
    }
    // Here a quota hit is an error: the tree or the condition to run it may be incomplete.
    bool Complete = isl_ctx_last_error(ctx()) == isl_error_none;
    if (stopped("syntax tree generation"))
      return nullptr;
    if (!Complete || !Ast || Ast->getAst().is_null())
      return fail("no syntax tree was generated");
    if (Options.Dump)
      Ast->print(*Options.Dump);
    if (!Conflicts.is_null())
      dropPromises(Relaxed->Updates);
    return Ast;
  }

  /// After a policy that found nothing: is the Scop as \p Policy wants it?
  bool isReadyFor(SchedulePolicy Policy) const {
    return !IsSpent && (!IsModelled || (expands(Policy) ? IsExpanded : NumExpanded == 0));
  }

  /// False with a note. Looks at loops, and at dependences where they are known: costs little.
  bool mayBeStencil() {
    const IslWork Interruptible(ctx());
    return specrt::mayBeStencil(
        S, HasModel ? &Dependences.getDependences(polly::Dependences::AL_Statement) : nullptr,
        Options.MaxTilingOperations, Note);
  }

  const std::string &note() const { return Note; }
  bool isStencil() const { return Stencil; }
  const std::optional<TimeTiles> &tiles() const { return Tiles; }
  /// What Polly's dependences do not say about loops that run in parallel; may be null.
  const isl::union_map &conflicts() const { return Conflicts; }

private:
  isl_ctx *ctx() const { return S.getIslCtx().get(); }

  /// Which policies need values of different iterations in different places.
  static bool expands(SchedulePolicy Policy) {
    return Policy == SchedulePolicy::Tiled || Policy == SchedulePolicy::Vector;
  }

  /// Simplifies the statements and computes their dependences, once. False, with a note, when a
  /// limit was exceeded.
  bool model(SchedulePolicy Policy) {
    if (!std::exchange(IsModelled, true)) {
      HasModel = computeModel(Policy);
      ModelFailure = Note;
    }
    return HasModel || fail(ModelFailure);
  }

  bool computeModel(SchedulePolicy Policy) {
    const bool CanMoveValues = isNaturallyAligned(S);
    polly::runSimplify(S, 0);
    if (stopped("simplification"))
      return false;
    if (CanMoveValues && hasScalars()) {
      polly::runForwardOpTree(S);
      polly::runDeLICM(S);
      polly::runSimplify(S, 1);
      if (stopped("scalar removal"))
        return false;
    }
    IsExpanded = expands(Policy);
    if (IsExpanded && CanMoveValues)
      NumExpanded = expandStorage(S, Options.MaxTilingOperations);
    if (Options.Dump)
      printModel(*Options.Dump, "Without scalars: static control part");
    const polly::Dependences &D = Dependences.getDependences(polly::Dependences::AL_Statement);
    return !stopped("dependence analysis") &&
           (D.hasValidDependences() || fail("dependence analysis exceeded its limit"));
  }

  /// Do statements pass values to each other outside of arrays? Looking for ways to remove such
  /// values costs as much as all dependences, even when there are none.
  bool hasScalars() const {
    return llvm::any_of(S, [](const polly::ScopStmt &Stmt) {
      return llvm::any_of(
          Stmt, [](const polly::MemoryAccess *Access) { return Access->isLatestScalarKind(); });
    });
  }

  void printModel(raw_ostream &OS, StringRef Title) {
    OS << Title << " " << S.getNameStr() << ":\n";
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

  /// Converts to "no", whatever is asked for.
  struct Failure {
    operator bool() const { return false; }
    operator std::unique_ptr<polly::IslAstInfo>() const { return nullptr; }
  };
  Failure fail(StringRef Why) {
    Note = Why.str();
    return {};
  }

  /// Applies a schedule policy. False, with a note, when the Scop should keep its code.
  bool reschedule(SchedulePolicy Policy, bool &Rescheduled) {
    if (Policy == SchedulePolicy::Original)
      return true;
    isl::schedule Old = S.getScheduleTree();
    isl::schedule New = newSchedule(Policy);
    if (stopped("scheduling") || New.is_null())
      return false;
    if (isl_schedule_plain_is_equal(New.get(), Old.get()) == isl_bool_true)
      return fail("the schedule is that of the source");
    S.setScheduleTree(New);
    S.markAsOptimized();
    Rescheduled = true;
    return true;
  }

  /// Null when isl gave up before.
  std::unique_ptr<polly::IslAstInfo> generateAst() {
    isl::schedule Chosen = S.getScheduleTree();
    isl::schedule Unshifted = forbidShifts(Chosen);
    if (Unshifted.is_null())
      return nullptr;
    S.setScheduleTree(Unshifted);
    std::unique_ptr<polly::IslAstInfo> Ast = polly::runIslAstGen(S, Dependences);
    S.setScheduleTree(Chosen);
    return Ast;
  }

  /// Null, with a note, when the policy finds nothing.
  isl::schedule newSchedule(SchedulePolicy Policy) {
    const polly::Dependences &D = Dependences.getDependences(polly::Dependences::AL_Statement);
    switch (Policy) {
    case SchedulePolicy::Original:
      break;
    case SchedulePolicy::Polly: {
      isl::schedule Old = S.getScheduleTree();
      polly::runIslScheduleOptimizer(S, &TTI, Dependences);
      isl::schedule New = S.getScheduleTree();
      S.setScheduleTree(Old);
      return New;
    }
    case SchedulePolicy::Vector:
    case SchedulePolicy::Tiled:
      return newScheduleByOrders(Policy, allOrders(D));
    case SchedulePolicy::TimeTiled: {
      TimeTiling Tiling =
          tileTime(S, D, Options.Target, Options.Tiles, Options.MaxTilingOperations);
      Note = Tiling.Note;
      Tiles = Tiling.Tiles;
      Stencil = Tiling.IsStencil;
      return Tiling.Schedule;
    }
    }
    return {};
  }

  /// For the policies that need no more than the pairs of iterations whose order is fixed: those of
  /// updates that commute are free, unless nothing comes of that.
  isl::schedule newScheduleByOrders(SchedulePolicy Policy, const isl::union_map &All) {
    if (!std::exchange(HasRelaxed, true))
      Relaxed = relaxUpdates(S, Options.MaxTilingOperations);
    if (Relaxed) {
      isl::schedule New = scheduleByOrders(Policy, Relaxed->Validity, /*HasFreeUpdates=*/true);
      if (!New.is_null()) {
        // Polly's dependences lead from the last writer of the old order.
        Conflicts = Relaxed->Conflicts;
        return New;
      }
    }
    isl::schedule New = scheduleByOrders(Policy, All, /*HasFreeUpdates=*/false);
    if (New.is_null())
      fail(Policy == SchedulePolicy::Vector ? "innermost loops stay as they are"
                                            : "no contraction");
    return New;
  }

  isl::schedule scheduleByOrders(SchedulePolicy Policy, const isl::union_map &Validity,
                                 bool HasFreeUpdates) {
    if (Policy == SchedulePolicy::Vector) {
      isl::schedule Rows;
      if (HasFreeUpdates)
        Rows = scheduleRows(S, Validity, Options.MaxTilingOperations);
      return Rows.is_null() ? vectorizeOuterLoops(S, Validity, Options.Target) : Rows;
    }
    Contractions = scheduleContractions(S, Validity, HasFreeUpdates, Options.Target,
                                        Options.MaxTilingOperations);
    return Contractions.Schedule;
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
  polly::DependenceAnalysis::Result Dependences;
  bool IsModelled = false, HasModel = false;
  bool IsExpanded = false; ///< storage was expanded where that is possible
  bool IsSpent = false;    ///< it has another schedule
  unsigned NumExpanded = 0;
  /// The syntax tree refers to it.
  ContractionSchedule Contractions;
  bool HasRelaxed = false; ///< it was tried
  std::optional<RelaxedOrder> Relaxed;
  isl::union_map Conflicts; ///< null unless the schedule is a relaxed one
  std::string Note;
  std::string ModelFailure; ///< why it has no model
  bool Stencil = false;
  std::optional<TimeTiles> Tiles;
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
      compileAlike(*Body, F);
  }
  return NumParallel;
}

/// Only nests of depth one: then Polly's rule to leave innermost loops serial would leave nothing.
bool isFlat(const LoopInfo &LI) {
  return llvm::all_of(LI, [](const Loop *L) { return L->isInnermost(); });
}

/// The Scops of a function, and what becomes of them.
class FunctionPipeline {
public:
  FunctionPipeline(Function &F, FunctionAnalysisManager &FAM, const PolyhedralOptions &Options)
      : F(F), FAM(FAM), Options(Options) {}

  PolyhedralResult run();

private:
  void prepare();
  bool canShare(SchedulePolicy Policy);
  void apply(SchedulePolicy Policy, polly::ScopDetection &Detection, polly::ScopInfo &Scops,
             RegionInfo &RI);
  void generate(polly::Scop &S, polly::IslAstInfo &Ast, ScopPipeline &Pipeline, RegionInfo &RI);
  void note(const Twine &Line) { Result.Notes += (Line + "\n").str(); }

  Function &F;
  FunctionAnalysisManager &FAM;
  const PolyhedralOptions &Options;
  PolyhedralResult Result;
  PollyOptionScope Scope;
  bool HasReloaded = false;
  bool HasDeclined = false; ///< code generation changed the function and gave up
  /// Of the Scops that policies have looked at, while no code was generated.
  DenseMap<const Region *, std::unique_ptr<ScopPipeline>> Pipelines;
};

void FunctionPipeline::prepare() {
  forgetIterationScopes(F, FAM);
  reloadScalars(F, FAM, Options.Expired);
  if (expired(Options))
    return;
  if (Options.Schedule == SchedulePolicy::TimeTiled &&
      reloadCarriedValues(FAM.getResult<LoopAnalysis>(F), FAM.getResult<ScalarEvolutionAnalysis>(F),
                          FAM.getResult<AAManager>(F))) {
    FAM.invalidate(F, PreservedAnalyses::none());
    HasReloaded = true;
  }
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  setPollyOptions(Scope, Options.Parallel, Options.Parallel && isFlat(LI));
  polly::runCodePreparation(F, &FAM.getResult<DominatorTreeAnalysis>(F), &LI, nullptr);
}

/// After a policy that found nothing: are the models as \p Policy wants them?
bool FunctionPipeline::canShare(SchedulePolicy Policy) {
  if (HasReloaded || expired(Options))
    return false;
  return all_of(Pipelines, [&](const auto &Known) {
    // Tiles in time want values in memory; where there is no stencil that does not matter.
    return Known.second->isReadyFor(Policy) &&
           (Policy != SchedulePolicy::TimeTiled || !Known.second->mayBeStencil());
  });
}

void FunctionPipeline::generate(polly::Scop &S, polly::IslAstInfo &Ast, ScopPipeline &Pipeline,
                                RegionInfo &RI) {
  std::string Name = S.getNameStr();
  ScopCodegenResult Generated = generateScop(S, Ast, RI, FAM, Options.Target, Pipeline.conflicts());
  if (!Generated.Generated) {
    HasDeclined = true;
    note(Name + ": code generation declined");
    return;
  }
  ++Result.NumGenerated;
  Result.NumKernels += Generated.NumKernels;
  std::string What = Name + ": code generated";
  if (Generated.NumKernels)
    What += ", " + std::to_string(Generated.NumKernels) + " contraction kernels, " +
            std::to_string(Generated.NumUnpacked) + " unpacked";
  if (!Pipeline.note().empty())
    What += ", " + Pipeline.note();
  note(What);
}

void FunctionPipeline::apply(SchedulePolicy Policy, polly::ScopDetection &Detection,
                             polly::ScopInfo &Scops, RegionInfo &RI) {
  auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  Result.NumDetected = 0;
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
    if (!S) {
      note(R->getNameStr() + ": detected, but modelling it was infeasible or exceeded its limit");
      continue;
    }
    std::unique_ptr<ScopPipeline> &Pipeline = Pipelines[R];
    if (!Pipeline)
      Pipeline = std::make_unique<ScopPipeline>(*S, Options, TTI);
    std::unique_ptr<polly::IslAstInfo> Ast = Pipeline->run(Policy, Result.Rescheduled);
    Result.HasStencil |= Pipeline->isStencil();
    Result.Tiles = Pipeline->tiles();
    if (!Ast) {
      note(R->getNameStr() + ": " + Pipeline->note());
    } else {
      generate(*S, *Ast, *Pipeline, RI);
      // Whether or not that ended well, the function is another one.
      Ast.reset();
      Pipelines.clear();
      Scops.invalidate();
    }
  }
}

PolyhedralResult FunctionPipeline::run() {
  prepare();
  if (expired(Options)) {
    note("compile budget used up before the first phase");
    return std::move(Result);
  }
  DetectedScops Detected(F, FAM);
  polly::ScopInfo Scops = Detected.model();

  apply(Options.Schedule, Detected.Detection, Scops, Detected.Regions);
  for (SchedulePolicy Next : Options.Otherwise) {
    if (Result.NumGenerated || HasDeclined || !canShare(Next))
      break;
    Result.Passed.push_back(std::exchange(Result.Notes, ""));
    apply(Next, Detected.Detection, Scops, Detected.Regions);
  }
  Pipelines.clear();
  if (Result.NumGenerated)
    Result.NumParallel = adoptParallelBodies(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  return std::move(Result);
}

} // namespace

PolyhedralResult optimizeScops(Function &F, FunctionAnalysisManager &FAM,
                               const PolyhedralOptions &Options) {
  return FunctionPipeline(F, FAM, Options).run();
}

} // namespace specrt
