//===- runtime/watch/page_tracker.h - memory that is watched by the record of pages ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A page has one flag, "written", which all watches of the page use. So a thread that protects a
// page again, which clears the flag, first adds a note to all other parts with this page: each has
// its own copy, and compares the page before it reports again that nothing has changed.
//
//   thread A: lock; add notes to all parts; protect; unlock; compare the written pages
//   thread B: scan; if it has notes, lock (A is through) and compare these pages
//
// B sees either the flag or the notes. No thread holds the lock while it scans or compares.
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

/// Whole pages. Compares written pages with a copy. Changes to comparison of all bytes when the
/// kernel does not track the pages any more, or pages are written so often that comparing is
/// cheaper. Only PageTracker makes such parts.
class TrackedPart final : public WatchedPart {
public:
  /// \p Ranges are the watched bytes of these pages, ascending. No other bytes are read.
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
  /// none beyond the budget, or by choice: then every written page counts as a change
  MemoryCopy Copy;
  bool LacksCopy = false; ///< by choice
  std::atomic<bool> IsCompared{false}, IsCostly{false};
  std::atomic<uint32_t> CostlyChecks{0}; ///< in a row

  /// Pages whose flag was cleared since this part compared them; guarded by the tracker's lock.
  static constexpr size_t MostRuns = 32;
  PageRun Noted[MostRuns];
  size_t NumNoted = 0;
  uint64_t NotesTaken = 0;
  /// Readable without the lock: whether there are notes, or will be once the lock is free.
  std::atomic<bool> HasNotes{false};
};

/// All tracked parts of the process.
class PageTracker {
public:
  explicit PageTracker(std::unique_ptr<PageRecord> R) : Record(std::move(R)) {}

  /// Begins to watch; returns null if these pages cannot be tracked, or there are too many parts.
  /// May throw bad_alloc. \p Ranges are the watched bytes, ascending; each mapping of Pages must
  /// contain some.
  std::shared_ptr<TrackedPart> track(PageRun Pages, WatchCopies Copies,
                                     std::vector<WatchedRange> Ranges);

private:
  friend class TrackedPart;
  bool list(const std::shared_ptr<TrackedPart> &Part);
  /// Protects the written pages of Pages and adds notes to all parts. Returns the number of their
  /// bytes, or nothing on failure.
  std::optional<size_t> protectWritten(PageRun Pages);
  /// Protects all pages of a new part and adds notes to the others; \p AreShared is set if there
  /// are any.
  bool protectAll(const TrackedPart &New, bool &AreShared);
  /// Calls F(TrackedPart &, PageRun) for all parts with pages in Pages, and these pages.
  template <typename Fn> void forEachPart(PageRun Pages, Fn F);

  /// The limit of parts; each write that is found is compared with all of them.
  static constexpr size_t MostParts = 1024;
  const std::unique_ptr<PageRecord> Record;
  PatientLock Lock;
  std::vector<std::weak_ptr<TrackedPart>> Parts; ///< guarded by the lock
};

} // namespace specrt

#endif
