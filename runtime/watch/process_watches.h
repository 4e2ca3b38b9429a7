//===- runtime/watch/process_watches.h - what this process watches --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_WATCH_PROCESS_WATCHES_H
#define SPECRT_RUNTIME_WATCH_PROCESS_WATCHES_H

#include "runtime/watch/page_tracker.h"
#include "runtime/watch/stamps.h"
#include <atomic>
#include <memory>
#include <vector>

namespace specrt {

/// What all watches share: promises, tracked pages, and the parts themselves. Thread-safe. Lives
/// until the process ends; a forked child begins with an empty one, whatever the parent's threads
/// were doing meanwhile, and however it was forked.
class ProcessWatches {
public:
  /// Null without memory for it, or on a kernel where a child could not be told from its parent.
  static ProcessWatches *current();
  /// Is that the one of this process? Some loads.
  bool isCurrent() const;

  Promises Stamps;

  /// The kernel is asked with the first call; null where it keeps no record of pages.
  PageTracker *pages();

  /// An unchanged part that was added for these very bytes, or null.
  std::shared_ptr<WatchedPart> find(const std::byte *Begin, size_t Bytes, WatchKind Kind);
  /// From now on find() knows Part, unless there are very many.
  void add(const std::byte *Begin, size_t Bytes, const std::shared_ptr<WatchedPart> &Part);

  /// Made by current() only.
  explicit ProcessWatches(ProcessWatches *) {}

private:
  /// So many parts can be shared; a search goes through them all.
  static constexpr size_t MostShared = 1024;
  struct Shared {
    const std::byte *Begin;
    size_t Bytes;
    WatchKind Kind;
    std::weak_ptr<WatchedPart> Part;
  };
  PatientLock Lock;
  std::vector<Shared> Parts;
  PatientLock PagesLock;
  std::atomic<bool> WereAsked{false};
  std::unique_ptr<PageTracker> Pages; ///< constant once WereAsked
};

} // namespace specrt

#endif
