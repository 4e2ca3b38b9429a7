//===- runtime/rows/row_tables.cpp - which rows are of which class --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/row_tables.h"
#include "profiler/streams/rows_of_loop.h"
#include "runtime/base/aside.h"
#include "runtime/base/brief_lock.h"
#include "runtime/base/clock.h"
#include "runtime/base/expenses.h"
#include "runtime/base/per_process.h"
#include "runtime/base/reasons.h"
#include "runtime/rows/row_table.h"
#include "runtime/rows/shared_walks.h"
#include "runtime/rows/table_keeper.h"
#include "runtime/rows/walk_budget.h"
#include "support/quiet_time.h"
#include "support/uncancelled.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

namespace specrt {
namespace {

/// What may be spent on tables: so much at first, and shares of the time with them and without.
constexpr double FirstCreditNs = 50e6, MaxCreditNs = 500e6;
constexpr double ShareWith = 0.25, ShareWithout = 1.0 / 64;
/// What a walk was expected to take, by its first rows, is doubted after having earned that part of
/// it.
constexpr double Doubt = 16;
/// After walks in vain, one after the other, the next has to be earned twice as long as the one
/// before it.
constexpr unsigned MaxDoublings = 10;
/// So many tables one after the other may be no better than the loop; then walks are in vain, too:
/// loops within loops begin with other inputs each time.
constexpr unsigned MaxNotWorthIt = 4;
/// To take a table from its file takes at most that part of what finding it out has taken, about.
constexpr double RecallingShare = 1.0 / 8;
/// What changes more often does so in other runs, too.
constexpr uint64_t MaxSteadyChanges = 2;
/// Who waits for a lock may; it is held for some instructions.
constexpr uint64_t PatienceNs = 1'000'000'000;

/// Each process has another one.
struct Era {
  explicit Era(const Era *) {}
};
constinit PerProcess<Era> TheEra;

/// Of one row loop in one version.
struct SiteState {
  explicit SiteState(const Era *In) : In(In) {}

  const Era *const In;
  std::unique_ptr<SiteState> Before; ///< the parent's, or one whose lock was lost; or null
  std::atomic<bool> IsLost{false};
  LosableLock Lock;
  std::vector<std::shared_ptr<RowTable>> Tables; ///< the one used last comes first
  std::vector<std::shared_ptr<RowTable>> Old;    ///< that calls may still be using
  double CreditNs = FirstCreditNs;
  double LastCostNs = 0;              ///< of an inspection
  std::shared_ptr<WalkBudget> Budget; ///< pays while it is there, in place of the credit
  double ExpectedNsPerRow = 0;        ///< what the walk that was put off would take
  uint64_t LastRefusal = 0;           ///< ticks
  bool IsInspecting = false;
  unsigned NotWorthIt = 0; ///< the last so many tables were not
  unsigned InVain = 0; ///< walks that said that there can be no table, since the last that made one
  RowFigures Seen;

  RowTable *find(const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows) {
    const auto Found = std::find_if(Tables.begin(), Tables.end(),
                                    [&](const auto &T) { return T->isFor(Site, Inputs, Rows); });
    if (Found == Tables.end())
      return nullptr;
    std::rotate(Tables.begin(), Found, Found + 1);
    return Tables.front().get();
  }

  void drop(const RowTable *T) {
    const auto Found = std::find_if(Tables.begin(), Tables.end(),
                                    [&](const auto &Other) { return Other.get() == T; });
    if (Found == Tables.end())
      return;
    Old.push_back(std::move(*Found));
    Tables.erase(Found);
  }

  /// Time without tables earns one, too: the program may have settled.
  void refuse() {
    ++Seen.Refused;
    const uint64_t Now = ticks();
    if (LastRefusal != 0)
      earn(static_cast<double>(elapsedNs(LastRefusal, Now)) * ShareWithout);
    LastRefusal = Now;
  }

  /// May so many rows be walked now?
  bool canPay(uint64_t Rows) const {
    const double ExpectedNs = ExpectedNsPerRow * static_cast<double>(Rows);
    const bool IsAffordable = mostNs() > ExpectedNs;
    return Budget ? IsAffordable
                  : CreditNs >= LastCostNs && (IsAffordable || CreditNs >= ExpectedNs / Doubt);
  }
  /// Who was measured to gain may take long in long runs.
  double mostNs() const {
    if (Budget)
      return std::min(Budget->leftNs(), LongestWalkNs);
    return std::clamp(expenses().leftNs(monotonicNs(), PromisingShare), MaxWalkNs, LongestWalkNs);
  }

  /// What was spent on a walk of so many rows.
  void pay(double Ns, const InspectedRows &For, uint64_t Rows) {
    LastCostNs = Ns;
    CreditNs -= Ns;
    ExpectedNsPerRow = For.ExpectedNs / static_cast<double>(Rows);
    if (Budget)
      Budget->spend(Ns);
    else if (For.ExpectedNs > 0)
      CreditNs = std::min(CreditNs, Ns);
    const bool IsUseless = For.Table && !For.Table->IsWorthIt;
    NotWorthIt = IsUseless ? NotWorthIt + 1 : 0;
    if (For.Table && NotWorthIt <= MaxNotWorthIt)
      InVain = 0;
    // Another call may bring other arrays.
    if (For.IsHopeless || NotWorthIt > MaxNotWorthIt)
      CreditNs = std::min(CreditNs, 0.0) -
                 std::ldexp(Ns, static_cast<int>(std::min(InVain++, MaxDoublings)));
  }
  void earn(double Ns) { CreditNs = std::min(MaxCreditNs, CreditNs + Ns); }

  void freeOld() {
    std::erase_if(Old, [](const auto &T) { return T->Users.load() == 0; });
  }
};

SiteState *anyStateOf(const specrt_rows_site &Site) {
  return static_cast<SiteState *>(
      __atomic_load_n(&const_cast<specrt_rows_site &>(Site).state, __ATOMIC_ACQUIRE));
}

/// Null: there is none, or none that anybody may use.
SiteState *stateOf(const specrt_rows_site &Site) {
  SiteState *Known = anyStateOf(Site);
  return Known && Known->In == TheEra.known() && !Known->IsLost ? Known : nullptr;
}

/// May throw std::bad_alloc.
SiteState *createState(specrt_rows_site &Site) {
  while (true) {
    if (SiteState *Known = stateOf(Site))
      return Known;
    const Era *In = TheEra.get();
    SiteState *Before = anyStateOf(Site);
    if (Before && Before->In == In && !Before->IsLost)
      return Before;
    auto *New = new SiteState(In);
    void *Expected = Before;
    if (__atomic_compare_exchange_n(&Site.state, &Expected, static_cast<void *>(New), false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      New->Before.reset(Before);
      return New;
    }
    delete New;
  }
}

/// The lock of what is known of a loop, or nothing: then the call goes on as it was written.
class Hold {
public:
  explicit Hold(SiteState &S, uint64_t PatienceNs = 0) : Guard(S.Lock, PatienceNs) {
    if (!Guard && S.Lock.isLost())
      S.IsLost = true;
  }
  explicit operator bool() const { return static_cast<bool>(Guard); }

private:
  const LosableLock::Guard Guard;
};

/// How rows are walked.
struct WalkOptions {
  double MaxNs = 0;
  WatchCopies Copies = WatchCopies::OfAll;
  bool AreSteady = true; ///< so that other runs may meet the same
};

InspectedRows walk(const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows,
                   const WalkOptions &How) {
  try {
    const TableKeeper *Keeper = How.AreSteady ? tableKeeper().load() : nullptr;
    InspectedRows Found = takeOver(Site, Inputs, Rows);
    if (!Found.Table && Keeper)
      Found = Keeper->Recall(Site, Inputs, Rows, How.Copies);
    if (!Found.Table)
      Found = inspectRows(Site, Inputs, Rows, How.MaxNs, How.Copies);
    share(Site, Found);
    Found.IsKept = Keeper && Keeper->Keep(Site, Found);
    Found.Walk.reset();
    return Found;
  } catch (const std::bad_alloc &) {
    return {.Problem = words(Reason::NoMemoryForRows)};
  }
}

/// Has the rows of this call walked, or looks for who has, which \p Known, unless null, no longer
/// describes. A table with a user more; null: none. What memory is allocated here nothing may
/// interrupt; where there is none, std::bad_alloc is thrown, and nothing has happened.
RowTable *inspect(SiteState &S, const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows,
                  const RowTable *Known) {
  WalkOptions How;
  {
    const Hold Guard(S, PatienceNs);
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
    // Who has written there once may write the same again and again.
    if (S.Seen.Changes == 0)
      How.Copies = WatchCopies::OfSmall;
    How.AreSteady = S.Seen.Changes <= MaxSteadyChanges;
  }
  const uint64_t Begin = ticks(), BeginNs = processorNs();
  InspectedRows Result = walk(Site, Inputs, Rows, How);
  const uint64_t End = ticks();
  const auto Ns = static_cast<double>(processorNs() - BeginNs);
  ticksAside() += End - std::min(Begin, End);
  const Hold Guard(S, PatienceNs);
  if (!Guard)
    return nullptr;
  S.IsInspecting = false;
  S.Seen.add(Result, Ns * 1e-6);
  S.pay(Ns, Result, Rows);
  isPutOff() |= S.Budget && Result.ExpectedNs > 0;
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
  S.Tables.front()->Users.fetch_add(1);
  return S.Tables.front().get();
}

/// A table that is there, with a user more. \p Changed gets one that no longer describes the call.
/// Allocates nothing.
RowTable *findTable(SiteState &S, const specrt_rows_site &Site, const uint64_t *Inputs,
                    uint64_t Rows, const RowTable *&Changed, bool &MayInspect) {
  RowTable *Known = nullptr;
  {
    const Hold Guard(S);
    if (!Guard)
      return nullptr;
    Known = S.find(Site, Inputs, Rows);
    if (Known)
      Known->Users.fetch_add(1);
  }
  const bool IsApart = !Known || Known->areApart(Site, Inputs);
  const bool Holds = Known && IsApart && Known->isUnchanged();
  const bool Serves = Holds && Known->IsWorthIt && Known->enter();
  if (Known && !Serves)
    Known->Users.fetch_sub(1);
  const Hold Guard(S);
  if (Guard) {
    if (Serves)
      ++S.Seen.Calls;
    else if (Holds || !IsApart || S.IsInspecting || !S.canPay(Rows)) {
      isPutOff() |= S.Budget && IsApart && !Holds && !S.IsInspecting;
      S.refuse();
    } else {
      MayInspect = true;
    }
  }
  Changed = Known;
  return Serves ? Known : nullptr;
}

/// A new table for the call, with a user more; null: none.
RowTable *makeTable(specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows,
                    const RowTable *Changed) {
  QuietTime Quiet;
  Quiet.begin();
  RowTable *Made = nullptr;
  if (!Quiet.inHandler()) {
    SiteState *S = nullptr;
    try {
      S = createState(Site);
      Made = inspect(*S, Site, Inputs, Rows, Changed);
    } catch (const std::bad_alloc &) { // nothing may go through generated code
    }
    const bool Serves = Made && Made->IsWorthIt && Made->areApart(Site, Inputs) && Made->enter();
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

const RowTable *begin(specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows) noexcept {
  const int SavedErrno = errno;
  const RowTable *Changed = nullptr;
  bool MayInspect = false;
  SiteState *S = stateOf(Site);
  RowTable *Table = S ? findTable(*S, Site, Inputs, Rows, Changed, MayInspect) : nullptr;
  if (!S || MayInspect)
    Table = makeTable(Site, Inputs, Rows, Changed);
  if (Table)
    Table->LastBegin.store(ticks(), std::memory_order_relaxed);
  errno = SavedErrno;
  return Table;
}

void end(const specrt_rows_site &Site, RowTable &Used) noexcept {
  const uint64_t Begin = Used.LastBegin.load(std::memory_order_relaxed);
  if (SiteState *S = stateOf(Site)) {
    const Hold Guard(*S);
    if (Guard)
      S->earn(static_cast<double>(elapsedNs(Begin, ticks())) * ShareWith);
  }
  Used.leave();
  Used.Users.fetch_sub(1);
}

/// Sites by the code that they belong to.
struct Owners {
  /// Timed, because a child forked while another thread has it inherits it locked for ever.
  std::timed_mutex Mutex;
  std::multimap<const void *, specrt_rows_site *> Sites;
};
constexpr std::chrono::seconds LockTimeout(2);
Owners &owners() {
  static Owners &All = *new Owners();
  return All;
}

} // namespace

std::atomic<double> &leastKeptNs() {
  static std::atomic<double> Ns = 5e6;
  return Ns;
}

std::atomic<const TableKeeper *> &tableKeeper() {
  static std::atomic<const TableKeeper *> Known{nullptr};
  return Known;
}

void RowFigures::add(const InspectedRows &Found, double Ms) {
  ++(Found.Source == RowSource::Walk          ? Inspections
     : Found.Source == RowSource::AnotherLoop ? TakenOver
                                              : Recalled);
  RowsLeapt += Found.RowsLeapt;
  InspectionMs += Ms;
  NextRunMs += Found.IsKept && Found.Source == RowSource::Walk ? Ms * RecallingShare : Ms;
}

const specrt_rows_table *beginRows(specrt_rows_site *Site, const uint64_t *Inputs, uint64_t Rows) {
  if (Rows == 0)
    return nullptr;
  return uncancelled([&]() noexcept { return begin(*Site, Inputs, Rows); });
}

void endRows(specrt_rows_site *Site, const specrt_rows_table *Table) {
  auto *Used = const_cast<RowTable *>(static_cast<const RowTable *>(Table));
  uncancelled([&]() noexcept { end(*Site, *Used); });
}

RowFigures rowFigures(const specrt_rows_site *First) {
  forgetOldWalks();
  RowFigures Sum;
  for (const specrt_rows_site *Site = First; Site; Site = Site->next) {
    SiteState *S = stateOf(*Site);
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
    Sum.RowsLeapt += S->Seen.RowsLeapt;
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

void limitWalks(specrt_rows_site *First, const std::shared_ptr<WalkBudget> &Budget) {
  for (specrt_rows_site *Site = First; Site; Site = Site->next)
    if (SiteState *S = Budget ? createState(*Site) : stateOf(*Site)) {
      // A version that kept the budget of its trial would pay from it for ever.
      const Hold Guard(*S, PatienceNs);
      if (Guard)
        S->Budget = Budget;
    }
}

void ownRows(const void *Owner, specrt_rows_site *First) {
  if (!First)
    return;
  Owners &All = owners();
  std::unique_lock Guard(All.Mutex, LockTimeout);
  if (!Guard.owns_lock())
    return;
  All.Sites.emplace(Owner, First);
  for (specrt_rows_site *Site = First; Site; Site = Site->next)
    addSharer(*Site);
}

void forgetRows(const void *Owner) {
  Owners &All = owners();
  std::unique_lock Guard(All.Mutex, LockTimeout);
  if (!Guard.owns_lock())
    return; // the tables stay
  const auto [Begin, End] = All.Sites.equal_range(Owner);
  for (auto I = Begin; I != End; ++I)
    for (specrt_rows_site *Site = I->second; Site; Site = Site->next) {
      delete static_cast<SiteState *>(__atomic_exchange_n(&Site->state, nullptr, __ATOMIC_ACQ_REL));
      removeSharer(*Site);
    }
  All.Sites.erase(Begin, End);
}

} // namespace specrt
