//===- runtime/watch/process_watches.cpp - the shared data of all watches -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/watch/process_watches.h"
#include "support/per_process.h"
#include "support/process/own_descriptors.h"

namespace specrt {

static constinit PerProcess<ProcessWatches> Watches;

ProcessWatches *ProcessWatches::current() { return Watches.get(); }

bool ProcessWatches::isCurrent() const { return Watches.known() == this; }

PageTracker *ProcessWatches::pages() {
  // The record's descriptors must be the program's, because its threads use them.
  if (pageRecordIsMissing().load(std::memory_order_relaxed) || hasOwnDescriptors())
    return nullptr;
  if (!WereAsked.load(std::memory_order_acquire)) {
    PatientLock::Guard Owned(PagesLock);
    if (!Owned)
      return nullptr;
    if (!WereAsked.load(std::memory_order_relaxed)) {
      if (std::unique_ptr<PageRecord> Record = PageRecord::open())
        Pages = std::make_unique<PageTracker>(std::move(Record));
      WereAsked.store(true, std::memory_order_release);
    }
  }
  return Pages.get();
}

std::shared_ptr<WatchedPart> ProcessWatches::find(const std::byte *Begin, size_t Bytes,
                                                  WatchKind Kind) {
  std::shared_ptr<WatchedPart> Found;
  {
    PatientLock::Guard Owned(Lock);
    if (!Owned)
      return nullptr;
    for (const Shared &S : Parts)
      if (S.Begin == Begin && S.Bytes == Bytes && S.Kind == Kind)
        Found = S.Part.lock();
  }
  return Found && Found->unchanged() ? Found : nullptr;
}

void ProcessWatches::add(const std::byte *Begin, size_t Bytes,
                         const std::shared_ptr<WatchedPart> &Part) {
  PatientLock::Guard Owned(Lock);
  if (!Owned)
    return;
  const WatchKind Kind = Part->kind();
  std::erase_if(Parts, [&](const Shared &S) {
    return S.Part.expired() || (S.Begin == Begin && S.Bytes == Bytes && S.Kind == Kind);
  });
  if (Parts.size() < MostShared)
    Parts.push_back({.Begin = Begin, .Bytes = Bytes, .Kind = Kind, .Part = Part});
}

} // namespace specrt
