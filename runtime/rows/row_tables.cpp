//===- runtime/rows/row_tables.cpp - finds and makes tables of rows -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/row_tables.h"
#include "profiler/streams/rows_of_loop.h"
#include "runtime/base/clock.h"
#include "runtime/base/deferred.h"
#include "runtime/base/reasons.h"
#include "runtime/rows/data_caches.h"
#include "runtime/rows/plan_store.h"
#include "runtime/rows/row_table.h"
#include "runtime/rows/shared_walks.h"
#include "runtime/rows/sparse_loop_state.h"
#include "support/quiet_time.h"
#include "support/uncancelled.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace specrt {
namespace {

/// The approximate limit of the time to read a table from its file, as a share of the time of its
/// inspection.
constexpr double RecallingShare = 1.0 / 8;
/// Data that change more often in this run do so in other runs, too.
constexpr uint64_t MaxSteadyChanges = 2;

/// The options of an inspection.
struct WalkOptions {
  double MaxNs = 0;
  WatchCopies Copies = WatchCopies::OfAll;
  bool AreSteady = true; ///< true if other runs may meet the same data
};

InspectedRows walk(const specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows,
                   const WalkOptions &How) {
  try {
    const PlanStore *Plans = How.AreSteady ? planStore().load() : nullptr;
    InspectedRows Found = takeOver(Loop, Inputs, Rows);
    if (!Found.Table && Plans)
      Found = Plans->Recall(Loop, Inputs, Rows, How.Copies);
    if (!Found.Table)
      Found = inspectRows(Loop, Inputs, Rows, How.MaxNs, How.Copies);
    share(Loop, Found);
    Found.IsPersistent = Plans && Plans->Store(Loop, Found);
    Found.Walk.reset();
    return Found;
  } catch (const std::bad_alloc &) {
    return {.Problem = words(Reason::NoMemoryForRows)};
  }
}

/// Allows a plan for two fused loops, of which this one has a table now, if its data do not stay in
/// caches.
void offerToFuse(const specrt_sparse_loop &Loop, const RowTable &T, uint64_t Rows) {
  if (!Loop.fused || !T.IsWorthIt || dataBytes(Loop, T) <= cachedBytes())
    return;
  // This is the number for either loop; usually both have as many rows.
  const uint64_t Least = __atomic_load_n(&Loop.fused->least_rows, __ATOMIC_RELAXED);
  __atomic_store_n(&Loop.fused->least_rows, std::min(Least, Rows), __ATOMIC_RELAXED);
}

/// Inspects the rows of this call, or takes over a table from another loop or run. \p Known, unless
/// null, is a table that does not describe them any more. Returns a table with a user added, or
/// null. Memory is allocated here, so signals must not interrupt it; throws std::bad_alloc without
/// effect.
RowTable *inspect(SparseLoopState &S, const specrt_sparse_loop &Loop, const uint64_t *Inputs,
                  uint64_t Rows, const RowTable *Known) {
  WalkOptions How;
  {
    const Hold Guard(S, LostLockNs);
    if (!Guard || S.IsInspecting)
      return nullptr;
    How.MaxNs = S.mostNs();
    S.Tables.reserve(MaxRowTables + 1);
    S.Old.reserve(S.Old.size() + 2);
    S.IsInspecting = true;
    if (Known) {
      ++S.Seen.Changes;
      S.drop(Known);
    }
    // Memory that was written once may be written repeatedly with the same values.
    if (S.Seen.Changes == 0)
      How.Copies = WatchCopies::OfSmall;
    How.AreSteady = S.Seen.Changes <= MaxSteadyChanges;
  }
  const uint64_t Begin = ticks(), BeginNs = processorNs();
  InspectedRows Result = walk(Loop, Inputs, Rows, How);
  const uint64_t End = ticks();
  const auto Ns = static_cast<double>(processorNs() - BeginNs);
  setupTicks() += End - std::min(Begin, End);
  const Hold Guard(S, LostLockNs);
  if (!Guard)
    return nullptr;
  S.IsInspecting = false;
  S.Seen.add(Result, Ns * 1e-6);
  S.pay(Ns, Result, Rows);
  isDeferred() |= S.isPaid() && Result.ExpectedNs > 0;
  S.Seen.Problem = Result.Problem;
  if (!Result.Table)
    return nullptr;
  S.Seen.Rows = Rows;
  S.Seen.RowsInClasses = Result.Table->RowsInClasses;
  S.Seen.Segments = Result.Table->num_segments;
  S.Seen.Levels = Result.Table->Levels;
  S.Seen.MergedLevels = Result.Table->MergedLevels;
  S.Seen.RowsInLanes = Result.Table->RowsInLanes;
  S.Seen.RowsInBlocks = Result.Table->RowsInBlocks;
  S.Seen.RowsUnrolled = Result.Table->RowsUnrolled;
  S.Tables.insert(S.Tables.begin(), std::move(Result.Table));
  if (S.Tables.size() > MaxRowTables)
    S.drop(S.Tables.back().get());
  S.freeOld();
  offerToFuse(Loop, *S.Tables.front(), Rows);
  S.Tables.front()->Users.fetch_add(1);
  return S.Tables.front().get();
}

/// Returns an existing table with a user added; null if there is none. Sets \p Changed to a table
/// that does not describe the call any more. Allocates nothing.
RowTable *findTable(SparseLoopState &S, const specrt_sparse_loop &Loop, const uint64_t *Inputs,
                    uint64_t Rows, const RowTable *&Changed, bool &MayInspect) {
  RowTable *Known = nullptr;
  {
    const Hold Guard(S);
    if (!Guard)
      return nullptr;
    Known = S.find(Loop, Inputs, Rows);
    if (Known)
      Known->Users.fetch_add(1);
  }
  const bool IsApart = !Known || Known->areApart(Loop, Inputs);
  const bool Holds = Known && IsApart && Known->isUnchanged();
  const bool Serves = Holds && Known->IsWorthIt && Known->enter();
  if (Known && !Serves)
    Known->Users.fetch_sub(1);
  const Hold Guard(S);
  if (Guard) {
    if (Serves)
      ++S.Seen.Calls;
    else if (Holds || !IsApart || S.IsInspecting || !S.canPay(Rows)) {
      isDeferred() |= S.isPaid() && IsApart && !Holds && !S.IsInspecting;
      S.refuse();
    } else {
      MayInspect = true;
    }
  }
  Changed = Known;
  return Serves ? Known : nullptr;
}

/// Makes a table for the call and adds a user; returns null on failure.
RowTable *makeTable(specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows,
                    const RowTable *Changed) {
  QuietTime Quiet;
  Quiet.begin();
  RowTable *Made = nullptr;
  if (!Quiet.inHandler()) {
    SparseLoopState *S = nullptr;
    try {
      S = createState(Loop);
      Made = inspect(*S, Loop, Inputs, Rows, Changed);
    } catch (const std::bad_alloc &) { // no exception may propagate through generated code
    }
    const bool Serves = Made && Made->IsWorthIt && Made->areApart(Loop, Inputs) && Made->enter();
    if (Made && !Serves) {
      Made->Users.fetch_sub(1);
      Made = nullptr;
    }
    if (S)
      if (const Hold Guard(*S); Guard)
        ++(Serves ? S->Seen.Calls : S->Seen.Refused);
  }
  Quiet.end();
  return Made;
}

const RowTable *begin(specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows) noexcept {
  const int SavedErrno = errno;
  const RowTable *Changed = nullptr;
  bool MayInspect = false;
  SparseLoopState *S = stateOf(Loop);
  RowTable *Table = S ? findTable(*S, Loop, Inputs, Rows, Changed, MayInspect) : nullptr;
  if (!S || MayInspect)
    Table = makeTable(Loop, Inputs, Rows, Changed);
  if (Table)
    Table->LastBegin.store(ticks(), std::memory_order_relaxed);
  errno = SavedErrno;
  return Table;
}

void end(const specrt_sparse_loop &Loop, RowTable &Used) noexcept {
  const uint64_t Begin = Used.LastBegin.load(std::memory_order_relaxed);
  if (SparseLoopState *S = stateOf(Loop)) {
    const Hold Guard(*S);
    if (Guard)
      S->earnWithTable(static_cast<double>(elapsedNs(Begin, ticks())));
  }
  Used.leave();
  Used.Users.fetch_sub(1);
}

/// Loops by the code that they belong to.
struct Owners {
  /// The mutex is timed, because a child forked while another thread holds it inherits it locked
  /// for ever.
  std::timed_mutex Mutex;
  std::multimap<const void *, specrt_sparse_loop *> Loops;
};
constexpr std::chrono::seconds LockTimeout(2);
Owners &owners() {
  static Owners &All = *new Owners();
  return All;
}

} // namespace

std::atomic<double> &leastPersistentNs() {
  static std::atomic<double> Ns = 5e6;
  return Ns;
}

std::atomic<const PlanStore *> &planStore() {
  static std::atomic<const PlanStore *> Known{nullptr};
  return Known;
}

void RowFigures::add(const InspectedRows &Found, double Ms) {
  ++(Found.Source == RowSource::Walk          ? Inspections
     : Found.Source == RowSource::AnotherLoop ? TakenOver
                                              : Recalled);
  RowsPredicted += Found.RowsPredicted;
  InspectionMs += Ms;
  NextRunMs += Found.IsPersistent && Found.Source == RowSource::Walk ? Ms * RecallingShare : Ms;
}

const specrt_rows_table *beginRows(specrt_sparse_loop *Loop, const uint64_t *Inputs,
                                   uint64_t Rows) {
  if (Rows == 0)
    return nullptr;
  return uncancelled([&]() noexcept { return begin(*Loop, Inputs, Rows); });
}

void endRows(specrt_sparse_loop *Loop, const specrt_rows_table *Table) {
  auto *Used = const_cast<RowTable *>(static_cast<const RowTable *>(Table));
  uncancelled([&]() noexcept { end(*Loop, *Used); });
}

RowTable *findRows(const specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows) {
  SparseLoopState *S = stateOf(Loop);
  RowTable *Known = nullptr;
  if (S) {
    const Hold Guard(*S);
    Known = Guard ? S->find(Loop, Inputs, Rows) : nullptr;
    if (Known)
      Known->Users.fetch_add(1);
  }
  if (!Known)
    return nullptr;
  if (Known->IsWorthIt && Known->areApart(Loop, Inputs) && Known->isUnchanged() && Known->enter()) {
    Known->LastBegin.store(ticks(), std::memory_order_relaxed);
    return Known;
  }
  Known->Users.fetch_sub(1);
  return nullptr;
}

RowFigures rowFigures(const specrt_sparse_loop *First) {
  forgetOldWalks();
  RowFigures Sum;
  for (const specrt_sparse_loop *Loop = First; Loop; Loop = Loop->next) {
    SparseLoopState *S = stateOf(*Loop);
    if (!S)
      continue;
    const Hold Guard(*S);
    if (!Guard)
      continue;
    Sum.Tables += S->Tables.size();
    Sum.Calls += S->Seen.Calls;
    Sum.Refused += S->Seen.Refused;
    Sum.Inspections += S->Seen.Inspections;
    Sum.TakenOver += S->Seen.TakenOver;
    Sum.Recalled += S->Seen.Recalled;
    Sum.Changes += S->Seen.Changes;
    Sum.RowsPredicted += S->Seen.RowsPredicted;
    Sum.InspectionMs += S->Seen.InspectionMs;
    Sum.NextRunMs += S->Seen.NextRunMs;
    Sum.Rows += S->Seen.Rows;
    Sum.RowsInClasses += S->Seen.RowsInClasses;
    Sum.Segments += S->Seen.Segments;
    Sum.Levels += S->Seen.Levels;
    Sum.MergedLevels += S->Seen.MergedLevels;
    Sum.RowsInLanes += S->Seen.RowsInLanes;
    Sum.RowsInBlocks += S->Seen.RowsInBlocks;
    Sum.RowsUnrolled += S->Seen.RowsUnrolled;
    if (const FusedState *F = fusedStateOf(*Loop)) {
      Sum.FusedCalls += F->Calls.load(std::memory_order_relaxed);
      Sum.FusedSteps = F->Steps.load(std::memory_order_relaxed);
      if (const char *Why = F->Problem.load(std::memory_order_relaxed))
        Sum.FusionProblem = Why;
    }
    if (!S->Seen.Problem.empty())
      Sum.Problem = S->Seen.Problem;
    if (!S->Tables.empty() && S->Tables.front()->Picture)
      Sum.Pictures.push_back(S->Tables.front()->Picture);
    if (!S->Tables.empty())
      for (const auto &W : S->Tables.front()->Watched) {
        const WatchFigures F = W->figures();
        Sum.WatchNs += F.NsPerCheck;
        Sum.WatchKinds = F.Kinds;
      }
  }
  return Sum;
}

void limitWalks(specrt_sparse_loop *First, const InspectionPayer &Payer,
                std::span<const double> NsPerRow) {
  size_t Index = 0;
  for (specrt_sparse_loop *Loop = First; Loop; Loop = Loop->next, ++Index)
    if (SparseLoopState *S = Payer.Account ? createState(*Loop) : stateOf(*Loop)) {
      // A version that kept the payer of its trial would be limited by it for ever.
      const Hold Guard(*S, LostLockNs);
      if (!Guard)
        continue;
      S->Payer = Payer;
      if (Index < NsPerRow.size() && !S->hasLooked())
        S->ExpectedNsPerRow = NsPerRow[Index];
    }
}

std::vector<std::optional<double>> expectedNsPerRow(const specrt_sparse_loop *First) {
  std::vector<std::optional<double>> Expected;
  for (const specrt_sparse_loop *Loop = First; Loop; Loop = Loop->next) {
    Expected.emplace_back();
    SparseLoopState *S = stateOf(*Loop);
    if (!S)
      continue;
    const Hold Guard(*S);
    if (Guard && S->hasLooked())
      Expected.back() = S->ExpectedNsPerRow;
  }
  return Expected;
}

void ownRows(const void *Owner, specrt_sparse_loop *First) {
  if (!First)
    return;
  Owners &All = owners();
  std::unique_lock Guard(All.Mutex, LockTimeout);
  if (!Guard.owns_lock())
    return;
  All.Loops.emplace(Owner, First);
  for (specrt_sparse_loop *Loop = First; Loop; Loop = Loop->next)
    addSharer(*Loop);
}

void forgetRows(const void *Owner) {
  Owners &All = owners();
  std::unique_lock Guard(All.Mutex, LockTimeout);
  if (!Guard.owns_lock())
    return; // the tables stay
  const auto [Begin, End] = All.Loops.equal_range(Owner);
  for (auto I = Begin; I != End; ++I)
    for (specrt_sparse_loop *Loop = I->second; Loop; Loop = Loop->next) {
      forgetState(*Loop);
      removeSharer(*Loop);
    }
  All.Loops.erase(Begin, End);
}

} // namespace specrt
