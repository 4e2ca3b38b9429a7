//===- specializer/specialize.cpp - the candidates of one request ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/specialize.h"
#include "analysis/resumption.h"
#include "guards/guards.h"
#include "specializer/optimize.h"
#include "specializer/region_module.h"
#include "specializer/speculation/disjointness.h"
#include "specializer/speculation/errno_math.h"
#include "specializer/speculation/facts.h"
#include "specializer/speculation/floating_point.h"
#include "specializer/speculation/fp_environment.h"
#include "specializer/speculation/library_calls.h"
#include "specializer/speculation/memory_values.h"
#include "specializer/speculation/nan_folding.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace specrt {
namespace {

/// A call must last this long before waking other threads can pay.
constexpr double MinParallelSeconds = 100e-6;
/// In a call that lasts this long for each of them, what waking them costs is less than
/// measurements vary by: where there is a parallel version, serial ones are not worth their
/// compilation.
constexpr double MaxSerialSecondsPerThread = 1e-3;

/// Sizes may depend on sizes: s->n decides whether s->m is read at all.
constexpr unsigned MaxMemoryRounds = 3;

struct PolyhedralCandidate {
  const char *Name;
  SchedulePolicy Policy;
  bool Parallel;
};

constexpr PolyhedralCandidate PolyhedralCandidates[] = {
    {"tiled", SchedulePolicy::Tiled, false},
    {"time-tiled", SchedulePolicy::TimeTiled, false},
    {"vector", SchedulePolicy::Vector, false},
    {"polly-schedule", SchedulePolicy::Polly, false},
    {"polly", SchedulePolicy::Original, false},
    {"tiled-parallel", SchedulePolicy::Tiled, true},
    {"time-tiled-parallel", SchedulePolicy::TimeTiled, true},
    {"vector-parallel", SchedulePolicy::Vector, true},
    {"polly-schedule-parallel", SchedulePolicy::Polly, true},
    {"polly-parallel", SchedulePolicy::Original, true},
};

StringRef lastLine(StringRef Text) {
  Text = Text.rtrim();
  size_t End = Text.rfind('\n');
  return End == StringRef::npos ? Text : Text.substr(End + 1);
}

class Specializer {
public:
  Specializer(const specrt_jit_request &Request, TargetMachine &TM, CompileBudget &Budget,
              Dump &Files, CandidateSink Ready)
      : Request(Request), Region(*Request.region), TM(TM), Budget(Budget), Files(Files),
        Ready(Ready), Context(createQuietContext()), Passes(TM, Budget) {}

  Expected<SpecializedRegion> run();

private:
  Error prepare();
  Error skipIterations();
  void speculate();
  bool speculateOnMemory();
  void addAll();
  void addFirstOf(StringRef Names);
  void addConstantsCandidate();
  void addPolyhedralCandidates(SmallVector<const PolyhedralCandidate *> Kinds, bool OnlyOne);
  unsigned addFirstPolyhedralCandidate(ArrayRef<const PolyhedralCandidate *> Kinds);
  void passOver(const PolyhedralCandidate &Kind, StringRef Notes, bool HasStencil);
  bool isUseful(const PolyhedralCandidate &Kind, const PolyhedralResult &Poly);
  bool isPossible(const PolyhedralCandidate &Kind) const;
  bool isWanted(const PolyhedralCandidate &Kind) const;
  bool isBuilt(SchedulePolicy Policy, bool Parallel) const;
  bool isMatched(SchedulePolicy Policy, bool Parallel) const;
  unsigned numUnknownSizes() const;
  void add(const char *Name, std::unique_ptr<Module> M, bool Parallel, double StartMs);
  void dump(const Twine &File, const Module &M);
  void dumpGuardsAndCauses();
  void note(const Twine &Line) { Result.Notes += (Line + "\n").str(); }

  const specrt_jit_request &Request;
  const specrt_region &Region;
  TargetMachine &TM;
  CompileBudget &Budget;
  Dump &Files;
  CandidateSink Ready;
  SpecializedRegion Result;
  bool HasKernels = false; ///< some candidate calls contraction kernels
  SmallVector<const PolyhedralCandidate *> Built;
  /// Owns what all modules share.
  std::unique_ptr<LLVMContext> Context;
  /// The specialised region before any candidate's own pipeline.
  std::unique_ptr<Module> Base;
  Speculation Spec;
  /// The guards of each candidate that is ready, by its name.
  std::vector<std::pair<std::string, GuardList>> Demanded;
  /// Policies that find nothing in the region, for whatever number of workers.
  SmallVector<SchedulePolicy> Hopeless;
  /// After the modules: its analyses refer to them.
  Optimizer Passes;
};

Expected<SpecializedRegion> Specializer::run() {
  if (Error E = prepare())
    return std::move(E);
  speculate();
  if (Budget.expired())
    return createStringError(Budget.reason());
  dump("before.ll", *Base);
  if (Request.only)
    addFirstOf(Request.only);
  else
    addAll();
  Passes.forget();
  Result.Notes = Spec.Notes + Result.Notes;
  dumpGuardsAndCauses();
  if (Result.NumCandidates == 0) {
    if (Budget.expired())
      return createStringError(Budget.reason());
    if (Request.only)
      return createStringError(Twine("candidate ") + Request.only +
                               " cannot be built: " + lastLine(Result.Notes));
  }
  return std::move(Result);
}

void Specializer::addAll() {
  addConstantsCandidate();
  for (bool Parallel : {true, false}) {
    SmallVector<const PolyhedralCandidate *> Kinds;
    for (const PolyhedralCandidate &Kind : PolyhedralCandidates)
      if (Kind.Parallel == Parallel)
        Kinds.push_back(&Kind);
    addPolyhedralCandidates(std::move(Kinds), /*OnlyOne=*/false);
  }
}

/// Of the named candidates only the first that exists.
void Specializer::addFirstOf(StringRef Names) {
  SmallVector<const PolyhedralCandidate *> Kinds;
  auto AddKinds = [&] { addPolyhedralCandidates(std::exchange(Kinds, {}), /*OnlyOne=*/true); };
  for (StringRef Name : split(Names, ',')) {
    if (Name == "constants") {
      AddKinds();
      if (Result.NumCandidates == 0)
        addConstantsCandidate();
    }
    for (const PolyhedralCandidate &Kind : PolyhedralCandidates) {
      if (Name != Kind.Name)
        continue;
      if (!Kinds.empty() && Kinds.back()->Parallel != Kind.Parallel)
        AddKinds();
      Kinds.push_back(&Kind);
    }
  }
  AddKinds();
}

Error Specializer::prepare() {
  Budget.attach(*Context);
  Expected<std::unique_ptr<Module>> M = loadRegion(Region, TM, *Context);
  if (!M)
    return M.takeError();
  Base = std::move(*M);
  if (Request.first_iteration)
    if (Error E = skipIterations())
      return E;
  Files.writeForRegion("original.ll", [&](raw_ostream &OS) { Base->print(OS, nullptr); });
  if (std::optional<FpEnvironmentGuard> Guard = guardOnFpEnvironment(*Base, Request.fp_mode))
    Spec.Guards.append(*Guard);
  if (Request.fp_mode != SPECRT_FP_FAST)
    if (Error E = bindLibraryCalls(*Base, Region))
      return E;
  const bool KeepsNaNs = Request.fp_mode == SPECRT_FP_STRICT;
  if (KeepsNaNs) {
    hideNaNs(*Base);
    fenceSignsOfNaNs(*Base);
  }
  applyFloatingPointMode(*Base, Request.fp_mode);
  Passes.inlineAndCanonicalize(*Base);
  if (KeepsNaNs)
    fenceSignsOfNaNs(*Base);
  // The unspecialised function says what stands in the way.
  if (!Budget.expired())
    Result.Causes = explainRejections(regionFunction(*Base, Region), Passes.functions());
  Passes.forget();
  replaceErrnoMath(regionFunction(*Base, Region));
  return Error::success();
}

/// The rest of a call that is running. Before anything else changes the code: iterations are
/// counted in the bitcode as it is.
Error Specializer::skipIterations() {
  Function &F = regionFunction(*Base, Region);
  FunctionAnalysisManager &FAM = Passes.functions();
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  Loop *L = findResumableLoop(F, FAM.getResult<LoopAnalysis>(F), SE);
  if (L)
    resumeAt(*L, SE, Request.first_iteration);
  Passes.forget();
  return L ? Error::success() : createStringError("its outermost loop cannot begin in the middle");
}

void Specializer::speculate() {
  applyFacts(regionFunction(*Base, Region), Region, Request.facts, Spec);
  Passes.simplify(*Base);
  if (speculateOnMemory())
    return;
  separateArrays(regionFunction(*Base, Region), Passes.functions(), Region, Request.overlaps, {},
                 Spec);
  Passes.forget();
}

/// Tries the specialisation with sizes read from memory; on failure nothing has happened.
bool Specializer::speculateOnMemory() {
  std::unique_ptr<Module> Attempt = CloneModule(*Base);
  Function &F = regionFunction(*Attempt, Region);
  SmallVector<specrt_cell_fact, 4> Cells;
  for (unsigned Round = 0; Round < MaxMemoryRounds; ++Round) {
    SmallVector<specrt_cell_fact, 4> More =
        assumeMemoryValues(F, Region, ArrayRef(Request.cells, Request.num_cells));
    if (More.empty())
      break;
    Cells.append(More);
    Passes.forget();
    Passes.simplify(*Attempt);
  }
  if (Cells.empty())
    return false;
  Speculation WithMemory = Spec;
  bool Confirmed =
      separateArrays(F, Passes.functions(), Region, Request.overlaps, Cells, WithMemory);
  Passes.forget();
  if (!Confirmed) {
    Spec.Notes = WithMemory.Notes;
    return false;
  }
  Spec = std::move(WithMemory);
  Base = std::move(Attempt);
  return true;
}

void Specializer::addConstantsCandidate() {
  double Start = Budget.elapsedMs();
  std::unique_ptr<Module> M = CloneModule(*Base);
  Passes.forget();
  Passes.optimize(*M);
  add("constants", std::move(M), /*Parallel=*/false, Start);
}

/// Integer arguments that are still unknown make Polly's sets parametric: scheduling them has no
/// bound in time.
unsigned Specializer::numUnknownSizes() const {
  return static_cast<unsigned>(
      count_if(regionFunction(*Base, Region).args(),
               [](const Argument &A) { return A.getType()->isIntegerTy() && !A.use_empty(); }));
}

/// Can the candidate be built within the limits of the request?
bool Specializer::isPossible(const PolyhedralCandidate &Kind) const {
  if (is_contained(Hopeless, Kind.Policy))
    return false;
  // The number of steps of a stencil may be unknown, because its loops are not scheduled anew.
  unsigned MaxUnknown = Kind.Policy == SchedulePolicy::TimeTiled ? 1 : 0;
  if (Kind.Policy != SchedulePolicy::Original && numUnknownSizes() > MaxUnknown)
    return false;
  return !Kind.Parallel || Request.threads > 1;
}

bool Specializer::isBuilt(SchedulePolicy Policy, bool Parallel) const {
  return any_of(Built, [&](const PolyhedralCandidate *Kind) {
    return Kind->Policy == Policy && Kind->Parallel == Parallel;
  });
}

/// Is there such a candidate, or one that is sure to be at least as good?
bool Specializer::isMatched(SchedulePolicy Policy, bool Parallel) const {
  bool IsLong = Request.seconds_per_call >= MaxSerialSecondsPerThread * Request.threads;
  return isBuilt(Policy, Parallel) || (!Parallel && IsLong && isBuilt(Policy, true));
}

/// Is it worth trying?
bool Specializer::isWanted(const PolyhedralCandidate &Kind) const {
  using P = SchedulePolicy;
  // Nothing that Polly does comes near a kernel.
  if (HasKernels && Kind.Policy != P::Tiled)
    return false;
  // Nor near tiles in time; the order of the source is for few steps.
  if ((isBuilt(P::TimeTiled, true) || isBuilt(P::TimeTiled, false)) &&
      (Kind.Policy == P::Polly || Kind.Policy == P::Vector))
    return false;
  // That is the order of the source, with vectors where it has none.
  if (Kind.Policy == P::Original && isMatched(P::Vector, Kind.Parallel))
    return false;
  return !isMatched(Kind.Policy, Kind.Parallel) &&
         (!Kind.Parallel || Request.seconds_per_call == 0 ||
          Request.seconds_per_call >= MinParallelSeconds);
}

/// All of \p Kinds that exist, or the first of them. All are parallel, or none is.
void Specializer::addPolyhedralCandidates(SmallVector<const PolyhedralCandidate *> Kinds,
                                          bool OnlyOne) {
  while (!OnlyOne || Result.NumCandidates == 0) {
    // Every candidate may make others superfluous.
    erase_if(Kinds, [&](const PolyhedralCandidate *Kind) {
      return !isPossible(*Kind) || (!OnlyOne && !isWanted(*Kind));
    });
    if (Kinds.empty())
      return;
    Kinds.erase(Kinds.begin(), Kinds.begin() + addFirstPolyhedralCandidate(Kinds));
  }
}

/// The first of \p Kinds that exists, as far as they can share models. Returns how many were looked
/// at.
unsigned Specializer::addFirstPolyhedralCandidate(ArrayRef<const PolyhedralCandidate *> Kinds) {
  const bool Parallel = Kinds.front()->Parallel;
  if (Budget.expired()) {
    for (const PolyhedralCandidate *Kind : Kinds)
      note(Twine(Kind->Name) + ": not built, " + Budget.reason());
    return unsigned(Kinds.size());
  }
  double Start = Budget.elapsedMs();
  std::unique_ptr<Module> M = CloneModule(*Base);
  Function &F = regionFunction(*M, Region);
  Passes.forget();
  std::string Trace;
  raw_string_ostream Stream(Trace);
  // Asked between Polly's phases: also the places where a compile can be parked.
  auto Expired = [&] {
    Budget.checkpoint();
    return Budget.expired();
  };
  SmallVector<SchedulePolicy> Otherwise;
  for (const PolyhedralCandidate *Kind : Kinds.drop_front())
    Otherwise.push_back(Kind->Policy);
  PolyhedralOptions Options;
  Options.Schedule = Kinds.front()->Policy;
  Options.Otherwise = Otherwise;
  Options.Parallel = Parallel;
  Options.Expired = Expired;
  Options.Target = describeHost(Passes.functions().getResult<TargetIRAnalysis>(F),
                                Parallel ? Request.threads : 1);
  Options.Dump = Files.isOn() ? &Stream : nullptr;
  Budget.checkpoint();
  PolyhedralResult Poly = optimizeScops(F, Passes.functions(), Options);
  Budget.checkpoint();
  for (auto [Kind, Notes] : zip(Kinds, Poly.Passed))
    passOver(*Kind, Notes, Poly.HasStencil);
  const unsigned NumTried = unsigned(Poly.Passed.size()) + 1;
  const PolyhedralCandidate &Kind = *Kinds[NumTried - 1];
  Files.write((Twine(Kind.Name) + ".schedule.txt").str(),
              [&](raw_ostream &OS) { OS << Trace << Poly.Notes; });
  if (Poly.NumGenerated == 0)
    passOver(Kind, Poly.Notes, Poly.HasStencil);
  else if (isUseful(Kind, Poly)) {
    HasKernels |= Poly.NumKernels > 0;
    Built.push_back(&Kind);
    Passes.forget();
    Passes.run(*M, buildPipelineAfterPolly(Passes.builder()));
    add(Kind.Name, std::move(M), Parallel, Start);
  }
  return NumTried;
}

/// Nothing was found, nor will it be for another number of workers; but tiles of a stencil may pay
/// for several and not for one, and the other way round.
void Specializer::passOver(const PolyhedralCandidate &Kind, StringRef Notes, bool HasStencil) {
  note(Twine(Kind.Name) + ": nothing to transform; " + Notes.split('\n').first);
  bool DependsOnWorkers = Kind.Policy == SchedulePolicy::TimeTiled && HasStencil;
  if (!Budget.expired() && !DependsOnWorkers)
    Hopeless.push_back(Kind.Policy);
}

bool Specializer::isUseful(const PolyhedralCandidate &Kind, const PolyhedralResult &Poly) {
  // Loops in isl's order without its tiles are no gain by themselves.
  if (Kind.Policy == SchedulePolicy::Tiled && Poly.NumKernels == 0)
    note(Twine(Kind.Name) + ": no block is regular enough for a kernel");
  else if (Kind.Parallel && Poly.NumParallel == 0)
    note(Twine(Kind.Name) + ": no parallel loop");
  else
    return true;
  return false;
}

/// Takes the module as a candidate, unless the budget ended on the way: then it is half optimised.
void Specializer::add(const char *Name, std::unique_ptr<Module> M, bool Parallel, double StartMs) {
  Passes.forget();
  if (Budget.expired())
    return note(Twine(Name) + ": not finished, " + Budget.reason());
  if (Request.fp_mode == SPECRT_FP_STRICT && containsNaN(*M))
    return note(Twine(Name) + ": not used, an operation was folded to a NaN");
  std::string Why;
  raw_string_ostream Stream(Why);
  if (verifyModule(*M, &Stream))
    return note(Twine(Name) + ": discarded, its code is not valid: " + Why);
  dump(Twine(Name) + ".after.ll", *M);
  ++Result.NumCandidates;
  const GuardList &Guards = Demanded.emplace_back(Name, inOrder(Spec.Guards)).second;
  Ready({Name, Guards, std::move(M), Parallel, Budget.elapsedMs() - StartMs});
}

void Specializer::dump(const Twine &File, const Module &M) {
  Files.write(File.str(), [&](raw_ostream &OS) { M.print(OS, nullptr); });
}

void Specializer::dumpGuardsAndCauses() {
  Files.write("guards.txt", [&](raw_ostream &OS) {
    bool AllTheSame =
        all_of(Demanded, [&](const auto &One) { return One.second == Demanded.front().second; });
    for (const auto &[Name, Guards] : ArrayRef(Demanded).take_front(AllTheSame ? 1 : -1)) {
      if (!AllTheSame)
        OS << Name << ":\n";
      for (const specrt_guard &Guard : Guards)
        OS << describe(Guard, Region) << "\n";
    }
  });
  Files.write("causes.txt", [&](raw_ostream &OS) {
    for (const RejectionCause &C : Result.Causes) {
      if (C.Line)
        OS << C.File << ":" << C.Line << ": ";
      OS << C.Message << " (" << C.Kind << (C.Speculative ? "; a guard can resolve it" : "")
         << ")\n";
    }
  });
}

} // namespace

Expected<SpecializedRegion> specialize(const specrt_jit_request &Request, TargetMachine &TM,
                                       CompileBudget &Budget, Dump &Files, CandidateSink Ready) {
  return Specializer(Request, TM, Budget, Files, Ready).run();
}

} // namespace specrt
