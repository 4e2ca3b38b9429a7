//===- specializer/specialize.cpp - the candidates of one request ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/specialize.h"
#include "profiler/guard_words.h"
#include "specializer/optimize.h"
#include "specializer/region_module.h"
#include "specializer/speculation/disjointness.h"
#include "specializer/speculation/facts.h"
#include "specializer/speculation/floating_point.h"
#include "specializer/speculation/memory_values.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace specrt {
namespace {

/// A call must last this long before waking other threads can pay.
constexpr double MinParallelSeconds = 100e-6;

/// Sizes may depend on sizes: s->n decides whether s->m is read at all.
constexpr unsigned MaxMemoryRounds = 3;

struct PolyhedralCandidate {
  const char *Name;
  SchedulePolicy Policy;
  bool Parallel;
};

constexpr PolyhedralCandidate PolyhedralCandidates[] = {
    {"tiled", SchedulePolicy::Tiled, false},
    {"polly-schedule", SchedulePolicy::Polly, false},
    {"polly", SchedulePolicy::Original, false},
    {"tiled-parallel", SchedulePolicy::Tiled, true},
    {"polly-schedule-parallel", SchedulePolicy::Polly, true},
    {"polly-parallel", SchedulePolicy::Original, true},
};

class Specializer {
public:
  Specializer(const specrt_jit_request &Request, TargetMachine &TM, CompileBudget &Budget,
              Dump &Files, CandidateSink Ready)
      : Request(Request), Region(*Request.region), TM(TM), Budget(Budget), Files(Files),
        Ready(Ready), Context(createQuietContext()), Passes(TM, Budget) {}

  Expected<SpecializedRegion> run();

private:
  Error prepare();
  void speculate();
  bool speculateOnMemory();
  void addConstantsCandidate();
  void addPolyhedralCandidate(const PolyhedralCandidate &Kind);
  bool isPossible(const PolyhedralCandidate &Kind) const;
  bool isWanted(const PolyhedralCandidate &Kind) const;
  bool isSymbolic() const;
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
  /// Owns what all modules share.
  std::unique_ptr<LLVMContext> Context;
  /// The specialised region before any candidate's own pipeline.
  std::unique_ptr<Module> Base;
  Speculation Spec;
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
  if (!Request.only || StringRef(Request.only) == "constants")
    addConstantsCandidate();
  for (const PolyhedralCandidate &Kind : PolyhedralCandidates)
    if (isWanted(Kind) && isPossible(Kind))
      addPolyhedralCandidate(Kind);
  Passes.forget();
  sortGuards(Spec.Guards);
  Result.Guards = std::move(Spec.Guards);
  Result.Notes = Spec.Notes + Result.Notes;
  dumpGuardsAndCauses();
  if (Result.NumCandidates == 0) {
    if (Budget.expired())
      return createStringError(Budget.reason());
    if (Request.only)
      return createStringError(Twine("candidate ") + Request.only + " cannot be built: " +
                               StringRef(Result.Notes).rtrim().rsplit('\n').second);
  }
  return std::move(Result);
}

Error Specializer::prepare() {
  Budget.attach(*Context);
  Expected<std::unique_ptr<Module>> M = loadRegion(Region, TM, *Context);
  if (!M)
    return M.takeError();
  Base = std::move(*M);
  Files.writeForRegion("original.ll", [&](raw_ostream &OS) { Base->print(OS, nullptr); });
  applyFloatingPointMode(*Base, Request.fp_mode, Region.flags & SPECRT_REGION_CONTRACT_FMA);
  Passes.inlineAndCanonicalize(*Base);
  // The unspecialised function says what stands in the way.
  if (!Budget.expired())
    Result.Causes = explainRejections(regionFunction(*Base, Region), Passes.functions());
  Passes.forget();
  return Error::success();
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
  SmallVector<AssumedCell, 4> Cells;
  for (unsigned Round = 0; Round < MaxMemoryRounds; ++Round) {
    SmallVector<AssumedCell, 4> More = assumeMemoryValues(F, Region, Request.sample_args);
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
bool Specializer::isSymbolic() const {
  return any_of(regionFunction(*Base, Region).args(),
                [](const Argument &A) { return A.getType()->isIntegerTy() && !A.use_empty(); });
}

/// Can the candidate be built within the limits of the request?
bool Specializer::isPossible(const PolyhedralCandidate &Kind) const {
  if (isSymbolic() && Kind.Policy != SchedulePolicy::Original)
    return false;
  return !Kind.Parallel || Request.threads > 1;
}

/// Is it worth trying?
bool Specializer::isWanted(const PolyhedralCandidate &Kind) const {
  if (Request.only)
    return StringRef(Request.only) == Kind.Name;
  return !Kind.Parallel || Request.seconds_per_call == 0 ||
         Request.seconds_per_call >= MinParallelSeconds;
}

void Specializer::addPolyhedralCandidate(const PolyhedralCandidate &Kind) {
  if (Budget.expired()) {
    note(Twine(Kind.Name) + ": not built, " + Budget.reason());
    return;
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
  PolyhedralOptions Options;
  Options.Schedule = Kind.Policy;
  Options.Parallel = Kind.Parallel;
  Options.Expired = Expired;
  Options.Target = describeHost(Passes.functions().getResult<TargetIRAnalysis>(F),
                                Kind.Parallel ? Request.threads : 1);
  Options.Dump = Files.isOn() ? &Stream : nullptr;
  Budget.checkpoint();
  PolyhedralResult Poly = optimizeScops(F, Passes.functions(), Options);
  Budget.checkpoint();
  Files.write((Twine(Kind.Name) + ".schedule.txt").str(),
              [&](raw_ostream &OS) { OS << Trace << Poly.Notes; });
  if (Poly.NumGenerated == 0)
    return note(Twine(Kind.Name) + ": nothing to transform; " +
                StringRef(Poly.Notes).split('\n').first);
  if (Kind.Policy != SchedulePolicy::Original && !Poly.Rescheduled)
    return note(Twine(Kind.Name) + ": the schedule is that of the source");
  if (Kind.Parallel && Poly.NumParallel == 0)
    return note(Twine(Kind.Name) + ": no parallel loop");
  Passes.forget();
  Passes.run(*M, buildPipelineAfterPolly(Passes.builder()));
  add(Kind.Name, std::move(M), Kind.Parallel, Start);
}

/// Takes the module as a candidate, unless the budget ended on the way: then it is half optimised.
void Specializer::add(const char *Name, std::unique_ptr<Module> M, bool Parallel, double StartMs) {
  Passes.forget();
  if (Budget.expired())
    return note(Twine(Name) + ": not finished, " + Budget.reason());
  std::string Why;
  raw_string_ostream Stream(Why);
  if (verifyModule(*M, &Stream))
    return note(Twine(Name) + ": discarded, its code is not valid: " + Why);
  dump(Twine(Name) + ".after.ll", *M);
  ++Result.NumCandidates;
  Ready({Name, std::move(M), Parallel, Budget.elapsedMs() - StartMs});
}

void Specializer::dump(const Twine &File, const Module &M) {
  Files.write(File.str(), [&](raw_ostream &OS) { M.print(OS, nullptr); });
}

void Specializer::dumpGuardsAndCauses() {
  Files.write("guards.txt", [&](raw_ostream &OS) {
    for (const specrt_guard &Guard : Result.Guards)
      OS << describe(Guard, Region) << "\n";
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
