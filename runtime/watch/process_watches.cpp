//===- runtime/watch/process_watches.cpp - what this process watches ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/watch/process_watches.h"

#include <new>
#include <sys/mman.h>

namespace specrt {
namespace {

using Anchor = std::atomic<ProcessWatches *>;

constinit std::atomic<Anchor *> AnchorPage{nullptr};
/// Across forks, so that what the parent had is not lost.
constinit std::atomic<ProcessWatches *> Newest{nullptr};

/// A page that a forked child finds empty. Handlers of pthread_atfork would miss some children.
Anchor *makeAnchor() {
  void *Page =
      mmap(nullptr, pageBytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Page == MAP_FAILED)
    return nullptr;
  if (madvise(Page, pageBytes(), MADV_WIPEONFORK) != 0) {
    munmap(Page, pageBytes());
    return nullptr;
  }
  auto *Made = new (Page) Anchor(nullptr);
  Anchor *Before = nullptr;
  if (AnchorPage.compare_exchange_strong(Before, Made, std::memory_order_acq_rel))
    return Made;
  munmap(Page, pageBytes());
  return Before;
}

} // namespace

ProcessWatches *ProcessWatches::current() {
  Anchor *Place = AnchorPage.load(std::memory_order_acquire);
  if (!Place)
    Place = makeAnchor();
  if (!Place)
    return nullptr;
  ProcessWatches *Known = Place->load(std::memory_order_acquire);
  if (Known)
    return Known;
  std::unique_ptr<ProcessWatches> Made(new ProcessWatches());
  Made->Parents = Newest.load(std::memory_order_relaxed);
  if (!Place->compare_exchange_strong(Known, Made.get(), std::memory_order_acq_rel))
    return Known;
  Newest.store(Made.get(), std::memory_order_relaxed);
  return Made.release();
}

bool ProcessWatches::isCurrent() const {
  return AnchorPage.load(std::memory_order_acquire)->load(std::memory_order_acquire) == this;
}

PageTracker *ProcessWatches::pages() {
  if (pageRecordIsMissing().load(std::memory_order_relaxed))
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
