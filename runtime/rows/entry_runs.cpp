//===- runtime/rows/entry_runs.cpp - finds runs of list entries that belong to one row ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Known runs do not change. Loops find them again without a lock; runs in use are not freed, and
// unused ones may be freed to make room. If the thread of a loop leaves it with the lock, or
// without its end, by siglongjmp or in a forked child, others keep the runs that are known by then.
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

/// Shorter lists are processed in less time than runs are found.
constexpr uint64_t FewEntries = 256;
/// Limits of all lists together.
constexpr uint64_t MaxBytes = uint64_t{64} << 20;
constexpr size_t MaxLists = 16;
/// The first FreeLooks inspections are free. Others may inspect this share of the entries that
/// loops process one by one.
constexpr uint64_t FreeLooks = 16, Share = 16;
/// The number of places at which each call checks a known list.
constexpr uint64_t Samples = 8;

struct EntryNames {
  const void *First;
  uint64_t Entries;
  uint32_t Bytes; ///< bytes of each

  bool operator==(const EntryNames &) const = default;

  uint64_t at(uint64_t Entry) const {
    return Bytes == 4 ? static_cast<const uint32_t *>(First)[Entry]
                      : static_cast<const uint64_t *>(First)[Entry];
  }
  bool begins(uint64_t Entry) const { return Entry == 0 || at(Entry) != at(Entry - 1); }
};

/// Known runs, in pages of their own that are not written afterwards, because watches are for whole
/// pages.
struct KnownRuns {
  EntryNames Of;
  struct Slot *In;
  uint64_t Bytes; ///< of the whole object
  bool AreMany;   ///< false: there are no Runs, because entries of one row hardly follow each other
  bool CanBeTold; ///< the samples agree with the list, so they can detect a change
  specrt_entry_runs Runs;

  /// Returns whether some samples agree with the runs.
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

/// A place for known runs. A user increments Users before it reads Known; a thread that frees the
/// runs clears Known before it reads Users.
struct alignas(64) Slot {
  std::atomic<const void *> First; ///< the list whose runs are or were here
  std::atomic<uint64_t> Users, LastUse;
  std::atomic<const KnownRuns *> Known;

  /// Returns null if the runs are not here; otherwise the caller has become one of its users.
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
  /// Empties the slot; returns false if it is in use.
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

/// Returns the runs of the list; null without memory.
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
  // Another thread may be changing the list, so the number of runs is limited by the available
  // room.
  uint64_t Found = 0;
  for (uint64_t I = 0; AreMany && I < Names.Entries && Found < Runs; ++I)
    if (Names.begins(I))
      Made->Runs.starts[Found++] = I;
  Made->Runs.starts[Found] = Names.Entries;
  Made->Runs.num_runs = Found;
  Made->CanBeTold = Made->areTrueInSamples();
  return Made;
}

/// Empties and returns the least recently used slot; null if all are in use.
Slot *freeSlot() {
  std::array<std::pair<uint64_t, Slot *>, MaxLists> ByAge;
  std::transform(Slots.begin(), Slots.end(), ByAge.begin(),
                 [](Slot &S) { return std::pair(S.LastUse.load(std::memory_order_relaxed), &S); });
  std::sort(ByAge.begin(), ByAge.end());
  const auto Found =
      std::find_if(ByAge.begin(), ByAge.end(), [](const auto &S) { return S.second->clear(); });
  return Found == ByAge.end() ? nullptr : Found->second;
}

/// Returns whether so many entries may be inspected.
bool isEarned(uint64_t Entries) {
  if (Looks.fetch_add(1, std::memory_order_relaxed) < FreeLooks)
    return true;
  if (EntriesLooked.load(std::memory_order_relaxed) + Entries >
      EntriesAsked.load(std::memory_order_relaxed) / Share)
    return false;
  EntriesLooked.fetch_add(Entries, std::memory_order_relaxed);
  return true;
}

/// Inspects \p Names and keeps the runs. Returns false if another thread is inspecting a list.
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

/// Returns the known runs, of which the caller is a user then; null if there are none, or they are
/// of no use. Sets \p AreKnown.
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
