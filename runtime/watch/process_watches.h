//===- runtime/watch/process_watches.h - the shared data of all watches ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_WATCH_PROCESS_WATCHES_H
#define SPECRT_RUNTIME_WATCH_PROCESS_WATCHES_H

#include "runtime/watch/page_tracker.h"
#include "runtime/watch/stamps.h"
#include <atomic>
#include <memory>
#include <vector>

namespace specrt {

/// The shared data of all watches: promises, tracked pages, and the parts themselves. Thread-safe.
/// It lives until the process ends; a forked child begins with an empty object, whatever the
/// parent's threads were doing, and however it was forked.
class ProcessWatches {
public:
  /// Returns null without memory for it, or on a kernel where a child cannot be told from its
  /// parent.
  static ProcessWatches *current();
  /// Returns whether this is the object of this process. Costs some loads.
  bool isCurrent() const;

  Promises Stamps;

  /// Returns the tracker, which the first call creates; null if the kernel keeps no record of
  /// pages.
  PageTracker *pages();

  /// Returns an unchanged part that was added for exactly these bytes, or null.
  std::shared_ptr<WatchedPart> find(const std::byte *Begin, size_t Bytes, WatchKind Kind);
  /// Makes find() return Part from now on, unless there are too many.
  void add(const std::byte *Begin, size_t Bytes, const std::shared_ptr<WatchedPart> &Part);

  /// Only current() calls this.
  explicit ProcessWatches(ProcessWatches *) {}

private:
  /// The limit of shared parts; a search inspects all of them.
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
