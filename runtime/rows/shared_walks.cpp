//===- runtime/rows/shared_walks.cpp - shares inspections of rows between loops ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/shared_walks.h"
#include "runtime/base/brief_lock.h"
#include "runtime/rows/inspector_sink.h"
#include "support/per_process.h"

#include <algorithm>
#include <array>
#include <map>

namespace specrt {
namespace {

using Digest = std::array<uint64_t, 2>;

Digest digestOf(const specrt_sparse_loop &Loop) { return {Loop.digest[0], Loop.digest[1]}; }

/// The limits of bytes and time for inspections that are kept for other loops.
constexpr size_t MaxBytes = size_t{64} << 20;
constexpr uint64_t MaxAgeNs = 10'000'000'000;
/// The limits of inspections and tables, because checking whether one applies takes time, too.
constexpr size_t MaxWalks = 16, MaxTables = 256;

struct KeptWalk {
  Digest Of;
  std::shared_ptr<const InspectorSink> Walk;
  uint64_t Since;
};

struct KnownTable {
  Digest Of;
  bool IsParallel;
  std::weak_ptr<RowTable> Table;
};

/// The data that \p Lock guards. Objects that are removed are freed after the lock is released.
struct Shared {
  /// A child has the loops of its parent. Another thread may be changing them during the fork.
  explicit Shared(Shared *Parents) {
    if (Parents && BriefLock(Parents->Lock))
      Sharers = Parents->Sharers;
  }

  std::atomic_flag Lock;
  /// Each loop is counted once: a loop that was not added is not removed. The loops may be
  /// unloaded.
  std::map<const specrt_sparse_loop *, Digest> Sharers;
  std::vector<KeptWalk> Walks;    ///< oldest first
  std::vector<KnownTable> Tables; ///< oldest first

  size_t sharers(const Digest &Of) const {
    return static_cast<size_t>(std::count_if(Sharers.begin(), Sharers.end(),
                                             [&](const auto &S) { return S.second == Of; }));
  }

  /// Removes and returns inspections that no loop will request.
  std::vector<KeptWalk> outdated() {
    const uint64_t Now = monotonicNs();
    std::vector<KeptWalk> Gone;
    size_t Bytes = 0, Count = 0;
    for (auto I = Walks.rbegin(); I != Walks.rend(); ++I) {
      Bytes += I->Walk->bytes();
      if (++Count > MaxWalks || Bytes > MaxBytes || Now - I->Since > MaxAgeNs || sharers(I->Of) < 2)
        Gone.push_back(std::move(*I));
    }
    std::erase_if(Walks, [](const KeptWalk &W) { return !W.Walk; });
    return Gone;
  }
};

constinit PerProcess<Shared> TheShared;

} // namespace

InspectedRows takeOver(const specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows) {
  const Digest Of = digestOf(Loop);
  if (Of == Digest{})
    return {};
  Shared *const All = TheShared.get();
  if (!All)
    return {};
  const bool IsParallel = Loop.is_parallel != 0;
  std::vector<std::shared_ptr<RowTable>> Tables;
  std::vector<std::shared_ptr<const InspectorSink>> Walks;
  std::vector<KeptWalk> Gone;
  {
    const BriefLock Guard(All->Lock, SpareDataNs);
    if (!Guard)
      return {};
    std::erase_if(All->Tables, [](const KnownTable &K) { return K.Table.expired(); });
    Gone = All->outdated();
    for (const KnownTable &K : All->Tables)
      if (K.Of == Of && K.IsParallel == IsParallel)
        Tables.push_back(K.Table.lock());
    for (const KeptWalk &K : All->Walks)
      if (K.Of == Of)
        Walks.push_back(K.Walk);
  }
  const auto Holds = [&](const RowGrounds &G) {
    return G.isFor(Loop, Inputs, Rows) && G.isUnchanged();
  };
  for (const std::shared_ptr<RowTable> &Table : Tables)
    if (Table && Holds(*Table))
      return {.Table = Table, .Problem = Table->Problem, .Source = RowSource::AnotherLoop};
  for (const auto &Walk : Walks)
    if (Holds(Walk->grounds())) {
      InspectedRows Made = Walk->table(IsParallel);
      Made.Source = RowSource::AnotherLoop;
      return Made;
    }
  return {};
}

void share(const specrt_sparse_loop &Loop, const InspectedRows &Found) {
  const Digest Of = digestOf(Loop);
  if (Of == Digest{} || !Found.Table)
    return;
  Shared *const All = TheShared.get();
  if (!All)
    return;
  std::vector<KeptWalk> Gone;
  const BriefLock Guard(All->Lock, SpareDataNs);
  if (!Guard)
    return;
  const auto IsIt = [&](const KnownTable &K) { return K.Table.lock() == Found.Table; };
  if (std::none_of(All->Tables.begin(), All->Tables.end(), IsIt)) {
    if (All->Tables.size() == MaxTables)
      All->Tables.erase(All->Tables.begin());
    All->Tables.push_back({Of, Loop.is_parallel != 0, Found.Table});
  }
  if (Found.Walk)
    All->Walks.push_back({Of, Found.Walk, monotonicNs()});
  Gone = All->outdated();
}

void addSharer(const specrt_sparse_loop &Loop) {
  Shared *const All = digestOf(Loop) == Digest{} ? nullptr : TheShared.get();
  if (!All)
    return;
  // A wrong count would remain wrong.
  const BriefLock Guard(All->Lock, LostLockNs);
  if (Guard)
    All->Sharers[&Loop] = digestOf(Loop);
}

void removeSharer(const specrt_sparse_loop &Loop) {
  Shared *const All = TheShared.get();
  if (!All)
    return;
  std::vector<KeptWalk> Gone;
  const BriefLock Guard(All->Lock, LostLockNs);
  if (!Guard)
    return; // a new loop at the same address will replace it
  All->Sharers.erase(&Loop);
  Gone = All->outdated();
}

void forgetOldWalks() {
  Shared *const All = TheShared.known();
  if (!All)
    return;
  std::vector<KeptWalk> Gone;
  const BriefLock Guard(All->Lock, SpareDataNs);
  if (Guard)
    Gone = All->outdated();
}

size_t keptWalks() {
  Shared *const All = TheShared.known();
  if (!All)
    return 0;
  const BriefLock Guard(All->Lock, SpareDataNs);
  return Guard ? All->Walks.size() : 0;
}

} // namespace specrt
