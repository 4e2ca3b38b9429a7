//===- runtime/rows/entry_runs.cpp - which entries of a list are of one row ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known does not change. Loops that are asked about again find it without a lock; what
// others are using is not freed, and what has no users may be, for something newer. A loop whose
// thread leaves with the lock, or without saying that it is over, by siglongjmp or in a forked
// child, leaves others with what is known by then.
//
//===----------------------------------------------------------------------===//
#include "runtime/rows/row_tables.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <sys/mman.h>
#include <utility>

namespace specrt {
namespace {

constexpr uint64_t FewEntries = 256;
/// Of all lists together.
constexpr uint64_t MaxBytes = uint64_t{64} << 20;
constexpr size_t MaxLists = 16;
/// So many looks are free. For others, that share of the entries that loops take one by one.
constexpr uint64_t FreeLooks = 16, Share = 16;
constexpr uint64_t Samples = 8;

struct EntryNames {
  const void *First;
  uint64_t Entries;
  uint32_t Bytes; ///< of each

  bool operator==(const EntryNames &) const = default;

  uint64_t at(uint64_t Entry) const {
    return Bytes == 4 ? static_cast<const uint32_t *>(First)[Entry]
                      : static_cast<const uint64_t *>(First)[Entry];
  }
  bool begins(uint64_t Entry) const { return Entry == 0 || at(Entry) != at(Entry - 1); }
};

/// In memory of its own, to which nobody writes: watches are for whole pages.
struct KnownRuns {
  EntryNames Of;
  struct Slot *In;
  uint64_t Bytes; ///< of all this
  bool AreMany;   ///< else there are no Runs: entries of one row hardly follow each other
  bool CanBeTold; ///< samples say that they are true while they are
  specrt_entry_runs Runs;

  /// As far as some samples tell.
  bool areTrue() const { return !CanBeTold || areTrueInSamples(); }
  bool areTrueInSamples() const { return AreMany ? beginWhereNamesChange() : changeOften(); }

private:
  bool changeOften() const {
    uint64_t Changes = 0;
    for (uint64_t I = 1; I <= Samples; ++I)
      Changes += Of.begins(I * (Of.Entries - 1) / Samples);
    return Changes > Samples / 4;
  }
  bool beginWhereNamesChange() const {
    const uint64_t Steps = std::min(Samples, Runs.num_runs);
    for (uint64_t I = 0; I < Steps; ++I) {
      const uint64_t Run = I * Runs.num_runs / Steps;
      const uint64_t Begin = Runs.starts[Run], Last = Runs.starts[Run + 1] - 1;
      if (!Of.begins(Begin) || Of.at(Begin) != Of.at(Last))
        return false;
    }
    return true;
  }
};

constinit std::atomic<uint64_t> Uses{0}, EntriesAsked{0}, EntriesLooked{0}, Looks{0};
constinit std::atomic<uint64_t> BytesKnown{0};
constinit std::atomic_flag IsLooking = ATOMIC_FLAG_INIT;

/// Who uses it says so first and looks then whether it is there; who frees it takes it away first
/// and looks then whether somebody uses it.
struct alignas(64) Slot {
  std::atomic<const void *> First; ///< of what is here, or was
  std::atomic<uint64_t> Users, LastUse;
  std::atomic<const KnownRuns *> Known;

  /// Null: it is not here. Otherwise the caller is one of its users.
  const KnownRuns *use(const EntryNames &Names) {
    if (First.load(std::memory_order_relaxed) != Names.First)
      return nullptr;
    Users.fetch_add(1);
    const KnownRuns *Here = Known.load();
    if (Here && Here->Of == Names)
      return Here;
    Users.fetch_sub(1);
    return nullptr;
  }
  void noteUse() {
    LastUse.store(Uses.fetch_add(1, std::memory_order_relaxed), std::memory_order_relaxed);
  }
  /// Nothing is here afterwards; false: somebody uses it.
  bool clear();
};

constinit std::array<Slot, MaxLists> Slots;

void forget(const KnownRuns &Runs) {
  BytesKnown.fetch_sub(Runs.Bytes, std::memory_order_relaxed);
  munmap(const_cast<KnownRuns *>(&Runs), Runs.Bytes);
}

bool Slot::clear() {
  const KnownRuns *Here = Known.exchange(nullptr);
  if (Here && Users.load() != 0) {
    Known.store(Here);
    return false;
  }
  if (Here)
    forget(*Here);
  return true;
}

template <typename Name> uint64_t countRuns(const Name *Of, uint64_t Entries) {
  uint64_t Count = 1;
  for (uint64_t I = 1; I < Entries; ++I)
    Count += Of[I] != Of[I - 1];
  return Count;
}

uint64_t countRuns(const EntryNames &Names) {
  return Names.Bytes == 4 ? countRuns(static_cast<const uint32_t *>(Names.First), Names.Entries)
                          : countRuns(static_cast<const uint64_t *>(Names.First), Names.Entries);
}

/// Null without memory.
KnownRuns *look(const EntryNames &Names) {
  const uint64_t Runs = countRuns(Names);
  const bool AreMany = Runs <= Names.Entries / 2;
  const uint64_t Bytes = sizeof(KnownRuns) + (AreMany ? Runs * sizeof(uint64_t) : 0);
  if (BytesKnown.load(std::memory_order_relaxed) + Bytes > MaxBytes)
    return nullptr;
  void *Place = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Place == MAP_FAILED)
    return nullptr;
  BytesKnown.fetch_add(Bytes, std::memory_order_relaxed);
  auto *Made = static_cast<KnownRuns *>(Place);
  Made->Of = Names;
  Made->Bytes = Bytes;
  Made->AreMany = AreMany;
  // Another thread may be changing them: no more runs than there is room for, whatever comes.
  uint64_t Found = 0;
  for (uint64_t I = 0; AreMany && I < Names.Entries && Found < Runs; ++I)
    if (Names.begins(I))
      Made->Runs.starts[Found++] = I;
  Made->Runs.starts[Found] = Names.Entries;
  Made->Runs.num_runs = Found;
  Made->CanBeTold = Made->areTrueInSamples();
  return Made;
}

/// The one whose last use is longest ago, without what was in it; null: all are in use.
Slot *freeSlot() {
  std::array<std::pair<uint64_t, Slot *>, MaxLists> ByAge;
  std::transform(Slots.begin(), Slots.end(), ByAge.begin(),
                 [](Slot &S) { return std::pair(S.LastUse.load(std::memory_order_relaxed), &S); });
  std::sort(ByAge.begin(), ByAge.end());
  const auto Found =
      std::find_if(ByAge.begin(), ByAge.end(), [](const auto &S) { return S.second->clear(); });
  return Found == ByAge.end() ? nullptr : Found->second;
}

/// May so many entries be looked through?
bool isEarned(uint64_t Entries) {
  if (Looks.fetch_add(1, std::memory_order_relaxed) < FreeLooks)
    return true;
  if (EntriesLooked.load(std::memory_order_relaxed) + Entries >
      EntriesAsked.load(std::memory_order_relaxed) / Share)
    return false;
  EntriesLooked.fetch_add(Entries, std::memory_order_relaxed);
  return true;
}

/// Finds out about \p Names and remembers it; false: not now.
bool lookNow(const EntryNames &Names) {
  if (IsLooking.test_and_set(std::memory_order_acquire))
    return false;
  const int Problem = errno;
  KnownRuns *Made = isEarned(Names.Entries) ? look(Names) : nullptr;
  Slot *Free = Made ? freeSlot() : nullptr;
  if (Free) {
    Made->In = Free;
    Free->First.store(Names.First, std::memory_order_relaxed);
    Free->noteUse();
    Free->Known.store(Made);
  } else if (Made) {
    forget(*Made);
  }
  errno = Problem;
  IsLooking.clear(std::memory_order_release);
  return Free != nullptr;
}

/// The caller is a user of what it gets; null: nothing that would be of use.
const specrt_entry_runs *knownRuns(const EntryNames &Names, bool &AreKnown) {
  for (Slot &Each : Slots)
    if (const KnownRuns *Here = Each.use(Names)) {
      if (Here->areTrue()) {
        AreKnown = true;
        Each.noteUse();
        if (Here->AreMany)
          return &Here->Runs;
      }
      Each.Users.fetch_sub(1);
    }
  return nullptr;
}

} // namespace

const specrt_entry_runs *beginEntryRuns(const void *First, uint64_t Entries, uint32_t NameBytes,
                                        specrt_entry_runs *Own) {
  const EntryNames Names = {First, Entries, NameBytes};
  const specrt_entry_runs *Found = nullptr;
  if (Entries >= FewEntries) {
    EntriesAsked.fetch_add(Entries, std::memory_order_relaxed);
    bool AreKnown = false;
    Found = knownRuns(Names, AreKnown);
    if (!AreKnown && lookNow(Names))
      Found = knownRuns(Names, AreKnown);
  }
  *Own = {.num_runs = 1, .starts = {0, Entries}};
  return Found ? Found : Own;
}

void endEntryRuns(const specrt_entry_runs *Runs, const specrt_entry_runs *Own) {
  if (Runs == Own)
    return;
  const auto *Place = reinterpret_cast<const char *>(Runs) - offsetof(KnownRuns, Runs);
  reinterpret_cast<const KnownRuns *>(Place)->In->Users.fetch_sub(1);
}

} // namespace specrt
