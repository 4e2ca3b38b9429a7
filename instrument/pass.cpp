//===- instrument/pass.cpp - the instrumentation pass ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Visits functions and loops. The decisions are made in selection and eligibility, the work is done
// in outline, bitcode and descriptor.
//
//===----------------------------------------------------------------------===//
#include "instrument/pass.h"
#include "instrument/emit/descriptor.h"
#include "instrument/emit/functions.h"
#include "instrument/emit/unwinding.h"
#include "instrument/select/consecutive_loops.h"
#include "instrument/select/distant_calls.h"
#include "instrument/select/eligibility.h"
#include "instrument/select/following_nests.h"
#include "instrument/select/preparation/complex_arithmetic.h"
#include "instrument/select/preparation/folded_counters.h"
#include "instrument/select/recursion.h"
#include "instrument/select/rounding/rounding.h"
#include "instrument/select/selection.h"
#include "instrument/select/unprofitable.h"
#include "instrument/select/vector_library.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <algorithm>

using namespace llvm;

namespace specrt {
namespace {

/// Returns the functions with short loops that \p Blocks call, directly or through callees.
SmallVector<Function *, 4> partsOf(ArrayRef<BasicBlock *> Blocks) {
  SmallVector<Function *, 4> Parts;
  SmallPtrSet<const Function *, 8> Seen;
  SmallVector<BasicBlock *, 16> Open(Blocks);
  while (!Open.empty())
    for (const Instruction &I : *Open.pop_back_val()) {
      const auto *Call = dyn_cast<CallBase>(&I);
      Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || !Seen.insert(Callee).second)
        continue;
      for (BasicBlock &BB : *Callee)
        Open.push_back(&BB);
      if (Callee->hasFnAttribute(ShortLoopsAttribute))
        Parts.push_back(Callee);
    }
  return Parts;
}

/// Returns whether the program calls \p F once, as far as this module shows: it is main, or has one
/// call, which is in no loop of a function that is called once.
bool runsOnce(Function &F, FunctionAnalysisManager &FAM) {
  SmallPtrSet<const Function *, 4> Seen;
  Function *Callee = &F;
  while (Callee->getName() != "main") {
    auto *Call = Callee->hasOneUse() ? dyn_cast<CallBase>(*Callee->user_begin()) : nullptr;
    if (!Call || Call->getCalledFunction() != Callee || !Seen.insert(Callee).second)
      return false;
    Callee = Call->getFunction();
    if (FAM.getResult<LoopAnalysis>(*Callee).getLoopFor(Call->getParent()))
      return false;
  }
  return true;
}

/// Loops that are to be one region, in their order.
struct JoinedLoops {
  SmallVector<Loop *> Loops;
  Refusal WhyNoMore; ///< the reason against the loop that would be the next one
};

class FunctionInstrumenter {
public:
  FunctionInstrumenter(Function &F, FunctionAnalysisManager &FAM, const Selection &Wanted,
                       const Recursion &Calls, const Rounding &Bits, const std::string &Pipeline,
                       bool ForLTO)
      : F(F), FAM(FAM), Calls(Calls), Bits(Bits), Requested(Wanted.isRequested(F)),
        Turns(Wanted.pipelineOf(F)), Pipeline(Pipeline), ForLTO(ForLTO) {}

  /// Makes regions of the function's loops. Returns their records.
  SmallVector<GlobalVariable *> run();
  void refuseAll(const Refusal &Why);

private:
  Loop *nextLoop();
  SmallVector<CallBase *> distantCalls(const Loop &L, const TargetLibraryInfo &TLI) const;
  Refusal refuse(const Loop &L, ArrayRef<CallBase *> Distant);
  /// Returns why the code from \p L to \p Next, which is entered when L is left, cannot be in one
  /// region with them.
  Refusal refuseBetween(const Loop &L, const Loop &Next) const;
  OpenResult findOpen(ArrayRef<Loop *> Loops) const;
  /// Returns \p L with the loops after it that should be in one region with it.
  JoinedLoops join(Loop &L);
  /// Adds the loop that \p Find returns for the last of \p To. Returns false if there is none, or
  /// if it cannot be in one region with the others.
  bool addNext(JoinedLoops &To, function_ref<Loop *(const Loop &)> Find);
  /// Returns the calls beside the nest that do its work; none if the nest is not a region.
  SmallVector<CallInst *, 2> makeRegion(Loop &L, ArrayRef<CallBase *> Distant);
  void remarkMissed(const Loop &L, const Refusal &Why);
  void remarkApart(const Loop &L, const Refusal &Why);
  void remarkPipeline();

  Function &F;
  FunctionAnalysisManager &FAM;
  const Recursion &Calls;
  const Rounding &Bits;
  bool Requested;
  /// The positions of the nests of a specrt::pipeline(); empty in other functions.
  ArrayRef<GivenPositions> Turns;
  /// The first reason against one region of all nests of Turns, if they are not one.
  std::string WhyNoPipeline;
  const std::string &Pipeline;
  bool ForLTO;
  /// Headers of the loops already decided, and of those in regions. Blocks, because loops do not
  /// survive outlining.
  SmallPtrSet<const BasicBlock *, 8> Done;
  /// Headers of loops that could not be outlined together with the next one.
  SmallPtrSet<const BasicBlock *, 2> Alone;
  bool IsPipeline = false; ///< the nests of Turns are one region
  SmallVector<GlobalVariable *> Records;
  SmallSet<unsigned, 8> Lines;
};

/// Returns the first undecided loop, outermost first, and marks it as decided; null if there is
/// none.
Loop *FunctionInstrumenter::nextLoop() {
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (Done.insert(L->getHeader()).second)
      return L;
  return nullptr;
}

SmallVector<GlobalVariable *> FunctionInstrumenter::run() {
  while (Loop *L = nextLoop()) {
    BasicBlock *Header = L->getHeader();
    const auto &TLI = FAM.getResult<TargetLibraryAnalysis>(F);
    Unwinding Elsewhere(*L, distantCalls(*L, TLI), FAM);
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    auto &AC = FAM.getResult<AssumptionAnalysis>(F);
    L = LI.getLoopFor(Header);
    simplifyLoop(L, &DT, &LI, &SE, &AC, nullptr, /*PreserveLCSSA=*/false);
    // Simplifying may have given a loop with several backedges to one header a nest of its own.
    L = LI.getLoopFor(Header);
    const SmallVector<CallBase *> Distant = distantCalls(*L, TLI);
    const Refusal Why = refuse(*L, Distant);
    SmallVector<CallInst *, 2> Calls;
    if (Why) {
      remarkMissed(*L, Why);
      if (WhyNoPipeline.empty())
        WhyNoPipeline = Why.Text;
    } else {
      Calls = makeRegion(*L, Distant);
    }
    if (!Elsewhere.changed())
      continue;
    Elsewhere.restore();
    for (CallInst *Call : Calls)
      Elsewhere.copyTo(*Call);
  }
  if (!Turns.empty() && !IsPipeline)
    remarkPipeline();
  return std::move(Records);
}

Refusal FunctionInstrumenter::refuse(const Loop &L, ArrayRef<CallBase *> Distant) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  Refusal Why = refuseLoop(L, SE, Calls, Distant, Requested);
  // A nest that runs once would contain the loops of its callees, so that these were observed in
  // one call only.
  if (!Why && L.isOutermost() && !Requested && runsOnce(F, FAM))
    if (const SmallVector<Function *, 4> Parts = partsOf(L.getBlocks()); !Parts.empty())
      Why = {("it calls " + Parts.front()->getName() + ", which has loops of its own").str()};
  if (!Why)
    Why = Bits.refuse(L);
  if (!Why)
    Why = refuseVectorFunctions(L.getBlocks(), FAM.getResult<TargetLibraryAnalysis>(F));
  return Why;
}

Refusal FunctionInstrumenter::refuseBetween(const Loop &L, const Loop &Next) const {
  const SmallVector<BasicBlock *> Between = blocksBetween(L, Next);
  Refusal Why = refuseBlocks(Between, Calls, {});
  if (!Why)
    Why = Bits.refuseBetween(Between);
  if (!Why)
    Why = refuseVectorFunctions(Between, FAM.getResult<TargetLibraryAnalysis>(F));
  return Why;
}

static constexpr const char *CallsOtherFiles = "a nest calls functions of other files";

bool FunctionInstrumenter::addNext(JoinedLoops &To, function_ref<Loop *(const Loop &)> Find) {
  const Loop &Last = *To.Loops.back();
  To.WhyNoMore = {"there is other code or a branch between two nests, or one of them uses a result "
                  "of the other"};
  Loop *Next = Find(Last);
  if (!Next)
    return false;
  To.WhyNoMore = {CallsOtherFiles};
  if (!distantCalls(*Next, FAM.getResult<TargetLibraryAnalysis>(F)).empty())
    return false;
  simplifyLoop(Next, &FAM.getResult<DominatorTreeAnalysis>(F), &FAM.getResult<LoopAnalysis>(F),
               &FAM.getResult<ScalarEvolutionAnalysis>(F), &FAM.getResult<AssumptionAnalysis>(F),
               nullptr, /*PreserveLCSSA=*/false);
  To.WhyNoMore = {"a nest has an entry or exit that cannot be made simple"};
  Next = Find(Last);
  if (!Next)
    return false;
  To.WhyNoMore = refuse(*Next, {});
  if (To.WhyNoMore)
    return false;
  To.WhyNoMore = refuseBetween(Last, *Next);
  if (To.WhyNoMore) {
    remarkApart(*Next, To.WhyNoMore);
    return false;
  }
  To.Loops.push_back(Next);
  return true;
}

JoinedLoops FunctionInstrumenter::join(Loop &L) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  const auto Any = [&](const Loop &Last) { return findNextLoop(Last, LI); };
  const auto Following = [&](const Loop &Last) { return findFollowingNest(Last, LI, SE); };
  const auto OverSameRows = [&](const Loop &Last) { return findLoopOverSameRows(Last, LI, SE); };
  JoinedLoops All{{&L}, {}};
  if (!Turns.empty()) {
    while (addNext(All, Any))
      ;
    return All;
  }
  while (addNext(All, Following))
    ;
  // The specializer fuses the rows of two such loops at most.
  if (All.Loops.size() == 1 && !Following(L))
    addNext(All, OverSameRows);
  return All;
}

static RegionOrigin originOf(const Loop &L, Function &F) {
  RegionOrigin Origin;
  Origin.Parent = &F;
  if (DebugLoc Location = L.getStartLoc()) {
    Origin.Line = Location.getLine();
    Origin.File = Location->getFilename();
  } else if (const DISubprogram *Scope = F.getSubprogram()) {
    Origin.File = Scope->getFilename();
  }
  return Origin;
}

/// Returns nothing with LTO, which sees other files itself.
SmallVector<CallBase *> FunctionInstrumenter::distantCalls(const Loop &L,
                                                           const TargetLibraryInfo &TLI) const {
  return ForLTO ? SmallVector<CallBase *>() : findDistantCalls(L, TLI);
}

OpenResult FunctionInstrumenter::findOpen(ArrayRef<Loop *> Loops) const {
  for (const Loop *L : Loops)
    if (const OpenResult Open = Bits.findOpen(*L))
      return Open;
  return {};
}

SmallVector<CallInst *, 2> FunctionInstrumenter::makeRegion(Loop &L, ArrayRef<CallBase *> Distant) {
  RegionOrigin Origin = originOf(L, F);
  Origin.Number = Records.size();
  Origin.Pipeline = Pipeline;
  Origin.Places = findPlaces(L);
  Origin.CallLine = inlinedCallLine(L);
  Origin.SharesLine = Origin.Line && !Lines.insert(Origin.Line).second;
  for (const CallBase *Call : Distant)
    Origin.Distant.insert(Call->getCalledFunction());
  DebugLoc Location = L.getStartLoc();
  const BasicBlock *Preheader = L.getLoopPreheader();

  // LTO drops the discarded copy of a comdat member by member and would leave incomplete regions.
  // With LTO the objects therefore join no comdat. A discarded copy may even be inlined, and then
  // its region is used.
  const bool JoinComdat = !ForLTO;
  const BasicBlock *Header = L.getHeader();
  JoinedLoops Joined{{&L}, {}};
  if (!Distant.empty())
    Joined.WhyNoMore = {CallsOtherFiles};
  else if (!Alone.contains(Header))
    Joined = join(L);
  const ArrayRef<Loop *> Loops = Joined.Loops;
  if (WhyNoPipeline.empty())
    WhyNoPipeline = Joined.WhyNoMore.Text;
  const OpenResult Open = findOpen(Loops);
  Origin.HasOpenResults = bool(Open);
  const DebugLoc OpenLocation = Open ? Open.Where->getDebugLoc() : DebugLoc();
  SmallVector<const BasicBlock *> Inside;
  SmallVector<Function *, 4> Parts;
  for (auto [I, Part] : enumerate(Loops)) {
    append_range(Parts, partsOf(Part->getBlocks()));
    if (I + 1 < Loops.size())
      append_range(Parts, partsOf(blocksBetween(*Part, *Loops[I + 1])));
    for (const Loop *Inner : Part->getLoopsInPreorder())
      Inside.push_back(Inner->getHeader());
  }
  Expected<OutlinedRegion> Region =
      outlineLoops(Loops, Origin.Number, JoinComdat, writtenIn(L), FAM);
  OptimizationRemarkEmitter Remarks(&F);
  if (!Region && Loops.size() > 1) {
    WhyNoPipeline = toString(Region.takeError());
    Alone.insert(Header);
    Done.erase(Header);
    if (!Origin.SharesLine)
      Lines.erase(Origin.Line);
    return {};
  }
  if (!Region) {
    std::string Why = toString(Region.takeError());
    Remarks.emit([&] {
      return OptimizationRemarkMissed("specrt", "Skipped", Location, Preheader)
             << "loop is not a region: " << Why;
    });
    return {};
  }
  Done.insert_range(Inside);
  for (Function *Part : Parts)
    Part->addFnAttr(PartOfNestAttribute);
  if (Loops.size() == Turns.size()) {
    IsPipeline = true;
    placePipeline(*Region->Body, Turns);
  }
  const RegionBitcode Bitcode = writeBitcode(*Region->Body);
  const auto NumArgs = unsigned(Region->Body->arg_size());
  EmittedRegion Made = emitRegion(*Region, Origin, Bitcode, FAM);
  Records.push_back(Made.Record);
  Remarks.emit([&] {
    return OptimizationRemark("specrt", "Region", Location, Region->Entry)
           << "loop is a region: " << ore::NV("Title", titleOf(Origin)) << " ("
           << ore::NV("Arguments", NumArgs) << " arguments)";
  });
  if (Open)
    Remarks.emit([&] {
      return OptimizationRemarkMissed("specrt", "Open", OpenLocation ? OpenLocation : Location,
                                      Region->Entry)
             << "region gets versions with SPECRT_FP=fast only: " << Open.Why;
    });
  return Made.Calls;
}

void FunctionInstrumenter::remarkMissed(const Loop &L, const Refusal &Why) {
  OptimizationRemarkEmitter Remarks(&F);
  Remarks.emit([&] {
    DebugLoc Location =
        Why.Where && Why.Where->getDebugLoc() ? Why.Where->getDebugLoc() : L.getStartLoc();
    return OptimizationRemarkMissed("specrt", "Skipped", Location, L.getHeader())
           << "loop is not a region: " << Why.Text;
  });
}

void FunctionInstrumenter::remarkApart(const Loop &L, const Refusal &Why) {
  OptimizationRemarkEmitter Remarks(&F);
  Remarks.emit([&] {
    DebugLoc Location =
        Why.Where && Why.Where->getDebugLoc() ? Why.Where->getDebugLoc() : L.getStartLoc();
    return OptimizationRemarkMissed("specrt", "Apart", Location, L.getHeader())
           << "loop is not in one region with the one before, because of the code between them: "
           << Why.Text;
  });
}

void FunctionInstrumenter::remarkPipeline() {
  OptimizationRemarkEmitter Remarks(&F);
  Remarks.emit([&] {
    OptimizationRemarkMissed Remark("specrt", "Pipeline", F.getSubprogram(), &F.getEntryBlock());
    Remark << "the " << ore::NV("Nests", Turns.size())
           << " nests of the pipeline do not take turns, because they are not one region";
    if (!WhyNoPipeline.empty())
      Remark << ": " << WhyNoPipeline;
    if (any_of(Turns, isAnyGiven))
      Remark << "; the offsets and grains that the program gives are not used";
    return Remark;
  });
}

void FunctionInstrumenter::refuseAll(const Refusal &Why) {
  for (const Loop *L : FAM.getResult<LoopAnalysis>(F))
    remarkMissed(*L, Why);
}

bool isSupported(const Module &M) {
  const Triple &T = M.getTargetTriple();
  return T.isOSBinFormatELF() && T.isArch64Bit() && T.isLittleEndian();
}

bool isCandidate(const Function &F) {
  return !F.isDeclaration() && !F.hasAvailableExternallyLinkage() &&
         !F.hasFnAttribute("specrt-region") && !F.hasFnAttribute("specrt-instrumented");
}

} // namespace

/// Marks functions that may be part of nests.
static void markShortLoops(ArrayRef<Function *> Candidates, const Selection &Wanted,
                           FunctionAnalysisManager &FAM) {
  for (Function *F : Candidates) {
    const auto &LI = FAM.getResult<LoopAnalysis>(*F);
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(*F);
    if (!LI.empty() && !Wanted.isRequested(*F) && !refuseFunction(*F, LI) &&
        all_of(LI, [&](const Loop *L) { return isShort(*L, SE); }))
      F->addFnAttr(ShortLoopsAttribute);
  }
}

/// Removes the lines of the source unless debug info is written. They slow down the passes that
/// follow, which do not need them.
static void dropLines(Module &M) {
  if (all_of(M.debug_compile_units(), [](const DICompileUnit *Unit) {
        return Unit->getEmissionKind() == DICompileUnit::NoDebug;
      }))
    StripDebugInfo(M);
}

PreservedAnalyses InstrumentPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!isSupported(M))
    return PreservedAnalyses::all();
  instrument(M, MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager());
  if (DropsLines)
    dropLines(M);
  return PreservedAnalyses::none();
}

void InstrumentPass::instrument(Module &M, FunctionAnalysisManager &FAM) const {
  describeComplexArithmetic(M);
  SmallVector<Function *> Candidates;
  for (Function &F : make_filter_range(M, isCandidate)) {
    Candidates.push_back(&F);
    if (unfoldCounters(F, FAM.getResult<DominatorTreeAnalysis>(F)))
      FAM.invalidate(F, PreservedAnalyses::none());
  }
  Selection Wanted(M);
  Recursion Calls(M, FAM);
  Rounding Bits(M, FAM, ForLTO);
  markShortLoops(Candidates, Wanted, FAM);
  // Functions with short loops come last: whether they are part of nests is known once their
  // callers have been processed.
  std::stable_partition(Candidates.begin(), Candidates.end(),
                        [](const Function *F) { return !F->hasFnAttribute(ShortLoopsAttribute); });

  SmallVector<GlobalValue *> Kept;
  if (!ForLTO)
    if (SmallVector<Function *> Functions = findDistantFunctions(M, FAM, Wanted, Bits);
        !Functions.empty()) {
      Kept = emitFunctions(M, Functions, FAM, HasOneSection);
      emitFunctionRegistration(M);
    }
  SmallVector<GlobalVariable *> Records;
  for (Function *F : Candidates) {
    auto &LI = FAM.getResult<LoopAnalysis>(*F);
    if (LI.empty())
      continue;
    FunctionInstrumenter Instrumenter(*F, FAM, Wanted, Calls, Bits, Pipeline, ForLTO);
    Refusal Why{Wanted.reasonAgainst(*F)};
    if (!Why)
      Why = refuseFunction(*F, LI);
    if (!Why && F->hasFnAttribute(PartOfNestAttribute))
      Why = {"it is part of the nests that call its function"};
    if (Why) {
      Instrumenter.refuseAll(Why);
      continue;
    }
    SmallVector<GlobalVariable *> Made = Instrumenter.run();
    if (Made.empty())
      continue;
    F->addFnAttr("specrt-instrumented");
    // A region in its parent's comdat is complete only together with the parent.
    if (!ForLTO && F->hasComdat())
      Kept.push_back(F);
    append_range(Records, Made);
  }
  if (!Records.empty()) {
    append_range(Kept, emitEntries(Records, HasOneSection));
    emitRegistration(M);
  }
  if (!Kept.empty())
    appendToCompilerUsed(M, Kept);
}

} // namespace specrt
