//===- runtime/watch/page_record.h - which pages the kernel saw written ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Since Linux 6.7, memory that is registered with userfaultfd can be write-protected so that the
// first write of a page only takes the protection away, without any message: a page without it was
// written. That holds for writes by system calls, too. Nobody waits and no signal is raised.
//
// The record is for whole pages of private anonymous memory. What must be compared all the same is
// up to the caller; what may not be trusted is said here.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_WATCH_PAGE_RECORD_H
#define SPECRT_RUNTIME_WATCH_PAGE_RECORD_H

#include "runtime/watch/kernel_pages.h"
#include "runtime/watch/watched_range.h"
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace specrt {

/// Whole pages, from Begin to before End.
struct PageRun {
  uintptr_t Begin, End;

  size_t bytes() const { return End - Begin; }
  /// The pages of both; empty where Begin >= End.
  PageRun operator&(PageRun Other) const {
    return {Begin < Other.Begin ? Other.Begin : Begin, End < Other.End ? End : Other.End};
  }
  bool isEmpty() const { return Begin >= End; }
};

size_t pageBytes();

class PageRecord {
public:
  /// Null where the kernel has no such record, does not let us, or a filter of system calls might
  /// end the process. Some microseconds.
  static std::unique_ptr<PageRecord> open();
  ~PageRecord();
  PageRecord(const PageRecord &) = delete;
  PageRecord &operator=(const PageRecord &) = delete;

  /// Prepares for protecting. False where these are not private anonymous memory, or somebody
  /// else uses userfaultfd on it.
  bool prepare(PageRun Pages) const;

  /// Protects all of them, written or not. False when that failed.
  bool protectAll(PageRun Pages) const;

  /// A byte of \p Ranges, which are ascending, for each page table of Pages that has some of them.
  static std::vector<const std::byte *> inTables(PageRun Pages,
                                                 std::span<const WatchedRange> Ranges);

  enum class Answer : uint8_t { Clean, Written, Unknown };
  /// Was any of Pages written, or replaced by another, since it was protected? Unknown where they
  /// are not prepared any more. Reads \p InTables, and nothing else.
  Answer anyWritten(PageRun Pages, std::span<const std::byte *const> InTables) const;

  /// Protects those that were written, and calls Found(PageRun) for them, after they were
  /// protected. False when that failed: then they may all have been written.
  template <typename Fn> bool protectWritten(PageRun Pages, Fn Found) const {
    kernel::PageRegion Regions[NumRegions];
    while (!Pages.isEmpty()) {
      const long Count = protectSome(Pages, Regions);
      if (Count < 0)
        return false;
      for (long I = 0; I < Count; ++I)
        Found(PageRun{Regions[I].Begin, Regions[I].End});
    }
    return true;
  }

  /// May a device write memory without the record? To be asked after protecting.
  static bool mayMissWrites();

private:
  static constexpr size_t NumRegions = 64;
  PageRecord() = default;
  bool openFiles();
  bool works() const;
  /// Up to NumRegions, and takes what it looked at from Pages; negative on failure.
  long protectSome(PageRun &Pages, kernel::PageRegion *Regions) const;

  int Userfault = -1, Pagemap = -1;
  bool HasQuickScan = false; ///< which finds empty places in page tables, but not missing tables
};

/// For tests: a kernel without a record of pages.
std::atomic<bool> &pageRecordIsMissing();

} // namespace specrt

#endif
