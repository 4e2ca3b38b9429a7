//===- runtime/rows/row_tables.cpp - which rows are of which class --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/row_tables.h"
#include "runtime/base/aside.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/rows/row_table.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <sched.h>
#include <vector>

namespace specrt {
namespace {

/// Tables of one loop, for matrices that take turns.
constexpr size_t MaxTables = 24;
/// What may be spent on tables: so much at first, and shares of the time with them and without.
constexpr double FirstCreditNs = 50e6, MaxCreditNs = 500e6;
constexpr double ShareWith = 0.25, ShareWithout = 1.0 / 64;
/// For somebody else who has the lock: a critical section is short.
constexpr int Spins = 200;

/// Held for some instructions. A signal handler that finds it held by its own thread goes on
/// without a table.
class TryLock {
public:
  explicit TryLock(std::atomic_flag &Flag) : Flag(Flag) {
    for (int I = 0; I < Spins && !IsHeld; ++I)
      IsHeld = !Flag.test_and_set(std::memory_order_acquire);
  }
  ~TryLock() {
    if (IsHeld)
      Flag.clear(std::memory_order_release);
  }
  TryLock(const TryLock &) = delete;
  TryLock &operator=(const TryLock &) = delete;
  explicit operator bool() const { return IsHeld; }

private:
  std::atomic_flag &Flag;
  bool IsHeld = false;
};

class Unlock {
public:
  explicit Unlock(std::atomic_flag &Flag) : Flag(Flag) {}
  ~Unlock() { Flag.clear(std::memory_order_release); }
  Unlock(const Unlock &) = delete;
  Unlock &operator=(const Unlock &) = delete;

private:
  std::atomic_flag &Flag;
};

/// Is this thread certainly not in a signal handler? There, memory must not be allocated.
bool mayAllocate() {
  sigset_t Blocked;
  if (pthread_sigmask(SIG_BLOCK, nullptr, &Blocked) != 0)
    return false;
  for (int Signal = 1; Signal <= SIGRTMAX; ++Signal)
    if (sigismember(&Blocked, Signal) == 1)
      return false;
  return true;
}

/// Of one row loop in one version.
struct SiteState {
  std::atomic_flag Lock;
  std::vector<std::unique_ptr<RowTable>> Tables; ///< the one used last comes first
  std::vector<std::unique_ptr<RowTable>> Old;    ///< that calls may still be using
  double CreditNs = FirstCreditNs;
  double LastCostNs = 0;    ///< of an inspection
  uint64_t LastRefusal = 0; ///< ticks
  bool IsInspecting = false;
  bool IsHopeless = false;
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

  void earn(double Ns) { CreditNs = std::min(MaxCreditNs, CreditNs + Ns); }

  void freeOld() {
    std::erase_if(Old, [](const auto &T) { return T->Users.load() == 0; });
  }
};

SiteState *stateOf(const specrt_rows_site &Site) {
  return static_cast<SiteState *>(
      __atomic_load_n(&const_cast<specrt_rows_site &>(Site).state, __ATOMIC_ACQUIRE));
}

SiteState *createState(specrt_rows_site &Site) {
  auto New = std::make_unique<SiteState>();
  void *Expected = nullptr;
  if (__atomic_compare_exchange_n(&Site.state, &Expected, static_cast<void *>(New.get()), false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return New.release();
  return static_cast<SiteState *>(Expected);
}

/// Has the rows of this call walked. Null: no table.
RowTable *inspect(SiteState &S, const specrt_rows_site &Site, const uint64_t *Inputs,
                  uint64_t Rows) {
  const uint64_t Begin = ticks();
  InspectedRows Result = inspectRows(Site, Inputs, Rows);
  const uint64_t End = ticks();
  const double Ms = static_cast<double>(elapsedNs(Begin, End)) * 1e-6;
  if (End > Begin)
    ticksAside() += End - Begin;
  // This thread is in no signal handler, and who has the lock gives it back soon.
  while (S.Lock.test_and_set(std::memory_order_acquire))
    sched_yield();
  const Unlock Guard(S.Lock);
  S.IsInspecting = false;
  ++S.Seen.Inspections;
  S.Seen.InspectionMs += Ms;
  S.LastCostNs = Ms * 1e6;
  S.CreditNs -= S.LastCostNs;
  S.Seen.Problem = Result.Problem;
  S.IsHopeless |= Result.IsHopeless;
  if (!Result.Table)
    return nullptr;
  S.Seen.Rows = Rows;
  S.Seen.RowsInClasses = Result.Table->RowsInClasses;
  S.Seen.Segments = Result.Table->num_segments;
  RowTable *Made = Result.Table.get();
  ++(Made->IsWorthIt && Made->areApart(Site, Inputs) ? S.Seen.Calls : S.Seen.Refused);
  Made->Users.fetch_add(1);
  S.Tables.insert(S.Tables.begin(), std::move(Result.Table));
  if (S.Tables.size() > MaxTables)
    S.drop(S.Tables.back().get());
  S.freeOld();
  return Made;
}

/// What one call does, exceptions aside.
const specrt_rows_table *begin(specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows) {
  SiteState *S = stateOf(Site);
  if (!S) {
    if (!mayAllocate())
      return nullptr;
    S = createState(Site);
  }
  RowTable *Known = nullptr;
  {
    TryLock Guard(S->Lock);
    if (!Guard || S->IsHopeless)
      return nullptr;
    Known = S->find(Site, Inputs, Rows);
    if (Known)
      Known->Users.fetch_add(1);
  }
  bool IsApart = true;
  if (Known) {
    IsApart = Known->areApart(Site, Inputs);
    const bool IsTrue = IsApart && Known->isUnchanged();
    if (IsTrue) {
      {
        TryLock Guard(S->Lock);
        if (Guard)
          ++(Known->IsWorthIt ? S->Seen.Calls : S->Seen.Refused);
      }
      if (!Known->IsWorthIt) {
        Known->Users.fetch_sub(1);
        return nullptr;
      }
      Known->LastBegin.store(ticks(), std::memory_order_relaxed);
      return Known;
    }
    Known->Users.fetch_sub(1);
  }
  {
    TryLock Guard(S->Lock);
    if (!Guard)
      return nullptr;
    if (Known && IsApart) {
      ++S->Seen.Changes;
      S->drop(Known);
    }
    if (!IsApart || S->IsInspecting || S->CreditNs < S->LastCostNs || !mayAllocate()) {
      S->refuse();
      return nullptr;
    }
    S->IsInspecting = true;
  }
  RowTable *Made = inspect(*S, Site, Inputs, Rows);
  if (!Made)
    return nullptr;
  Made->LastBegin.store(ticks(), std::memory_order_relaxed);
  if (Made->IsWorthIt && Made->areApart(Site, Inputs))
    return Made;
  Made->Users.fetch_sub(1);
  return nullptr;
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

const specrt_rows_table *beginRows(specrt_rows_site *Site, const uint64_t *Inputs, uint64_t Rows) {
  if (Rows == 0)
    return nullptr;
  try {
    return begin(*Site, Inputs, Rows);
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

void endRows(specrt_rows_site *Site, const specrt_rows_table *Table) {
  auto *Used = const_cast<RowTable *>(static_cast<const RowTable *>(Table));
  const uint64_t Begin = Used->LastBegin.load(std::memory_order_relaxed);
  if (SiteState *S = stateOf(*Site)) {
    TryLock Guard(S->Lock);
    if (Guard)
      S->earn(static_cast<double>(elapsedNs(Begin, ticks())) * ShareWith);
  }
  Used->Users.fetch_sub(1);
}

RowFigures rowFigures(const specrt_rows_site *First) {
  RowFigures Sum;
  for (const specrt_rows_site *Site = First; Site; Site = Site->next) {
    SiteState *S = stateOf(*Site);
    if (!S)
      continue;
    TryLock Guard(S->Lock);
    if (!Guard)
      continue;
    Sum.Tables += S->Tables.size();
    Sum.Calls += S->Seen.Calls;
    Sum.Refused += S->Seen.Refused;
    Sum.Inspections += S->Seen.Inspections;
    Sum.Changes += S->Seen.Changes;
    Sum.InspectionMs += S->Seen.InspectionMs;
    Sum.Rows += S->Seen.Rows;
    Sum.RowsInClasses += S->Seen.RowsInClasses;
    Sum.Segments += S->Seen.Segments;
    if (!S->Seen.Problem.empty())
      Sum.Problem = S->Seen.Problem;
    if (!S->Tables.empty())
      for (const auto &W : S->Tables.front()->Watched) {
        const WatchFigures F = W->figures();
        Sum.WatchNs += F.NsPerCheck;
        Sum.WatchKinds = F.Kinds;
      }
  }
  return Sum;
}

void ownRows(const void *Owner, specrt_rows_site *First) {
  if (!First)
    return;
  Owners &All = owners();
  std::unique_lock Guard(All.Mutex, LockTimeout);
  if (Guard.owns_lock())
    All.Sites.emplace(Owner, First);
}

void forgetRows(const void *Owner) {
  Owners &All = owners();
  std::unique_lock Guard(All.Mutex, LockTimeout);
  if (!Guard.owns_lock())
    return; // the tables stay
  const auto [Begin, End] = All.Sites.equal_range(Owner);
  for (auto I = Begin; I != End; ++I)
    for (specrt_rows_site *Site = I->second; Site; Site = Site->next)
      delete static_cast<SiteState *>(__atomic_exchange_n(&Site->state, nullptr, __ATOMIC_ACQ_REL));
  All.Sites.erase(Begin, End);
}

} // namespace specrt
