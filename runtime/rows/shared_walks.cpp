//===- runtime/rows/shared_walks.cpp - what one loop knows of rows serves others ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/shared_walks.h"
#include "runtime/base/brief_lock.h"
#include "runtime/rows/row_listener.h"

#include <algorithm>
#include <array>
#include <map>

namespace specrt {
namespace {

using Digest = std::array<uint64_t, 2>;

Digest digestOf(const specrt_rows_site &Site) { return {Site.digest[0], Site.digest[1]}; }

/// So much may be kept for sites that have not asked yet, and so long.
constexpr size_t MaxBytes = size_t{64} << 20;
constexpr uint64_t MaxAgeNs = 10'000'000'000;
/// Nobody waits longer for what can be found out again. In a forked child the lock may stay held.
constexpr uint64_t PatienceNs = 1'000'000;
constexpr size_t MaxWatches = 256;

struct KeptWalk {
  Digest Of;
  std::shared_ptr<const RowListener> Walk;
  uint64_t Since;
};

struct KnownTable {
  Digest Of;
  bool IsParallel;
  std::weak_ptr<RowTable> Table;
};

struct KnownWatch {
  WatchedRange Range;
  std::weak_ptr<Watch> Of;
};

/// What \p Lock guards. What is taken out of it is freed by who has let go of the lock.
struct Shared {
  std::atomic_flag Lock;
  std::map<Digest, unsigned> Sharers;
  std::vector<KeptWalk> Walks; ///< the oldest comes first
  std::vector<KnownTable> Tables;
  std::vector<KnownWatch> Watches;

  unsigned sharers(const Digest &Of) const {
    const auto At = Sharers.find(Of);
    return At == Sharers.end() ? 0 : At->second;
  }

  /// Takes out walks that nobody will ask for.
  std::vector<KeptWalk> outdated() {
    const uint64_t Now = monotonicNs();
    std::vector<KeptWalk> Gone;
    size_t Bytes = 0;
    for (auto I = Walks.rbegin(); I != Walks.rend(); ++I) {
      Bytes += I->Walk->bytes();
      if (Bytes > MaxBytes || Now - I->Since > MaxAgeNs || sharers(I->Of) < 2)
        Gone.push_back(std::move(*I));
    }
    std::erase_if(Walks, [](const KeptWalk &W) { return !W.Walk; });
    return Gone;
  }
};

Shared &shared() {
  static Shared &All = *new Shared();
  return All;
}

} // namespace

InspectedRows takeOver(const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows) {
  const Digest Of = digestOf(Site);
  if (Of == Digest{})
    return {};
  Shared &All = shared();
  const bool IsParallel = Site.is_parallel != 0;
  std::vector<std::shared_ptr<RowTable>> Tables;
  std::vector<std::shared_ptr<const RowListener>> Walks;
  {
    const BriefLock Guard(All.Lock, PatienceNs);
    if (!Guard)
      return {};
    std::erase_if(All.Tables, [](const KnownTable &K) { return K.Table.expired(); });
    for (const KnownTable &K : All.Tables)
      if (K.Of == Of && K.IsParallel == IsParallel)
        Tables.push_back(K.Table.lock());
    for (const KeptWalk &K : All.Walks)
      if (K.Of == Of)
        Walks.push_back(K.Walk);
  }
  const auto Holds = [&](const RowGrounds &G) {
    return G.isFor(Site, Inputs, Rows) && G.isUnchanged();
  };
  for (const std::shared_ptr<RowTable> &Table : Tables)
    if (Table && Holds(*Table))
      return {.Table = Table, .Problem = Table->Problem};
  for (const auto &Walk : Walks)
    if (Holds(Walk->grounds()))
      return Walk->table(IsParallel);
  return {};
}

void share(const specrt_rows_site &Site, const InspectedRows &Found) {
  const Digest Of = digestOf(Site);
  if (Of == Digest{} || !Found.Table)
    return;
  Shared &All = shared();
  std::vector<KeptWalk> Gone;
  const BriefLock Guard(All.Lock, PatienceNs);
  if (!Guard)
    return;
  const auto IsIt = [&](const KnownTable &K) { return K.Table.lock() == Found.Table; };
  if (std::none_of(All.Tables.begin(), All.Tables.end(), IsIt))
    All.Tables.push_back({Of, Site.is_parallel != 0, Found.Table});
  if (Found.Walk)
    All.Walks.push_back({Of, Found.Walk, monotonicNs()});
  Gone = All.outdated();
}

void addSharer(const specrt_rows_site &Site) {
  const BriefLock Guard(shared().Lock, PatienceNs);
  if (Guard && digestOf(Site) != Digest{})
    ++shared().Sharers[digestOf(Site)];
}

void removeSharer(const specrt_rows_site &Site) {
  Shared &All = shared();
  std::vector<KeptWalk> Gone;
  const BriefLock Guard(All.Lock, PatienceNs);
  if (!Guard)
    return;
  if (const auto At = All.Sharers.find(digestOf(Site));
      At != All.Sharers.end() && --At->second == 0)
    All.Sharers.erase(At);
  Gone = All.outdated();
}

std::shared_ptr<Watch> sharedWatch(WatchedRange Range) {
  Shared &All = shared();
  const auto IsOfRange = [&](const KnownWatch &K) {
    return K.Range.Begin == Range.Begin && K.Range.Bytes == Range.Bytes;
  };
  std::shared_ptr<Watch> Known;
  if (const BriefLock Guard(All.Lock, PatienceNs); Guard) {
    const auto Found = std::find_if(All.Watches.begin(), All.Watches.end(), IsOfRange);
    if (Found != All.Watches.end())
      Known = Found->Of.lock();
  }
  if (Known && Known->unchanged())
    return Known;
  std::shared_ptr<Watch> New = Watch::arm(std::span(&Range, 1));
  if (!New)
    return nullptr;
  const BriefLock Guard(All.Lock, PatienceNs);
  if (!Guard)
    return New;
  std::erase_if(All.Watches, [&](const KnownWatch &K) { return K.Of.expired() || IsOfRange(K); });
  if (All.Watches.size() < MaxWatches)
    All.Watches.push_back({Range, New});
  return New;
}

} // namespace specrt
