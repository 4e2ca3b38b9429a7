//===- runtime/watch/page_tracker.h - watched by the record of pages ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page has one flag, "written", and all watches that share the page look at it. So whoever
// protects a page again, which clears the flag, first tells the others that share it: each has its
// own copy, and compares the page before it says again that nothing has changed.
//
//   thread A: lock; tell all parts; protect; unlock; compare what was written
//   thread B: scan; was it told anything? then lock (A is through), compare that
//
// B either sees the flag or was told. Nobody holds the lock while he scans or compares.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_WATCH_PAGE_TRACKER_H
#define SPECRT_RUNTIME_WATCH_PAGE_TRACKER_H

#include "runtime/watch/memory_copy.h"
#include "runtime/watch/page_record.h"
#include "runtime/watch/patient_lock.h"
#include "runtime/watch/watch.h"
#include "runtime/watch/watched_part.h"
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace specrt {

class PageTracker;

/// Whole pages. Compares those that were written with a copy, and is a comparison from the moment
/// on when the kernel does not know any more, or pages are written so often that comparing is
/// cheaper. Only PageTracker makes them.
class TrackedPart final : public WatchedPart {
public:
  /// \p Ranges: what counts of these pages, ascending. Nothing else of them is read.
  TrackedPart(PageTracker &T, PageRun Pages, std::vector<WatchedRange> Ranges);

  bool unchanged() override;
  WatchKind kind() const override {
    return IsCompared.load(std::memory_order_relaxed) ? WatchKind::Comparison : WatchKind::Pages;
  }
  bool isCostly() const override { return IsCostly.load(std::memory_order_relaxed); }
  bool lacksCopy() const override { return LacksCopy; }
  size_t bytes() const override { return Pages.bytes(); }

private:
  friend class PageTracker;
  void takeCopy();
  bool equals(PageRun Run) const;
  bool lookAtWritten();
  bool compareFromNowOn();
  bool settle();
  void note(PageRun Run);
  bool isDearerThanComparing(size_t WrittenBytes) const;

  PageTracker &Tracker;
  const PageRun Pages;
  const std::vector<WatchedRange> Ranges;
  const std::vector<const std::byte *> InTables; ///< PageRecord::inTables
  size_t ComparedBytes = 0;                      ///< of Ranges
  MemoryCopy Copy; ///< none beyond the budget, or by choice: then every written page is a change
  bool LacksCopy = false; ///< by choice
  std::atomic<bool> IsCompared{false}, IsCostly{false};
  std::atomic<uint32_t> CostlyChecks{0}; ///< one after the other

  /// Pages that lost the flag since this part looked at them; with the tracker's lock.
  static constexpr size_t MostRuns = 32;
  PageRun Noted[MostRuns];
  size_t NumNoted = 0;
  uint64_t NotesTaken = 0;
  /// Readable without it: is there anything, or will there be once the lock is free?
  std::atomic<bool> HasNotes{false};
};

/// All tracked parts of the process.
class PageTracker {
public:
  explicit PageTracker(std::unique_ptr<PageRecord> R) : Record(std::move(R)) {}

  /// Begins to watch; null where these pages can not be tracked, or too many parts are. May throw
  /// bad_alloc. \p Ranges: what of them counts, ascending; in each mapping of theirs there is some.
  std::shared_ptr<TrackedPart> track(PageRun Pages, WatchCopies Copies,
                                     std::vector<WatchedRange> Ranges);

private:
  friend class TrackedPart;
  bool list(const std::shared_ptr<TrackedPart> &Part);
  /// Protects what was written of Pages and tells all parts. Returns how many bytes that are, or
  /// nothing on failure.
  std::optional<size_t> protectWritten(PageRun Pages);
  /// Protects all pages of a new part and tells the others; \p AreShared: there are some.
  bool protectAll(const TrackedPart &New, bool &AreShared);
  /// Calls F(TrackedPart &, PageRun) for all that have some of Pages, and these.
  template <typename Fn> void forEachPart(PageRun Pages, Fn F);

  static constexpr size_t MostParts = 1024;
  const std::unique_ptr<PageRecord> Record;
  PatientLock Lock;
  std::vector<std::weak_ptr<TrackedPart>> Parts; ///< with the lock
};

} // namespace specrt

#endif
