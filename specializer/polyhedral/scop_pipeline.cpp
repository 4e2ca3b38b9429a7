//===- specializer/polyhedral/scop_pipeline.cpp - brings one Scop to its syntax tree -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/scop_pipeline.h"
#include "polly/DeLICM.h"
#include "polly/ForwardOpTree.h"
#include "polly/ScopInfo.h"
#include "polly/Simplify.h"
#include "polly/Support/GICHelper.h"
#include "specializer/polyhedral/model/access_alignment.h"
#include "specializer/polyhedral/model/unordered_calls.h"
#include "specializer/polyhedral/schedule/legality.h"
#include "specializer/polyhedral/schedule/loop_shifts.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "isl/ctx.h"
#include "isl/options.h"
#include "isl/printer.h"
#include "isl/schedule.h"
#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

using namespace llvm;

namespace specrt {

/// Limit on isl operations for the syntax tree: a second of work, far more than a nest with
/// constant sizes needs. Beyond it isl returns null and the Scop keeps its code.
static constexpr unsigned long MaxAstOperations = 4'000'000;

/// Returns the range of \p Parameter in all calls; the full range if it does not depend on
/// arguments alone.
static ConstantRange rangeOfCalls(const SCEV *Parameter, ScalarEvolution &SE) {
  const bool IsOfArguments = !SCEVExprContains(Parameter, [](const SCEV *Part) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    return isa<SCEVAddRecExpr>(Part) || (Unknown && !isa<Argument>(Unknown->getValue()));
  });
  return IsOfArguments ? SE.getSignedRange(Parameter)
                       : ConstantRange::getFull(SE.getTypeSizeInBits(Parameter->getType()));
}

/// Restricts the Scop to the parameters of possible calls, such as nonnegative counters of loops
/// around it: with negative ones, rows would overlap. Polly's context of defined behaviour contains
/// more, but only under the run-time conditions of the Scop.
static void assumeRangesOfParameters(polly::Scop &S) {
  isl::set Ranges = isl::set::universe(S.getFullParamSpace());
  bool Found = false;
  for (const SCEV *Parameter : S.parameters()) {
    const ConstantRange Range = rangeOfCalls(Parameter, *S.getSE());
    const isl::id Id = S.getIdForParam(Parameter);
    const int Dim = isl_set_find_dim_by_id(Ranges.get(), isl_dim_param, Id.get());
    if (Range.isFullSet() || Range.isEmptySet() || Range.getBitWidth() > 64 || Dim < 0)
      continue;
    Found = true;
    isl_val *Least = isl_val_int_from_si(S.getIslCtx().get(), Range.getSignedMin().getSExtValue());
    isl_val *Most = isl_val_int_from_si(S.getIslCtx().get(), Range.getSignedMax().getSExtValue());
    isl_set *Set = isl_set_lower_bound_val(Ranges.release(), isl_dim_param, unsigned(Dim), Least);
    Ranges = isl::manage(isl_set_upper_bound_val(Set, isl_dim_param, unsigned(Dim), Most));
  }
  if (!Found || Ranges.is_null())
    return;
  S.setContext(S.getContext().intersect(Ranges));
  for (polly::ScopStmt &Stmt : S)
    Stmt.restrictDomain(Stmt.getDomain().intersect_params(Ranges));
}

ScopPipeline::ScopPipeline(polly::Scop &S, const PolyhedralOptions &Options,
                           TargetTransformInfo &TTI)
    : S(S), Options(Options), Model(S, TTI, Options.Target, Options.MaxTilingOperations),
      Expanded(S), Private(S), Transient(S) {
  Model.Names = Options.Names;
  isl_options_set_on_error(ctx(), ISL_ON_ERROR_CONTINUE);
  assumeRangesOfParameters(S);
  if (Options.Dump)
    printModel(*Options.Dump, "Static control part");
}

isl_ctx *ScopPipeline::ctx() const { return S.getIslCtx().get(); }

std::unique_ptr<polly::IslAstInfo> ScopPipeline::run(const SchedulePolicy &Policy) {
  Note.clear();
  Chosen = {};
  if (!mayFit(Policy) || !model(Policy.expandsStorage(Options.Parallel)) ||
      !(rescheduleCompactly(Policy) ||
        (Model.HasDependences && rescheduleWithPrivateArrays(Policy))))
    return nullptr;
  if (Compact.empty() && Options.CompactsStorage)
    compactExpanded();
  IsSpent = true;
  if (Options.Dump)
    printSchedule(*Options.Dump, "Chosen schedule");
  std::unique_ptr<polly::IslAstInfo> Ast;
  {
    polly::IslMaxOperationsGuard Limit(ctx(), MaxAstOperations);
    Ast = generateAst();
  }
  // Here exceeding the quota is an error: the tree or the run-time condition may be incomplete.
  bool Complete = isl_ctx_last_error(ctx()) == isl_error_none;
  Private.restore();
  if (stopped("syntax tree generation"))
    return nullptr;
  if (!Complete || !Ast || Ast->getAst().is_null())
    return fail("no syntax tree was generated");
  if (Options.Dump)
    Ast->print(*Options.Dump);
  if (!Chosen.Conflicts.is_null())
    dropPromises(Model.relaxed()->Updates);
  return Ast;
}

bool ScopPipeline::mayFit(const SchedulePolicy &Policy) { return Policy.mayFit(Model, Note); }

/// Simplifies the statements and computes their dependences, once. Returns false, with a note, if a
/// limit was exceeded.
bool ScopPipeline::model(bool Expand) {
  if (!std::exchange(IsModelled, true)) {
    Model.HasDependences = computeModel(Expand);
    ModelFailure = Note;
  }
  return Model.HasDependences || fail(ModelFailure);
}

bool ScopPipeline::computeModel(bool Expand) {
  CanMoveValues = isNaturallyAligned(S);
  polly::runSimplify(S, 0);
  if (stopped("simplification"))
    return false;
  if (CanMoveValues && storesScalars()) {
    polly::runForwardOpTree(S);
    polly::runDeLICM(S);
    polly::runSimplify(S, 1);
    if (stopped("scalar removal"))
      return false;
  }
  if (!keepsUnorderedCalls(S))
    return fail("a call that may set errno has a result that nothing needs");
  IsExpanded = Expand;
  if (IsExpanded && CanMoveValues)
    Expanded.expand(Options.MaxTilingOperations);
  if (Options.Dump)
    printModel(*Options.Dump, "Without scalars: static control part");
  IsTooLarge = !Model.dependences().hasValidDependences();
  return !stopped("dependence analysis") &&
         (!IsTooLarge || fail("dependence analysis exceeded its limit"));
}

/// Recomputes the dependences. Returns false if a limit was exceeded.
bool ScopPipeline::refreshDependences() {
  Model.forgetDependences();
  const polly::Dependences &D = Model.dependences();
  return !stopped("dependence analysis") &&
         (D.hasValidDependences() || fail("dependence analysis exceeded its limit"));
}

/// Returns "7.9 MB" for 7912345 bytes.
static std::string inUnits(int64_t Bytes) {
  constexpr std::array Units = {"bytes", "KB", "MB", "GB", "TB"};
  auto Amount = double(Bytes);
  size_t Unit = 0;
  for (; Amount >= 1000 && Unit + 1 < Units.size(); ++Unit)
    Amount /= 1000;
  std::string Text;
  raw_string_ostream(Text) << format(Unit ? "%.1f " : "%.0f ", Amount) << Units[Unit];
  return Text;
}

void ScopPipeline::noteCompact(const polly::ScopArrayInfo &Of, int64_t Before,
                               CompactArray &&Made) {
  std::string Name = Of.getName();
  if (Options.Names)
    Name = Of.isArrayKind() ? Options.Names(*Of.getBasePtr()) : "a value per iteration";
  std::string Line = Name + ": " + inUnits(Before) + " -> " + inUnits(Made.Bytes);
  if (!Made.Vectors.empty())
    Line += Made.Vectors.size() > 1 ? ", occupancy vectors" : ", occupancy vector";
  for (const IterationVector &Vector : Made.Vectors) {
    Line += " [";
    for (const int64_t X : Vector)
      Line += (Line.back() == '[' ? "" : ",") + std::to_string(X);
    Line += "]";
  }
  SavedBytes += Before - Made.Bytes;
  Note += (Note.empty() ? "" : ", ") + Line;
  Storage.push_back(std::move(Line));
  Compact.push_back(std::move(Made));
}

/// Returns whether a kernel uses the array, whose mark holds the addresses of its operands.
bool ScopPipeline::isOfKernel(const polly::ScopArrayInfo &Array) const {
  return any_of(Chosen.Kernels, [&](const polly::ScopStmt *Stmt) {
    return any_of(*Stmt, [&](const polly::MemoryAccess *Access) {
      return Access->getLatestScopArrayInfo() == &Array;
    });
  });
}

/// Allocates transient arrays for the chosen schedule.
bool ScopPipeline::compactTransientArrays() {
  const isl::union_map Orders = allOrders(Model.dependences());
  int64_t Budget = MaxExpandedBytes;
  for (const TransientArray &Each : Transient.all()) {
    if (stopped("compaction"))
      return false;
    if (isOfKernel(*Each.Expanded))
      return fail("a kernel uses " + Each.Array->getName());
    auto Made = compactArray(S, *Each.Expanded, Orders, Options.Parallel,
                             std::min(Budget, Each.UsedBytes / 2), Options.MaxTilingOperations);
    if (!Made)
      return fail(Each.Array->getName() + " needs its memory");
    Budget -= Made->Bytes;
    noteCompact(*Each.Array, Each.UsedBytes, std::move(*Made));
  }
  return true;
}

int64_t ScopPipeline::expandedBytes() const {
  int64_t Bytes = 0;
  for (const TransientArray &Each : Transient.all())
    Bytes += Each.UsedBytes;
  for (const ExpandedArray &Each : Expanded.all())
    Bytes += Each.Bytes;
  return Bytes;
}

/// Joins places of expanded scalars that exceed the first cache. Returns false if all expanded
/// arrays together exceed MaxExpandedBytes, or if the compile budget is used up.
bool ScopPipeline::compactExpanded() {
  const isl::union_map Orders =
      Chosen.Conflicts.is_null() ? allOrders(Model.dependences()) : Chosen.Conflicts;
  int64_t Budget = MaxExpandedBytes;
  for (const CompactArray &Each : Compact)
    Budget -= Each.Bytes;
  for (const ExpandedArray &Each : Expanded.all()) {
    if (stopped("compaction"))
      return false;
    int64_t Bytes = Each.Bytes;
    if (Each.IsScalar && Each.Bytes > Options.Target.L1Bytes && !isOfKernel(*Each.Array)) {
      auto Made = compactArray(S, *Each.Array, Orders, Options.Parallel,
                               std::min(Budget, Each.Bytes / 2), Options.MaxTilingOperations);
      if (Made) {
        Bytes = Made->Bytes;
        noteCompact(*Each.Of, Each.Bytes, std::move(*Made));
      }
    }
    Budget -= Bytes;
  }
  return Budget >= 0;
}

/// Applies a schedule policy with additional places that share memory afterwards. Returns false,
/// with the Scop unchanged, if there are none or the schedule does not permit that.
bool ScopPipeline::rescheduleCompactly(const SchedulePolicy &Policy) {
  if (!IsExpanded || !CanMoveValues || !Policy.mayCompactStorage() || !Options.CompactsStorage)
    return false;
  Transient.expand(Options.Target.L1Bytes, Policy.interleavesNests(), Options.MaxTilingOperations);
  const bool IsWide = Expanded.widen(Options.MaxTilingOperations);
  if (Transient.isEmpty() && !IsWide)
    return false;
  if (refreshDependences() && reschedule(Policy) && Chosen.Conflicts.is_null() &&
      compactTransientArrays() && compactExpanded())
    return true;
  if (Options.Dump)
    *Options.Dump << "\nNot compact: " << Note << "\n";
  Transient.restore();
  Expanded.narrow(Options.MaxTilingOperations);
  Compact.clear();
  Storage.clear();
  SavedBytes = 0;
  Note.clear();
  Model.HasDependences = refreshDependences();
  ModelFailure = Note;
  return false;
}

/// Makes arrays private if that lets a loop run in parallel. Returns false if there are none.
bool ScopPipeline::makePrivate() {
  Private.find(Options.MaxTilingOperations);
  if (Private.isEmpty())
    return false;
  Model.forgetDependences();
  const polly::Dependences &D = Model.dependences();
  using Of = polly::Dependences;
  return !stopped("dependence analysis") && D.hasValidDependences() &&
         Private.freeSomeLoop(D.getDependences(Of::TYPE_RAW | Of::TYPE_WAR | Of::TYPE_WAW));
}

/// Applies a schedule policy with private arrays, or without them if they do not help.
bool ScopPipeline::rescheduleWithPrivateArrays(const SchedulePolicy &Policy) {
  if (!IsExpanded || !Policy.mayKeepOutermostLoops(Options.Parallel))
    return reschedule(Policy);
  const isl::schedule Source = S.getScheduleTree();
  // Kernels hold addresses of operands, which have an additional dimension in the model then.
  if (makePrivate() && reschedule(Policy) && Chosen.Kernels.empty() && Private.fit(S.getSchedule()))
    return true;
  if (Private.isEmpty())
    return reschedule(Policy);
  Private.drop();
  S.setScheduleTree(Source);
  return refreshDependences() && reschedule(Policy);
}

/// Returns the values that \p Stmt reads from other statements outside of arrays.
static SmallPtrSet<const Value *, 8> scalarsPassedTo(polly::ScopStmt &Stmt) {
  SmallPtrSet<const Value *, 8> Passed;
  for (const polly::MemoryAccess *Access : Stmt)
    if (Access->isLatestScalarKind() && Access->isRead() &&
        (Access->isLatestAnyPHIKind() ||
         Stmt.getParent()->getValueDef(Access->getLatestScopArrayInfo())))
      Passed.insert(Access->getAccessValue());
  return Passed;
}

/// Returns whether \p Result is computed from one of \p Sources.
static bool isComputedFrom(const Value *Result, const SmallPtrSetImpl<const Value *> &Sources) {
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 8> Left = {Result};
  while (!Left.empty()) {
    const Value *Next = Left.pop_back_val();
    if (Sources.contains(Next))
      return true;
    const auto *I = dyn_cast<Instruction>(Next);
    if (I && !isa<PHINode>(I) && Seen.insert(I).second)
      llvm::append_range(Left, I->operands());
  }
  return false;
}

/// Returns whether statements write values to arrays that depend on scalars from other statements.
/// Such scalars may be passed through the arrays. Others, such as a sum that the whole nest
/// carries, cannot, and finding that out takes several times as long as all dependences.
bool ScopPipeline::storesScalars() const {
  return llvm::any_of(S, [](polly::ScopStmt &Stmt) {
    const SmallPtrSet<const Value *, 8> Passed = scalarsPassedTo(Stmt);
    return !Passed.empty() && llvm::any_of(Stmt, [&](const polly::MemoryAccess *Access) {
      return Access->isLatestArrayKind() && Access->isWrite() &&
             (!Access->getAccessValue() || isComputedFrom(Access->getAccessValue(), Passed));
    });
  });
}

/// Applies a schedule policy. Returns false, with a note, if the Scop should keep its code.
bool ScopPipeline::reschedule(const SchedulePolicy &Policy) {
  isl::schedule Old = S.getScheduleTree();
  Chosen = Policy.schedule(Model);
  if (Chosen.IsSource)
    return true;
  Note = Chosen.Note;
  if (stopped("scheduling") || Chosen.Schedule.is_null())
    return false;
  if (isl_schedule_plain_is_equal(Chosen.Schedule.get(), Old.get()) == isl_bool_true)
    return fail("the schedule is that of the source");
  S.setScheduleTree(Chosen.Schedule);
  S.markAsOptimized();
  return true;
}

/// Returns null if isl gave up before.
std::unique_ptr<polly::IslAstInfo> ScopPipeline::generateAst() {
  isl::schedule Wanted = S.getScheduleTree();
  isl::schedule Unshifted = forbidShifts(Wanted);
  if (Unshifted.is_null())
    return nullptr;
  S.setScheduleTree(Unshifted);
  std::unique_ptr<polly::IslAstInfo> Ast = polly::runIslAstGen(S, Model.Dependences);
  S.setScheduleTree(Wanted);
  return Ast;
}

ScopPipeline::Failure ScopPipeline::fail(StringRef Why) {
  Note = Why.str();
  return {};
}

/// Returns true, with a note, if the budget is used up or isl reported an error in the last phase.
bool ScopPipeline::stopped(StringRef Phase) {
  if (Options.isExpired()) {
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

void ScopPipeline::printModel(raw_ostream &OS, StringRef Title) {
  OS << Title << " " << S.getNameStr() << ":\n";
  S.print(OS, /*PrintInstructions=*/true);
  printSchedule(OS, "Original schedule");
}

void ScopPipeline::printSchedule(raw_ostream &OS, StringRef Title) {
  isl_printer *Printer = isl_printer_to_str(ctx());
  Printer = isl_printer_set_yaml_style(Printer, ISL_YAML_STYLE_BLOCK);
  Printer = isl_printer_print_schedule(Printer, S.getScheduleTree().get());
  char *Text = isl_printer_get_str(Printer);
  isl_printer_free(Printer);
  OS << "\n" << Title << " of " << S.getNameStr() << ":\n" << (Text ? Text : "?") << "\n";
  std::free(Text);
}

} // namespace specrt
