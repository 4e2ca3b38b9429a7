//===- specializer/specialize.cpp - builds the candidates of a request ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/specialize.h"
#include "analysis/resumption.h"
#include "guards/guards.h"
#include "specializer/candidate_builder.h"
#include "specializer/exits/exit_hoisting.h"
#include "specializer/fast/fast_math.h"
#include "specializer/instrumentation/recorded_accesses.h"
#include "specializer/module/naming.h"
#include "specializer/module/optimize.h"
#include "specializer/module/region_module.h"
#include "specializer/polyhedral/model/row_marks.h"
#include "specializer/rounding/floating_point.h"
#include "specializer/rounding/library_calls.h"
#include "specializer/rounding/nan_folding.h"
#include "specializer/rounding/place_comparisons.h"
#include "specializer/sparse/loops/row_loop.h"
#include "specializer/sparse/rows.h"
#include "specializer/speculation/facts.h"
#include "specializer/speculation/speculation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace specrt {
namespace {

class Specializer {
public:
  Specializer(const specrt_jit_request &Request, TargetMachine &TM, CompileBudget &Budget,
              Dump &Files, CandidateSink Ready, AbsenceSink Absent)
      : Request(Request), Region(*Request.region), TM(TM), Budget(Budget), Files(Files),
        Ready(Ready), Absent(Absent), Context(createQuietContext()), Passes(TM, Budget) {}

  Expected<SpecializedRegion> run();

private:
  Error prepare();
  void settleRounding();
  void settlePlaces();
  Expected<LoopsWithRows> prepareRows(const CandidateKind &Kind);
  Error canonicalize();
  Expected<SpecializedRegion> runRows();
  Error selectIterations();
  void findExits();
  void dump(const Twine &File, const Module &M);
  void dumpGuards(const CandidateBuilder &Candidates);
  void dumpCauses();
  void explainIndirection(Function &F);
  void explainRows();
  void forgetGuardedRows();
  void describeLoops();
  void describeZeros();

  const specrt_jit_request &Request;
  const specrt_region &Region;
  TargetMachine &TM;
  CompileBudget &Budget;
  Dump &Files;
  CandidateSink Ready;
  AbsenceSink Absent;
  SpecializedRegion Result;
  /// Owns the types and constants of all modules.
  std::unique_ptr<LLVMContext> Context;
  /// The specialised region before any candidate's own pipeline.
  std::unique_ptr<Module> Base;
  Premises Known;
  /// Declared after the modules, because its analyses refer to them.
  Optimizer Passes;
};

Expected<SpecializedRegion> Specializer::run() {
  if (Request.num_rows > 0)
    return runRows();
  if (Error E = prepare())
    return std::move(E);
  speculate(Stage::Canonical, Base, Request, Passes, Known);
  settlePlaces();
  forgetGuardedRows();
  findExits();
  if (Budget.expired())
    return createStringError(Budget.reason());
  dump("before.ll", *Base);
  CandidateBuilder Candidates(*Base, inOrder(Known.Guards), Request, Passes, Budget, Files, Ready,
                              Absent);
  if (Request.only)
    Candidates.addFirstOf(Request.only);
  else
    Candidates.addAll();
  Passes.forget();
  Result.Told = std::move(Known.Told);
  Result.Told.add(Candidates.notes());
  removeAnswered(Result.Causes, Candidates.modelled());
  Result.NumCandidates = Candidates.numCandidates();
  dumpGuards(Candidates);
  dumpCauses();
  describeZeros();
  describeLoops();
  if (Result.NumCandidates == 0) {
    if (Budget.expired())
      return createStringError(Budget.reason());
    if (Request.only)
      return createStringError(Twine("candidate ") + Request.only + " cannot be built: " +
                               (Result.Told.empty() ? "" : Result.Told.back().Text));
  }
  return std::move(Result);
}

Error Specializer::prepare() {
  Expected<std::unique_ptr<Module>> M = loadRegion(Region, TM, *Context);
  if (!M)
    return M.takeError();
  Base = std::move(*M);
  if (Request.first_iteration)
    if (Error E = selectIterations())
      return E;
  Files.writeForRegion("original.ll", [&](raw_ostream &OS) { Base->print(OS, nullptr); });
  const std::unique_ptr<Module> Original =
      Request.fp_mode == SPECRT_FP_FAST ? CloneModule(*Base) : nullptr;
  speculate(Stage::Embedded, Base, Request, Passes, Known);
  settleRounding();
  if (Error E = canonicalize())
    return E;
  Passes.forget();
  if (Original)
    Passes.inlineAndCanonicalize(*Original);
  Passes.forget();
  // Explains the rejections in the unspecialised function, which has the loops of the source.
  if (!Budget.expired())
    Result.Causes =
        explainRejections(regionFunction(Original ? *Original : *Base, Region), Passes.functions(),
                          [&](const Value &Array) { return nameOfArray(Region, Array); });
  if (Original)
    Passes.forget();
  if (!Budget.expired())
    explainIndirection(regionFunction(*Base, Region));
  Passes.forget();
  return Error::success();
}

/// Applies the rewrites of the fast mode before versions can differ. Speculations on the embedded
/// code come first: they read fast-math flags, which the rewrites change, and they do not depend on
/// the request.
void Specializer::settleRounding() {
  if (Request.fp_mode == SPECRT_FP_FAST)
    applyFastMath(regionFunction(*Base, Region), Passes);
}

/// Replaces the comparisons of places that settleRounding() has inserted by their results, where
/// guards imply these, or by code.
void Specializer::settlePlaces() {
  if (expandComparisons(*Base) == 0)
    return;
  Passes.forget();
  Passes.simplify(*Base);
  Passes.forget();
}

/// Binds library calls, and brings the code into canonical form such that later passes keep its
/// results bit for bit, as far as the request's floating-point mode demands.
Error Specializer::canonicalize() {
  if (Error E = bindLibraryCalls(*Base, Region))
    return E;
  const bool KeepsNaNs = Request.fp_mode != SPECRT_FP_FINITE;
  if (KeepsNaNs) {
    hideNaNs(*Base);
    fenceSignsOfNaNs(*Base);
  }
  applyFloatingPointMode(*Base, Request.fp_mode);
  Passes.inlineAndCanonicalize(*Base);
  if (KeepsNaNs)
    fenceSignsOfNaNs(*Base);
  return Error::success();
}

/// Loads the region anew and adds the code for rows that \p Kind uses. Does so before other passes
/// change the code, because traces refer to the original bitcode.
Expected<LoopsWithRows> Specializer::prepareRows(const CandidateKind &Kind) {
  Expected<std::unique_ptr<Module>> M = loadRegion(Region, TM, *Context);
  if (!M)
    return M.takeError();
  Base = std::move(*M);
  Known = {};
  speculate(Stage::Embedded, Base, Request, Passes, Known);
  settleRounding();
  const ArrayRef Rows(Request.rows, Request.num_rows);
  Function &F = regionFunction(*Base, Region);
  const RowsCode Code = Kind.Strategy == StrategyId::UnrolledRows ? RowsCode::Unrolled
                        : Kind.Parallel                           ? RowsCode::Parallel
                                                                  : RowsCode::Serial;
  const LoopsWithRows Added = addRows(F, Passes.functions(), Rows, Code);
  Passes.forget();
  if (Added.All == 0)
    return Added;
  if (Error E = canonicalize())
    return E;
  Passes.forget();
  const Speculation *const Facts[] = {&argumentFacts()};
  speculate(Base, Request, Passes, Known, Facts);
  settlePlaces();
  return Added;
}

Expected<SpecializedRegion> Specializer::runRows() {
  SmallVector<const CandidateKind *> Wanted;
  if (Request.only) {
    for (StringRef Name : split(Request.only, ','))
      Wanted.push_back(findCandidate(Name));
  } else {
    for (const CandidateKind &Kind : candidateKinds())
      Wanted.push_back(&Kind);
  }
  const bool AreFew = any_of(ArrayRef(Request.rows, Request.num_rows),
                             [](const specrt_rows_fact &Of) { return Of.traces.num_rows > 0; });
  erase_if(Wanted, [&](const CandidateKind *Each) {
    return !Each || !isOfRows(Each->Strategy) || (Each->Parallel && Request.threads < 2) ||
           (Each->Strategy == StrategyId::UnrolledRows && !AreFew);
  });
  // Parallel candidates come first, because their code also serves the serial candidates.
  if (!Request.only)
    llvm::sort(Wanted, [](const CandidateKind *A, const CandidateKind *B) {
      return A->Parallel != B->Parallel ? A->Parallel : A < B;
    });
  while (!Wanted.empty()) {
    const CandidateKind &Kind = *Wanted.front();
    Wanted.erase(Wanted.begin());
    if (Budget.expired())
      break;
    Expected<LoopsWithRows> Loops = prepareRows(Kind);
    if (!Loops)
      return Loops.takeError();
    if (Loops->All == 0) {
      if (Kind.Strategy != StrategyId::UnrolledRows)
        Result.Told.add(SPECRT_NOTE_PLAIN,
                        (Twine(Kind.Name) + ": no loop over rows that are alike").str());
      Absent(Kind.Name);
      continue;
    }
    CandidateBuilder Candidates(*Base, inOrder(Known.Guards), Request, Passes, Budget, Files, Ready,
                                Absent);
    if (Candidates.isSettled(Kind))
      continue;
    const auto *Twin = find_if(Wanted, [&](const CandidateKind *Other) {
      return Kind.Parallel && !Request.only && Loops->ForOneThread != 0 && !Other->Parallel &&
             Other->Strategy == Kind.Strategy && !Candidates.isSettled(*Other);
    });
    if (Twin != Wanted.end()) {
      Candidates.setSerialTwin(**Twin);
      Wanted.erase(Twin);
    }
    dump((Twine(Kind.Name) + ".before.ll"), *Base);
    Candidates.addAlone(Kind);
    Result.NumCandidates += Candidates.numCandidates();
    Result.Told.add(Known.Told);
    Result.Told.add(Candidates.notes());
    Passes.forget();
    if (Request.only && Result.NumCandidates > 0)
      break;
  }
  if (Result.NumCandidates == 0 && Budget.expired())
    return createStringError(Budget.reason());
  if (Result.NumCandidates == 0 && Request.only)
    return createStringError(Twine("candidate ") + Request.only + " cannot be built for rows");
  return std::move(Result);
}

/// Adds a cause for indirect accesses. Polly does not report it, because it examines the accesses
/// and not the loads that they depend on.
void Specializer::explainIndirection(Function &F) {
  FunctionAnalysisManager &FAM = Passes.functions();
  const LoadInst *Load =
      findIndirection(F, FAM.getResult<LoopAnalysis>(F), FAM.getResult<ScalarEvolutionAnalysis>(F));
  if (!Load)
    return;
  RejectionCause Cause;
  Cause.Kind = SPECRT_CAUSE_INDIRECTION;
  const std::string From = nameOfArray(Region, *getUnderlyingObject(Load->getPointerOperand()));
  Cause.Message = Load->getType()->isPointerTy()
                      ? "row pointers are read in the loop"
                      : "indices, bounds or conditions are read in the loop";
  if (!From.empty())
    Cause.Message += ", from " + From;
  Cause.Speculative = true;
  if (const DILocation *Where = Load->getDebugLoc()) {
    Cause.File = Where->getFilename().str();
    Cause.Line = Where->getLine();
  }
  Result.Causes.push_back(std::move(Cause));
  explainRows();
}

/// Records why some loops are not recognised as loops over rows of sparse data.
void Specializer::explainRows() {
  const std::unique_ptr<Module> Copy = CloneModule(*Base);
  FunctionAnalysisManager &FAM = Passes.functions();
  std::vector<RowObstacle> Obstacles;
  findRowLoops(regionFunction(*Copy, Region), FAM, RowSums::MayBeCarried, &Obstacles);
  for (const RowObstacle &Each : Obstacles)
    Known.Told.add(Each.About, Each.Text);
  FAM.clear();
}

/// Removes the causes for indirect accesses if guards check all rows that accesses depend on: then
/// no further call needs to be observed for them.
void Specializer::forgetGuardedRows() {
  auto IsIndirection = [](const RejectionCause &Cause) {
    return Cause.Kind == StringRef(SPECRT_CAUSE_INDIRECTION);
  };
  if (none_of(Result.Causes, IsIndirection))
    return;
  Function &F = regionFunction(*Base, Region);
  FunctionAnalysisManager &FAM = Passes.functions();
  const bool HasRows = any_of(instructions(F), [](const Instruction &I) {
    const auto *Load = dyn_cast<LoadInst>(&I);
    return Load && rowMarkOf(*Load);
  });
  if (HasRows && !findIndirection(F, FAM.getResult<LoopAnalysis>(F),
                                  FAM.getResult<ScalarEvolutionAnalysis>(F)))
    llvm::erase_if(Result.Causes, IsIndirection);
  Passes.forget();
}

/// Describes the nest if requested. Runs after all candidates exist, because nothing waits for the
/// description.
void Specializer::describeLoops() {
  if (!Request.wants_nest || Request.first_iteration || Budget.expired())
    return;
  Passes.forget();
  Result.Loops = describeNest(regionFunction(*Base, Region), Passes.functions(),
                              [&] { return Budget.expired(); });
  Passes.forget();
}

/// Describes the use of zeros (nest/sparsity_report.h) if requested. Runs after all candidates
/// exist, too.
void Specializer::describeZeros() {
  if (!Request.wants_zeros || !Request.zeros || Request.first_iteration || Budget.expired())
    return;
  Passes.forget();
  const std::unique_ptr<Module> Copy = CloneModule(*Base);
  Result.Zeros = reportSparsity(Request, regionFunction(*Copy, Region), Passes.functions());
  Passes.forget();
}

/// Hoists exits that data decide. Runs after guards have established which arrays are disjoint,
/// because the data that decide may be in one of them.
void Specializer::findExits() {
  Passes.forget();
  const bool Found = hoistExits(regionFunction(*Base, Region), Passes.functions(), Known.Told) > 0;
  Passes.forget();
  if (Found)
    Passes.simplify(*Base);
  Passes.forget();
}

/// Reduces the function to the requested iterations of a running call. Does so before other passes
/// change the code, because iterations are counted in the original bitcode.
Error Specializer::selectIterations() {
  Function &F = regionFunction(*Base, Region);
  FunctionAnalysisManager &FAM = Passes.functions();
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  Loop *L = findResumableLoop(F, FAM.getResult<LoopAnalysis>(F), SE);
  if (!L)
    return createStringError("its outermost loop cannot begin in the middle");
  const uint64_t First = Request.first_iteration, End = Request.end_iteration;
  if (End != 0 && (End <= First || !canLimitIterations(*L, SE)))
    return createStringError("its outermost loop cannot end in the middle");
  resumeAt(*L, SE, First, End);
  Passes.forget();
  return Error::success();
}

void Specializer::dump(const Twine &File, const Module &M) {
  Files.write(File.str(), [&](raw_ostream &OS) { M.print(OS, nullptr); });
}

void Specializer::dumpGuards(const CandidateBuilder &Candidates) {
  const auto Demanded = Candidates.demanded();
  Files.write("guards.txt", [&](raw_ostream &OS) {
    bool AllTheSame =
        all_of(Demanded, [&](const auto &One) { return One.second == Demanded.front().second; });
    for (const auto &[Name, Guards] : Demanded.take_front(AllTheSame ? 1 : -1)) {
      if (!AllTheSame)
        OS << Name << ":\n";
      for (const specrt_guard &Guard : Guards)
        OS << describe(Guard, Region) << "\n";
    }
  });
}

void Specializer::dumpCauses() {
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
                                       CompileBudget &Budget, Dump &Files, CandidateSink Ready,
                                       AbsenceSink Absent) {
  return Specializer(Request, TM, Budget, Files, Ready, Absent).run();
}

} // namespace specrt
