//===- specializer/loops/shareable_loops.cpp - chooses loops for threads to share --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/shareable_loops.h"
#include "analysis/memory/linear_form.h"
#include "specializer/loops/balanced_nest.h"
#include "specializer/loops/conditional_variables.h"
#include "specializer/loops/distribution/distributed_loop.h"
#include "specializer/loops/distribution/split_sums.h"
#include "specializer/loops/distribution/strip_mining.h"
#include "specializer/loops/independence/independent_loop.h"
#include "specializer/loops/loop_shape.h"
#include "specializer/loops/read_ahead.h"
#include "specializer/loops/shared_loop.h"
#include "specializer/polyhedral/model/carried_values.h"
#include "specializer/polyhedral/model/iteration_scopes.h"
#include "specializer/polyhedral/model/reload_scalars.h"
#include "specializer/polyhedral/schedule/parallel_work.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <algorithm>

using namespace llvm;

namespace specrt {
namespace {

/// Estimates the time that loops take from their instructions and numbers of iterations.
class LoopWork {
public:
  LoopWork(Function &F, FunctionAnalysisManager &FAM, double NsPerCall);

  /// Returns the time that one start of \p L takes, in nanoseconds.
  double startNs(const Loop &L) const {
    return (isStartedUnknownTimes(L) ? 1 : Factor) * bodyNs(L) * double(trips(L));
  }

private:
  int64_t trips(const Loop &L) const;
  bool isStartedUnknownTimes(const Loop &L) const;
  double bodyNs(const Loop &L) const;

  ScalarEvolution &SE;
  const LoopInfo &LI;
  const TargetTransformInfo &TTI;
  /// The measured time of a call / the estimated time.
  double Factor = 1;
};

/// Returns the number of iterations of \p L per start. Guesses a number that is not constant;
/// Factor corrects the sum of such errors if the time of a call is known.
int64_t LoopWork::trips(const Loop &L) const {
  constexpr int64_t Guess = 10;
  const std::optional<int64_t> Last = constantLastIteration(&L, SE);
  return Last ? *Last + 1 : Guess;
}

/// Returns whether numbers of iterations were guessed around \p L, but not in it. Factor corrects
/// these numbers then, so that it says nothing about a start of \p L.
bool LoopWork::isStartedUnknownTimes(const Loop &L) const {
  const auto IsConstant = [&](const Loop *Each) {
    return constantLastIteration(Each, SE).has_value();
  };
  bool IsGuessedAround = false;
  for (const Loop *Around = L.getParentLoop(); Around; Around = Around->getParentLoop())
    IsGuessedAround |= !IsConstant(Around);
  return IsGuessedAround && all_of(L.getLoopsInPreorder(), IsConstant);
}

double LoopWork::bodyNs(const Loop &L) const {
  double Sum = 0;
  for (const BasicBlock *BB : L.blocks())
    if (LI.getLoopFor(BB) == &L)
      Sum += iterationNs(*BB, TTI);
  for (const Loop *Inner : L)
    Sum += bodyNs(*Inner) * double(trips(*Inner));
  return Sum;
}

LoopWork::LoopWork(Function &F, FunctionAnalysisManager &FAM, double NsPerCall)
    : SE(FAM.getResult<ScalarEvolutionAnalysis>(F)), LI(FAM.getResult<LoopAnalysis>(F)),
      TTI(FAM.getResult<TargetIRAnalysis>(F)) {
  double AllNs = 0;
  for (const Loop *L : LI)
    AllNs += startNs(*L);
  if (NsPerCall > 0 && AllNs > 0)
    Factor = NsPerCall / AllNs;
}

/// Returns whether \p Threads threads execute \p L, which takes one thread \p Ns, in less time. The
/// last thread begins after the others have executed their first step, and in each step a thread
/// waits for a cache line of its neighbour.
bool doesPipelinePay(const PipelinedLoop &L, double Ns, unsigned Threads) {
  constexpr double HandOverNs = 100; // a cache line goes from one core to another
  const auto Ranges = double(std::min<int64_t>(Threads, L.SharedTrips)), Steps = double(L.Trips);
  return (Steps + Ranges - 1) * (Ns / Steps / Ranges + HandOverNs) < Ns;
}

/// Reloads values that loops carry in registers from one iteration to the next. Such a value orders
/// all iterations of a loop, even if each thread could load it. Returns whether there was any.
bool loadCarriedValues(Function &F, FunctionAnalysisManager &FAM, function_ref<bool()> Expired) {
  bool AreAny = reloadScalars(F, FAM, Expired) > 0;
  simplifyLoops(F, FAM);
  AreAny |=
      reloadCarriedValues(FAM.getResult<LoopAnalysis>(F), FAM.getResult<ScalarEvolutionAnalysis>(F),
                          FAM.getResult<AAManager>(F));
  simplifyLoops(F, FAM);
  AreAny |= reloadReadAheads(F, FAM) > 0;
  simplifyLoops(F, FAM);
  return AreAny;
}

/// Keeps variables that the worthwhile outermost loops missing in \p Known change under conditions
/// in memory. Returns whether there were any.
bool storeVariables(Function &F, FunctionAnalysisManager &FAM, const ShareableLoops &Known,
                    function_ref<bool(const Loop &)> IsWorthwhile) {
  if (Known.includeAll(IsWorthwhile))
    return false;
  unsigned Count = 0;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F))
    if (IsWorthwhile(*L) && !Known.includes(*L))
      Count += storeConditionalVariables(*L, FAM);
  if (Count > 0)
    simplifyLoops(F, FAM);
  return Count > 0;
}

using NsByHeader = SmallDenseMap<const BasicBlock *, double, 8>; ///< nanoseconds per start

/// A loop that certainly takes so long is split alone rather than with a loop around it, because
/// fewer addresses have to be apart then. Starting threads for it takes a tenth of what they gain.
constexpr double LongNs = 10 * MinParallelWorkNs;

/// Splits \p Worthwhile loops for which that is faster than sharing them as in \p Known, and
/// replaces them by their first loops. Loops inside are only tried if that is not possible. Returns
/// how many there were.
unsigned distributeLoops(Function &F, FunctionAnalysisManager &FAM, const ShareableLoops &Known,
                         unsigned Threads, NsByHeader &Worthwhile) {
  SmallVector<const BasicBlock *, 8> Headers;
  for (const Loop *L : FAM.getResult<LoopAnalysis>(F))
    Headers.push_back(L->getHeader());
  unsigned Count = 0;
  for (size_t I = 0; I < Headers.size(); ++I) {
    Loop *L = FAM.getResult<LoopAnalysis>(F).getLoopFor(Headers[I]);
    const double Ns = Worthwhile.lookup(Headers[I]);
    const bool IsKnown = Known.includes(*L);
    const double AtMost = Known.timeOf(*L, Threads);
    if (Ns == 0 || AtMost <= 1.0 / Threads)
      continue;
    SmallVector<const BasicBlock *, 8> Inside;
    for (const Loop *Each : L->getLoopsInPreorder())
      Inside.push_back(Each->getHeader());
    SmallVector<const BasicBlock *, 8> Next;
    for (const Loop *Each : *L)
      Next.push_back(Each->getHeader());
    const auto MayKeepIn = [&](const Loop &Inner) {
      return Worthwhile.lookup(Inner.getHeader()) < LongNs ||
             !constantLastIteration(&Inner, FAM.getResult<ScalarEvolutionAnalysis>(F));
    };
    const DistributedLoop Of = distributeLoop(*L, FAM, {.Threads = Threads}, AtMost, MayKeepIn);
    if (!Of.First) {
      if (!IsKnown)
        append_range(Headers, Next);
      continue;
    }
    for (const BasicBlock *Each : Inside)
      Worthwhile.erase(Each);
    Worthwhile[Of.First] = Of.Share * Ns;
    ++Count;
  }
  return Count;
}

/// Inserts an inspector in front of \p L. Returns an i1 that is true if \p AreApart is true and the
/// inspector finds that the iterations are independent; null, without a change, if no inspector is
/// possible. Sets the \p Arrays that are private then.
Value *inspect(Loop &L, Value &AreApart, FunctionAnalysisManager &FAM,
               SmallVectorImpl<WorkArray> &Arrays) {
  // The demands may differ from those at first, because earlier loops have been changed.
  const std::optional<IndependentLoop> Demands = demandsOf(L, FAM);
  if (!Demands)
    return nullptr;
  HullInspector Inspector(L, FAM, Demands->Hulls);
  if (!Demands->Hulls.isEmpty() && !Inspector.isPossible())
    return nullptr;
  Arrays = Demands->Arrays;
  Value *Met = areNoLarger(Demands->NoLarger.getArrayRef(), L, FAM);
  if (!Demands->Hulls.isEmpty()) {
    const HullInspector::Inspected Found = Inspector.build();
    for (const auto &[Of, Last] : zip_equal(Demands->Hulls.LastWrites, Found.LastWrites))
      Arrays[Of.second].LastWrite = Last;
    Met = IRBuilder<>(L.getLoopPreheader()->getTerminator()).CreateAnd(Met, Found.AreMet);
  }
  return IRBuilder<>(L.getLoopPreheader()->getTerminator()).CreateAnd(&AreApart, Met);
}

} // namespace

ShareableLoops::ShareableLoops(Function &F, FunctionAnalysisManager &FAM, bool MayTransform,
                               function_ref<bool()> Expired)
    : F(F), FAM(FAM) {
  const auto &LI = FAM.getResult<LoopAnalysis>(F);
  IndependentLoops Found = findIndependentLoops(F, FAM, MayTransform, Expired);
  SmallPtrSet<const Loop *, 4> Pipelined;
  for (const Loop *L : LI) {
    // A pipeline depends on no data.
    const auto IsThis = [&](const IndependentLoop &Of) {
      return Of.Header == L->getHeader() && Of.Hulls.Branches.empty();
    };
    if (!MayTransform || any_of(Found.All, IsThis) || (Expired && Expired()))
      continue;
    if (std::optional<PipelinedLoop> Of = pipelinedLoop(*L, FAM)) {
      Pipelined.insert(L);
      Loops.push_back({.Header = L->getHeader(), .AsPipeline = std::move(Of)});
    }
  }
  for (IndependentLoop &L : Found.All) {
    const Loop *Of = LI.getLoopFor(L.Header);
    if (!Pipelined.contains(Of->getOutermostLoop()) || Of->isOutermost())
      Loops.push_back({.Header = L.Header,
                       .AreApart = areNoLarger(L.NoLarger.getArrayRef(), *Of, FAM),
                       .IsInspected = !L.Hulls.isEmpty(),
                       .InspectorShare = L.InspectorShare,
                       .HasSums = L.HasSums,
                       .Arrays = std::move(L.Arrays),
                       .Note = std::move(L.Note)});
  }
  Note = std::move(Found.Note);
}

bool ShareableLoops::includes(const Loop &L) const {
  return any_of(Loops, [&](const Shareable &Of) { return Of.Header == L.getHeader(); });
}

double ShareableLoops::timeOf(const Loop &L, unsigned Threads) const {
  const auto *Of =
      find_if(Loops, [&](const Shareable &Each) { return Each.Header == L.getHeader(); });
  return Of == Loops.end() ? 1 : Of->InspectorShare + 1.0 / Threads;
}

bool ShareableLoops::includeAll(function_ref<bool(const Loop &)> Demanded) const {
  return all_of(FAM.getResult<LoopAnalysis>(F),
                [&](const Loop *L) { return !Demanded(*L) || includes(*L); });
}

/// Rewrites the loop \p L as \p Next says. Returns false if that is not possible.
bool ShareableLoops::rewrite(const Shareable &Next, Loop *L, const SharingThreads *Threads,
                             SharedLoops &Shared) {
  const double NsPerStart = Threads ? Threads->NsPerStart(*Next.Header) : 0;
  const auto LoopAt = [&](BasicBlock *Header) {
    return FAM.getResult<LoopAnalysis>(F).getLoopFor(Header);
  };
  if (Next.AsPipeline) {
    SmallVector<Loop *, 4> Inner;
    for (BasicBlock *Header : Next.AsPipeline->Shared)
      Inner.push_back(LoopAt(Header));
    return pipelineLoop(*L, FAM, Inner);
  }
  Value *AreApart = Next.AreApart;
  SmallVector<WorkArray, 2> Arrays = Next.Arrays;
  if (Next.IsInspected) {
    AreApart = inspect(*L, *AreApart, FAM, Arrays);
    if (!AreApart)
      return false;
    simplifyLoops(F, FAM);
    L = LoopAt(Next.Header);
  }
  if (Next.HasSums) {
    BasicBlock *const Header = splitSums(*L, FAM, *AreApart);
    simplifyLoops(F, FAM);
    if (!Header)
      return false;
    L = LoopAt(Header);
    AreApart = ConstantInt::getTrue(F.getContext());
  }
  std::optional<BalancedNest> Nest;
  if (Threads)
    Nest = balancedNest(*L, FAM, !Arrays.empty(), Threads->Count, NsPerStart);
  if (!shareLoop(*L, FAM, *AreApart, Arrays, Nest ? &*Nest : nullptr))
    return false;
  Shared.Balanced += Nest.has_value();
  Shared.Collapsed += Nest && !Nest->Cut.empty();
  return true;
}

SharedLoops ShareableLoops::share(Decision Pays, const SharingThreads *Threads) {
  SharedLoops Shared;
  SmallPtrSet<const BasicBlock *, 4> Rewritten;
  for (const Shareable &Next : Loops) {
    if (Rewritten.contains(Next.Header))
      continue;
    Loop *L = FAM.getResult<LoopAnalysis>(F).getLoopFor(Next.Header);
    if (!L || !(Next.AreApart || Next.AsPipeline) ||
        !Pays(*L, Next.AsPipeline ? &*Next.AsPipeline : nullptr))
      continue;
    const Loop *Around = L->getParentLoop();
    const bool IsOutermost = !Around || (Around->isOutermost() && isLoopOverStrips(*Around));
    if (!rewrite(Next, L, Threads, Shared))
      continue;
    Rewritten.insert(Next.Header);
    ++Shared.All;
    if (!Next.Note.empty())
      Shared.Guards += (Shared.Guards.empty() ? "" : "; ") + Next.Note;
    Shared.Outermost += IsOutermost;
    simplifyLoops(F, FAM);
  }
  return Shared;
}

SharingOutcome shareLoops(Function &F, FunctionAnalysisManager &FAM, double NsPerCall,
                          unsigned Threads, function_ref<bool()> Expired) {
  forgetIterationScopes(F, FAM);
  hoistInvariants(F, FAM);
  SharingOutcome Outcome;
  NsByHeader Worthwhile;
  {
    const LoopWork Work(F, FAM, NsPerCall);
    for (const Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
      if (const double Ns = Work.startNs(*L); Ns >= MinParallelWorkNs) {
        Worthwhile[L->getHeader()] = Ns;
        Outcome.NumWorthwhile += L->isOutermost();
      }
  }
  const auto IsWorthwhile = [&](const Loop &L) { return Worthwhile.contains(L.getHeader()); };
  std::optional<ShareableLoops> Loops;
  Loops.emplace(F, FAM, /*MayTransform=*/true, Expired);
  if (!Loops->includeAll(IsWorthwhile) && loadCarriedValues(F, FAM, Expired))
    Loops.emplace(F, FAM, /*MayTransform=*/true, Expired);
  if (storeVariables(F, FAM, *Loops, IsWorthwhile))
    Loops.emplace(F, FAM, /*MayTransform=*/true, Expired);
  const unsigned Distributed = distributeLoops(F, FAM, *Loops, Threads, Worthwhile);
  if (Distributed > 0)
    Loops.emplace(F, FAM, /*MayTransform=*/true, Expired);
  Outcome.Note = Loops->note();
  const auto NsPerStart = [&](const BasicBlock &Header) { return Worthwhile.lookup(&Header); };
  const SharingThreads Sharing = {.Count = Threads, .NsPerStart = NsPerStart};
  Outcome.Shared = Loops->share(
      [&](const Loop &L, const PipelinedLoop *Of) {
        const auto At = Worthwhile.find(L.getHeader());
        return At != Worthwhile.end() && (!Of || doesPipelinePay(*Of, At->second, Threads));
      },
      &Sharing);
  Outcome.Shared.Distributed = Distributed;
  return Outcome;
}

} // namespace specrt
