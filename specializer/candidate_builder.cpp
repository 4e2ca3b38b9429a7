//===- specializer/candidate_builder.cpp - builds candidates by strategies -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/candidate_builder.h"
#include "specializer/loops/distribution/vector_parts.h"
#include "specializer/module/naming.h"
#include "specializer/module/region_module.h"
#include "specializer/polyhedral/schedule/parallel_work.h"
#include "specializer/rounding/nan_folding.h"
#include "specializer/sparse/zeros/sparse_arrays.h"
#include "specializer/sparse/zeros/zeros.h"
#include "specializer/strategies/strategy.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace specrt {

/// Returns whether \p Names, separated by commas, contains \p Name.
static bool isListed(const char *Names, StringRef Name) {
  return Names && is_contained(split(Names, ','), Name);
}

CandidateBuilder::CandidateBuilder(Module &Base, GuardList Guards,
                                   const specrt_jit_request &Request, Optimizer &Passes,
                                   CompileBudget &Budget, Dump &Files, CandidateSink Ready,
                                   AbsenceSink Absent)
    : Base(Base), Guards(std::move(Guards)), Request(Request), Passes(Passes), Budget(Budget),
      Files(Files), Ready(Ready), Absent(Absent),
      Chosen(Request.seconds_per_call, Request.threads) {
  for (const CandidateKind &Kind : candidateKinds())
    if (isListed(Request.existing, Kind.Name))
      Chosen.addBuilt(Kind);
}

/// Looks up the results of earlier compilations.
bool CandidateBuilder::isSettled(const CandidateKind &Kind) const {
  return isListed(Request.existing, Kind.Name) || isListed(Request.absent, Kind.Name);
}

void CandidateBuilder::addAll() {
  for (const CandidateKind &Kind : candidateKinds())
    if (!isSettled(Kind) &&
        (Kind.Strategy == StrategyId::Constants ||
         (Kind.Strategy == StrategyId::Zeros && Request.zeros &&
          (!Kind.Parallel || (Request.threads > 1 && mayThreadsPay(Request.seconds_per_call))))))
      addWithoutModel(Kind);
  for (bool Parallel : {true, false}) {
    SmallVector<const CandidateKind *> Some;
    for (const CandidateKind &Kind : candidateKinds())
      if (findStrategy(Kind.Strategy) && Kind.Parallel == Parallel && !isSettled(Kind))
        Some.push_back(&Kind);
    if (Parallel) {
      // Models with few accesses are fast, so they are tried first: they may make shared loops
      // superfluous.
      SmallVector<const CandidateKind *> First;
      if (hasSmallModel()) {
        auto *Last = std::stable_partition(Some.begin(), Some.end(), [](const CandidateKind *Kind) {
          return Kind->Strategy == StrategyId::Contraction ||
                 Kind->Strategy == StrategyId::TimeTiles;
        });
        First.append(Some.begin(), Last);
        Some.erase(Some.begin(), Last);
      }
      addModelled(std::move(First), /*OnlyOne=*/false);
      for (const CandidateKind *Kind : Some)
        addSharedLoops(*Kind);
    } else {
      for (const CandidateKind *Kind : Some)
        addSplitLoops(*Kind);
    }
    addModelled(std::move(Some), /*OnlyOne=*/false);
    if (Parallel)
      addInnerLoops();
  }
}

/// Returns whether the region has few accesses to memory.
bool CandidateBuilder::hasSmallModel() const {
  constexpr unsigned MaxAccesses = 40; // a stencil of 27 points has fewer
  const auto AccessesMemory = [](const Instruction &I) { return isa<LoadInst, StoreInst>(I); };
  return unsigned(count_if(instructions(regionFunction(Base, *Request.region)), AccessesMemory)) <=
         MaxAccesses;
}

void CandidateBuilder::addFirstOf(StringRef Names) {
  SmallVector<const CandidateKind *> Some;
  auto AddSome = [&] {
    addModelled(std::exchange(Some, {}), /*OnlyOne=*/true);
    if (Demanded.empty())
      addInnerLoops();
  };
  for (StringRef Name : split(Names, ',')) {
    const CandidateKind *Kind = findCandidate(Name);
    if (!Kind || isOfRows(Kind->Strategy) || isSettled(*Kind) ||
        (Kind->Strategy == StrategyId::Zeros &&
         (!Request.zeros || (Kind->Parallel && Request.threads < 2))))
      continue;
    const bool IsModelled = findStrategy(Kind->Strategy);
    // This order is tried without a model first.
    if (!Some.empty() && (!IsModelled || Some.back()->Parallel != Kind->Parallel ||
                          Kind->Strategy == StrategyId::SourceOrder))
      AddSome();
    if (IsModelled && Some.empty() && Demanded.empty()) {
      addSharedLoops(*Kind);
      addSplitLoops(*Kind);
    }
    if (IsModelled)
      Some.push_back(Kind);
    else if (Demanded.empty())
      addWithoutModel(*Kind);
  }
  AddSome();
}

void CandidateBuilder::addWithoutModel(const CandidateKind &Kind) {
  double Start = Budget.elapsedMs();
  std::unique_ptr<Module> M = CloneModule(Base);
  Passes.forget();
  if (Kind.Strategy == StrategyId::Zeros) {
    const SkippedZeros Skipped = skipZeros(
        regionFunction(*M, *Request.region), Passes.functions(),
        [&](const Value &Array) { return sparseArray(Request, Array); }, Kind.Parallel);
    if (Skipped.Loops == 0)
      return discard(Kind, "zeros of no array make iterations of a loop idle");
    if (Kind.Parallel && Skipped.Shared == 0)
      return discard(Kind, "no parallel loop", SPECRT_NOTE_NOT_PARALLEL);
  }
  Passes.forget();
  Passes.optimize(*M);
  add(Kind, std::move(M), Start);
}

/// Adds the parallel candidate in the source's order without a model, if threads can share all
/// outermost loops that have enough work. LLVM compiles these loops as it would serially. Keeps the
/// module for addInnerLoops() if threads can share only loops inside.
void CandidateBuilder::addSharedLoops(const CandidateKind &Kind) {
  if (Kind.Strategy != StrategyId::SourceOrder || !Kind.Parallel || Request.threads < 2 ||
      !Chosen.isWanted(Kind) || Budget.expired())
    return;
  const double Start = Budget.elapsedMs();
  std::unique_ptr<Module> M = CloneModule(Base);
  Passes.forget();
  const SharingOutcome Of =
      shareLoops(regionFunction(*M, *Request.region), Passes.functions(),
                 Request.seconds_per_call * 1e9, Request.threads, [&] { return Budget.expired(); });
  Passes.forget();
  if (Of.Shared.Outermost == 0 || Of.Shared.Outermost < Of.NumWorthwhile) {
    note(Kind, Twine("as LLVM has the loops, threads share ") + Twine(Of.Shared.Outermost) +
                   " of " + Twine(Of.NumWorthwhile) + " with enough work" +
                   (Of.Note.empty() ? "" : "; ") + Of.Note);
    if (Of.Shared.All > 0)
      Inner = InnerLoops{&Kind, std::move(M), Of.Shared, Budget.elapsedMs() - Start};
    return;
  }
  if (!addShared(Kind, std::move(M), Of.Shared, Start))
    return;
  DependsOnData = !Of.Shared.Guards.empty() || Of.Shared.Distributed > 0;
  // The serial candidate of this order counts as built, too, unless its loops may be split: Polly's
  // code is no better than LLVM's.
  for (const CandidateKind &Each : candidateKinds())
    if (Each.Strategy == Kind.Strategy && (Each.Parallel || Of.Shared.Distributed == 0))
      Chosen.addBuilt(Each);
}

/// Adds the serial candidate in the source's order without a model, if loops can be split such that
/// LLVM can use vectors for a part of them.
void CandidateBuilder::addSplitLoops(const CandidateKind &Kind) {
  if (Kind.Strategy != StrategyId::SourceOrder || Kind.Parallel ||
      Chosen.isBuilt(Kind.Strategy, /*Parallel=*/false) || Budget.expired())
    return;
  const double Start = Budget.elapsedMs();
  std::unique_ptr<Module> M = CloneModule(Base);
  Passes.forget();
  const unsigned Count = splitForVectors(regionFunction(*M, *Request.region), Passes.functions(),
                                         [&] { return Budget.expired(); });
  if (Count == 0)
    return;
  Passes.forget();
  Passes.optimize(*M);
  if (!add(Kind, std::move(M), Start))
    return;
  note(Kind, Twine(Count) + (Count == 1 ? " loop is" : " loops are") +
                 " split, so that vectors compute what a serial loop behind uses");
  DependsOnData = true;
  Chosen.addBuilt(Kind);
}

/// Adds the candidate whose threads share loops inside others, unless a model has given a parallel
/// one in the same order.
void CandidateBuilder::addInnerLoops() {
  std::optional<InnerLoops> Of = std::exchange(Inner, std::nullopt);
  if (!Of || Chosen.isBuilt(Of->Kind->Strategy, /*Parallel=*/true))
    return;
  if (addShared(*Of->Kind, std::move(Of->M), Of->Shared, Budget.elapsedMs() - Of->Ms))
    note(*Of->Kind, "threads share " + Twine(Of->Shared.All) + " loops, also inside others");
}

/// Optimises a module in which threads share loops, and takes it as a candidate. Returns false if
/// that is not possible.
bool CandidateBuilder::addShared(const CandidateKind &Kind, std::unique_ptr<Module> M,
                                 const SharedLoops &Shared, double StartMs) {
  Passes.forget();
  Passes.optimize(*M);
  if (!add(Kind, std::move(M), StartMs))
    return false;
  if (!Shared.Guards.empty())
    note(Kind, Twine("checked before the loop: ") + Shared.Guards);
  if (Shared.Distributed > 0)
    note(Kind, Twine(Shared.Distributed) + " of " + Twine(Shared.All) +
                   " loops that threads share compute what a serial loop behind them uses");
  if (Shared.Balanced > 0)
    note(Kind, Twine("threads share ") + Twine(Shared.Balanced) + " of " + Twine(Shared.All) +
                   " loops in chunks of equal work, " + Twine(Shared.Collapsed) +
                   " of them collapsed with the loops inside");
  return true;
}

unsigned CandidateBuilder::numUnknownSizes() const {
  return static_cast<unsigned>(
      count_if(regionFunction(Base, *Request.region).args(),
               [](const Argument &A) { return A.getType()->isIntegerTy() && !A.use_empty(); }));
}

/// Removes candidates that cannot be built and, unless only one is wanted, those that are
/// superfluous beside others.
void CandidateBuilder::removePointless(SmallVector<const CandidateKind *> &Some, bool OnlyOne) {
  const unsigned UnknownSizes = numUnknownSizes();
  // Models of many accesses take more time than all else together, and are often abandoned.
  const bool AreEnough = Chosen.isBuilt(StrategyId::SourceOrder, /*Parallel=*/true) &&
                         !DependsOnData && !hasSmallModel();
  erase_if(Some, [&](const CandidateKind *Kind) {
    if (AreTooLarge) {
      discard(*Kind, "nothing to transform; dependence analysis exceeded its limit");
      return true;
    }
    if (Chosen.isPossible(*Kind, UnknownSizes))
      return !OnlyOne && (AreEnough || !Chosen.isWanted(*Kind));
    // Another run may have more threads.
    if (!Kind->Parallel || Request.threads > 1)
      setAbsent(*Kind);
    return true;
  });
}

/// Builds all candidates of \p Some that exist, or only the first. All are parallel, or none is.
void CandidateBuilder::addModelled(SmallVector<const CandidateKind *> Some, bool OnlyOne) {
  while (!OnlyOne || Demanded.empty()) {
    // Every candidate may make others superfluous.
    removePointless(Some, OnlyOne);
    if (Some.empty())
      return;
    Some.erase(Some.begin(), Some.begin() + addFirstModelled(Some));
  }
}

/// Builds the first of \p Some that exists, as far as they can share models. Returns how many were
/// tried.
unsigned CandidateBuilder::addFirstModelled(Kinds Some) {
  if (Budget.expired()) {
    for (const CandidateKind *Kind : Some)
      note(*Kind, Twine("not built, ") + Budget.reason(), SPECRT_NOTE_BUDGET);
    return unsigned(Some.size());
  }
  double Start = Budget.elapsedMs();
  std::unique_ptr<Module> M = CloneModule(Base);
  Passes.forget();
  std::string Trace;
  raw_string_ostream Stream(Trace);
  PolyhedralResult Poly =
      transform(regionFunction(*M, *Request.region), Some, Files.isOn() ? &Stream : nullptr);
  for (auto [Kind, Outcome] : zip(Some, Poly.Passed))
    passOver(*Kind, Outcome);
  const unsigned NumTried = unsigned(Poly.Passed.size()) + 1;
  const CandidateKind &Kind = *Some[NumTried - 1];
  Files.write((Twine(Kind.Name) + ".schedule.txt").str(),
              [&](raw_ostream &OS) { OS << Trace << Poly.Notes; });
  if (Poly.NumGenerated == 0)
    passOver(Kind, Poly);
  else if (Poly.IsInvalid)
    discard(Kind, "discarded, an address in rows of different length was not understood");
  else if (isUseful(Kind, Poly)) {
    Chosen.addBuilt(Kind);
    llvm::append_range(Modelled, Poly.Modelled);
    for (const std::string &Line : Poly.Orders)
      note(Kind, Line);
    for (const std::string &Line : Poly.Storage)
      note(Kind, "memory of " + Line);
    Passes.forget();
    Passes.run(*M, buildPipelineAfterPolly(Passes.builder()));
    add(Kind, std::move(M), Start);
  }
  return NumTried;
}

/// Lets the strategies of \p Some try the model of \p F in turn.
PolyhedralResult CandidateBuilder::transform(Function &F, Kinds Some, raw_ostream *Trace) {
  auto Expired = [&] { return Budget.expired(); };
  SmallVector<const SchedulePolicy *> Policies;
  for (const CandidateKind *Kind : Some)
    Policies.push_back(findStrategy(Kind->Strategy));
  PolyhedralOptions Options;
  Options.Schedule = Policies.front();
  Options.Otherwise = ArrayRef(Policies).drop_front();
  Options.Parallel = Some.front()->Parallel;
  Options.Expired = Expired;
  Options.Target = describeHost(Passes.functions().getResult<TargetIRAnalysis>(F),
                                Options.Parallel ? Request.threads : 1);
  Options.Target.ParallelWorkNs = MinParallelWorkNs;
  const auto Names = [&](const Value &Array) { return nameOfArray(*Request.region, Array); };
  Options.Names = Names;
  Options.Dump = Trace;
  PolyhedralResult Poly = optimizeScops(F, Passes.functions(), Options);
  AreTooLarge |= Poly.AreTooLarge;
  return Poly;
}

/// Records that the region has no such candidate, unless the budget was used up.
void CandidateBuilder::discard(const CandidateKind &Kind, const Twine &Why,
                               specrt_note_code About) {
  note(Kind, Why, About);
  if (!Budget.expired())
    setAbsent(Kind);
}

/// Records that the region has no such candidate, unless addInnerLoops() may still add it.
void CandidateBuilder::setAbsent(const CandidateKind &Kind) {
  if (!Inner || Inner->Kind != &Kind)
    Absent(Kind.Name);
}

/// Records that nothing was found; if that does not depend on the number of workers, also for other
/// numbers of them.
void CandidateBuilder::passOver(const CandidateKind &Kind, const PolicyOutcome &Outcome) {
  discard(Kind, "nothing to transform; " + StringRef(Outcome.Notes).split('\n').first);
  if (!Budget.expired() && !Outcome.DependsOnWorkers)
    Chosen.addHopeless(Kind.Strategy);
}

bool CandidateBuilder::isUseful(const CandidateKind &Kind, const PolyhedralResult &Poly) {
  if (const char *Why = findStrategy(Kind.Strategy)->whyUseless(Poly)) {
    discard(Kind, Why);
    return false;
  }
  if (!Kind.Parallel || Poly.NumParallel > 0)
    return true;
  if (Poly.NumTooShort > 0)
    discard(Kind, TooShortNote);
  else
    discard(Kind, "no parallel loop", SPECRT_NOTE_NOT_PARALLEL);
  return false;
}

/// Takes the module as a candidate. Returns false, with a note, if the budget ended while it was
/// optimised or its code cannot be used.
bool CandidateBuilder::add(const CandidateKind &Kind, std::unique_ptr<Module> M, double StartMs) {
  Passes.forget();
  if (Budget.expired()) {
    note(Kind, Twine("not finished, ") + Budget.reason(), SPECRT_NOTE_BUDGET);
    return false;
  }
  if (Request.fp_mode != SPECRT_FP_FINITE && containsNaN(*M)) {
    discard(Kind, "not used, an operation was folded to a NaN", SPECRT_NOTE_FOLDED_NAN);
    return false;
  }
  std::string Why;
  raw_string_ostream Stream(Why);
  if (verifyModule(*M, &Stream)) {
    discard(Kind, "discarded, its code is not valid: " + StringRef(Why).split('\n').first);
    return false;
  }
  Files.write((Twine(Kind.Name) + ".after.ll").str(),
              [&](raw_ostream &OS) { M->print(OS, nullptr); });
  Demanded.emplace_back(Kind.Name, Guards);
  if (!SerialTwin.empty())
    Demanded.emplace_back(SerialTwin, Guards);
  Ready({Kind.Name, Guards, std::move(M), Kind.Parallel, Budget.elapsedMs() - StartMs, SerialTwin});
  return true;
}

} // namespace specrt
