//===- specializer/polyhedral/scop_survey.cpp - counts regions that are Scops -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/scop_survey.h"
#include "specializer/polyhedral/answerable.h"
#include "specializer/polyhedral/model/detected_scops.h"
#include "specializer/polyhedral/model/polly_options.h"
#include "specializer/polyhedral/rejection_text.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace specrt {
namespace {

constexpr const char *NonAffineAccess = "non-affine access", *Alias = "alias",
                     *NonAffineBound = "non-affine bound", *NonAffineBranch = "non-affine branch",
                     *ValueInMemory = "value in memory", *RowPointers = "row pointers",
                     *IndexArray = "index array", *DataAccess = "data-dependent access",
                     *DataBound = "data-dependent bound", *DataBranch = "data-dependent branch",
                     *NonLinear = "non-linear", *VariantBase = "variant base",
                     *ManyArrays = "too many arrays", *Other = "other";

/// Causes without a constant above are Polly's, with the names of rejectionText().
constexpr ScopCause Causes[] = {
    {NonAffineAccess, "parameters become constants", true},
    {Alias, "arrays are compared", true},
    {NonAffineBound, "parameters become constants", true},
    {NonAffineBranch, "parameters become constants", true},
    {ValueInMemory, "sizes and pointers at one place become constants", true},
    {RowPointers, "rows are compared", true},
    {IndexArray, "indices are compared", true},
    {"call", "functions with unknown effects", false},
    {DataBound, "the loop decides when it ends", false},
    {"loop exits", "none, or several", false},
    {DataAccess, "computed, or not read by every call", false},
    {DataBranch, "around loops", false},
    {"data-dependent control", "undefined or unusual conditions", false},
    {NonLinear, "squares, remainders, products of what changes", false},
    {VariantBase, "pointers that the loop changes", false},
    {ManyArrays, "to compare each with each", false},
    {"unknown base", "no array behind an access", false},
    {"control flow", "not made of loops and conditions", false},
    {"element size", "several in one array", false},
    {"volatile or atomic", "accesses", false},
    {"integer to pointer", "conversions", false},
    {"stack allocation", "in a loop", false},
    {Other, "exceptions and the like", false},
};

/// One bit per cause.
using CauseSet = uint32_t;
static_assert(std::size(Causes) <= 32);

CauseSet bit(StringRef Name) {
  const auto *Found = find_if(Causes, [&](const ScopCause &C) { return Name == C.Name; });
  return Found == std::end(Causes) ? bit(Other) : CauseSet{1} << (Found - Causes);
}

CauseSet answered() {
  CauseSet All = 0;
  for (const ScopCause &Cause : Causes)
    if (Cause.Speculative)
      All |= bit(Cause.Name);
  return All;
}

/// Limit on arrays: guards compare each written array with each other one, with at most 24 guards
/// (see disjointness).
constexpr size_t MaxArrays = 7;

class Surveyor {
public:
  Surveyor(Function &F, FunctionAnalysisManager &FAM, ScopCounts &To)
      : F(F), FAM(FAM), LI(FAM.getResult<LoopAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)), DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        PDT(FAM.getResult<PostDominatorTreeAnalysis>(F)), To(To) {}

  void countAsItIs();
  void countChecked();

private:
  void visit(const DetectedScops &Found, const Region &R, bool InScop);
  void addRejected(CauseSet Why);
  bool containsLoop(const Region &R) const;

  using Context = polly::ScopDetection::DetectionContext;
  static bool isScop(const Context &C) { return !C.IsInvalid && C.RequiredILS.empty(); }
  CauseSet causesOf(const Region &R, const Context &C) const;
  CauseSet causesOf(const Region &R, polly::RejectReason &Reason) const;
  CauseSet causesOfAlias(const Region &R, const polly::ReportAlias &Reason) const;
  CauseSet causesOfBound(const Region &R, polly::ReportLoopBound &Reason) const;
  Answerable answerable(const Region &R) const { return {R, SE, LI, DT, PDT}; }

  Function &F;
  FunctionAnalysisManager &FAM;
  LoopInfo &LI;
  ScalarEvolution &SE;
  DominatorTree &DT;
  PostDominatorTree &PDT;
  ScopCounts &To;
};

/// Returns the causes that guards must resolve.
CauseSet needsOf(const Answerable &A) {
  return (A.NeedsCells ? bit(ValueInMemory) : 0) | (A.NeedsRows ? bit(RowPointers) : 0) |
         (A.NeedsIndices ? bit(IndexArray) : 0);
}

/// Returns the causes of expressions that are not affine: \p Own if they only need constants.
CauseSet causesOfExpressions(Answerable A, ArrayRef<const SCEV *> Expressions, const char *Own,
                             const char *Data) {
  for (const SCEV *S : Expressions)
    if (!S || A.formOf(S) == Answerable::Form::Neither)
      return bit(A.IsNonLinear ? NonLinear : Data);
  const CauseSet Needs = needsOf(A);
  return Needs ? Needs : bit(Own);
}

CauseSet Surveyor::causesOfAlias(const Region &R, const polly::ReportAlias &Reason) const {
  if (Reason.getPointers().size() > MaxArrays)
    return bit(ManyArrays);
  Answerable A = answerable(R);
  for (const Value *Pointer : Reason.getPointers())
    if (A.formOf(*Pointer) == Answerable::Form::Neither)
      return bit(VariantBase);
  return bit(Alias) | needsOf(A);
}

/// If LLVM does not know how often a loop runs, its condition may still compare a counter with a
/// size in memory. A guard cannot read in advance what the condition reads anew in each iteration.
CauseSet Surveyor::causesOfBound(const Region &R, polly::ReportLoopBound &Reason) const {
  Answerable A = answerable(R);
  const SCEV *Count = Reason.loopCount();
  if (!isa<SCEVCouldNotCompute>(Count))
    return causesOfExpressions(A, {Count}, NonAffineBound, DataBound);
  const Loop *L = LI.getLoopFor(Reason.getRemarkBB());
  const BasicBlock *Exiting = L ? L->getExitingBlock() : nullptr;
  const auto *Branch = Exiting ? dyn_cast<BranchInst>(Exiting->getTerminator()) : nullptr;
  const auto *Compare =
      Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  if (!Compare || !SE.isSCEVable(Compare->getOperand(0)->getType()))
    return bit(DataBound);
  const Answerable::Form Sides[] = {A.formOf(SE.getSCEV(Compare->getOperand(0))),
                                    A.formOf(SE.getSCEV(Compare->getOperand(1)))};
  const bool IsCounted = is_contained(Sides, Answerable::Form::Affine) &&
                         is_contained(Sides, Answerable::Form::Constant);
  return bit(IsCounted && A.NeedsCells && !A.NeedsIndices && !A.NeedsRows ? ValueInMemory
                                                                          : DataBound);
}

CauseSet Surveyor::causesOf(const Region &R, polly::RejectReason &Reason) const {
  using K = polly::RejectReasonKind;
  switch (Reason.getKind()) {
  case K::NonAffineAccess:
    return causesOfExpressions(answerable(R), {cast<polly::ReportNonAffineAccess>(Reason).get()},
                               NonAffineAccess, DataAccess);
  case K::NonAffBranch: {
    auto &Branch = cast<polly::ReportNonAffBranch>(Reason);
    return causesOfExpressions(answerable(R), {Branch.lhs(), Branch.rhs()}, NonAffineBranch,
                               DataBranch);
  }
  case K::LoopBound:
    return causesOfBound(R, cast<polly::ReportLoopBound>(Reason));
  case K::Alias:
    return causesOfAlias(R, cast<polly::ReportAlias>(Reason));
  case K::Unprofitable:
    return 0;
  default:
    return bit(rejectionText(Reason.getKind()).Kind);
  }
}

CauseSet Surveyor::causesOf(const Region &R, const Context &C) const {
  CauseSet All = 0;
  for (const polly::RejectReasonPtr &Reason : C.Log)
    All |= causesOf(R, *Reason);
  // Includes bases of arrays that the region reads, which detection accepts but modelling does not.
  for (const LoadInst *Load : C.RequiredILS) {
    Answerable A = answerable(R);
    All |= A.formOf(*Load) == Answerable::Form::Neither ? bit(VariantBase) : needsOf(A);
  }
  return All ? All : bit(Other);
}

bool Surveyor::containsLoop(const Region &R) const {
  return any_of(R.blocks(), [&](const BasicBlock *Block) {
    return LI.isLoopHeader(Block) && R.contains(LI.getLoopFor(Block));
  });
}

void Surveyor::addRejected(CauseSet Why) {
  ++To.Rejected;
  CauseSet SoFar = 0;
  for (const ScopCause &Cause : Causes) {
    ScopCauseCount &Count = To.Causes[static_cast<size_t>(&Cause - Causes)];
    const CauseSet One = bit(Cause.Name);
    SoFar |= One;
    Count.Affected += (Why & One) != 0;
    Count.Sole += Why == One;
    Count.Cumulative += (Why & ~SoFar) == 0;
  }
}

void Surveyor::visit(const DetectedScops &Found, const Region &R, bool InScop) {
  const Context *C = Found.Detection.getDetectionContext(&R);
  if (!C || !containsLoop(R))
    return;
  // A region that begins with the function is never a Scop, which is irrelevant for its loops.
  if (R.getEntry() != &F.getEntryBlock()) {
    if (isScop(*C)) {
      ++To.Scops;
      To.Speculative += !InScop;
      return;
    }
    const CauseSet Why = causesOf(R, *C);
    addRejected(Why);
    if (!InScop && (Why & ~answered()) == 0) {
      ++To.Speculative;
      InScop = true;
    }
  }
  for (const std::unique_ptr<Region> &Inner : R)
    visit(Found, *Inner, InScop);
}

void setDetection(PollyOptionScope &Options, bool Checks) {
  Options.set("polly-process-unprofitable", true);
  Options.set("polly-detect-track-failures", true);
  Options.set("polly-detect-keep-going", !Checks);
  Options.set("polly-use-runtime-alias-checks", Checks);
  Options.set("polly-delinearize", Checks);
}

void Surveyor::countAsItIs() {
  PollyOptionScope Options;
  setDetection(Options, /*Checks=*/false);
  DetectedScops Found(F, FAM);
  visit(Found, *Found.Regions.getTopLevelRegion(), /*InScop=*/false);
}

void Surveyor::countChecked() {
  PollyOptionScope Options;
  setDetection(Options, /*Checks=*/true);
  DetectedScops Found(F, FAM);
  for (const Region *R : Found.Detection) {
    const Context *C = Found.Detection.getDetectionContext(R);
    To.Checked += C && containsLoop(*R) && isScop(*C);
  }
}

} // namespace

ArrayRef<ScopCause> scopCauses() { return Causes; }

void surveyScops(Function &F, FunctionAnalysisManager &FAM, ScopCounts &To) {
  if (FAM.getResult<LoopAnalysis>(F).empty())
    return;
  Surveyor S(F, FAM, To);
  S.countAsItIs();
  S.countChecked();
}

} // namespace specrt
