//===- runtime/watch/page_record.h - the kernel's record of written pages -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Since Linux 6.7, memory that is registered with userfaultfd can be write-protected so that the
// first write of a page only removes the protection, without any message: a page without it was
// written. That holds for writes by system calls, too. No thread waits and no signal is raised.
//
// The record is for whole pages of private anonymous memory. The caller decides which bytes must be
// compared nevertheless; this class reports when the record cannot be trusted.
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

/// Whole pages [Begin, End).
struct PageRun {
  uintptr_t Begin, End;

  size_t bytes() const { return End - Begin; }
  /// Returns the common pages; empty if Begin >= End.
  PageRun operator&(PageRun Other) const {
    return {Begin < Other.Begin ? Other.Begin : Begin, End < Other.End ? End : Other.End};
  }
  bool isEmpty() const { return Begin >= End; }
};

size_t pageBytes();

class PageRecord {
public:
  /// Returns null if the kernel has no such record, does not permit it, or a filter of system calls
  /// might end the process. Takes some microseconds.
  static std::unique_ptr<PageRecord> open();
  ~PageRecord();
  PageRecord(const PageRecord &) = delete;
  PageRecord &operator=(const PageRecord &) = delete;

  /// Prepares pages for protection. Returns false if these are not private anonymous memory, or the
  /// program uses userfaultfd on them.
  bool prepare(PageRun Pages) const;

  /// Protects all pages, written or not. Returns false on failure.
  bool protectAll(PageRun Pages) const;

  /// Returns a byte of \p Ranges, which are ascending, for each page table of Pages that contains
  /// one.
  static std::vector<const std::byte *> inTables(PageRun Pages,
                                                 std::span<const WatchedRange> Ranges);

  enum class Answer : uint8_t { Clean, Written, Unknown };
  /// Returns whether any of Pages was written, or replaced by another, since it was protected;
  /// Unknown if they are not prepared any more. Reads \p InTables, and no other memory of Pages.
  Answer anyWritten(PageRun Pages, std::span<const std::byte *const> InTables) const;

  /// Protects the written pages and then calls Found(PageRun) for them. Returns false on failure:
  /// then all pages may have been written.
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

  /// Returns whether a device may write memory without the record. Must be called after protecting.
  static bool mayMissWrites();

private:
  /// The limit of runs of pages per system call, which is the size of its buffer.
  static constexpr size_t NumRegions = 64;
  PageRecord() = default;
  bool openFiles();
  bool works() const;
  /// Protects up to NumRegions runs and removes the scanned pages from Pages; returns a negative
  /// number on failure.
  long protectSome(PageRun &Pages, kernel::PageRegion *Regions) const;

  int Userfault = -1, Pagemap = -1;
  bool HasQuickScan = false; ///< it finds empty entries in page tables, but not missing tables
};

/// Simulates a kernel without a record of pages, for tests.
std::atomic<bool> &pageRecordIsMissing();

} // namespace specrt

#endif
