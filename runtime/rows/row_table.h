//===- runtime/rows/row_table.h - tables of rows and their validity -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ROWS_ROW_TABLE_H
#define SPECRT_RUNTIME_ROWS_ROW_TABLE_H

#include "runtime/rows/notes_of_threads.h"
#include "runtime/rows/row_sharing.h"
#include "runtime/watch/watch.h"
#include "specrt/fused_rows.h"
#include "structure/summary/row_picture.h"
#include "support/content_hash.h"
#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

namespace specrt {

class InspectorSink;

/// The bytes [Low, High) that rows access through a base, relative to it.
struct RowExtent {
  uint32_t Base;
  int64_t Low, High;

  bool operator==(const RowExtent &) const = default;
};

/// The conditions under which the results of an inspection apply to a call.
struct RowGrounds {
  std::vector<uint64_t> Key;      ///< the inputs that decide, then the number of rows
  std::vector<RowExtent> Extents; ///< by base, none of them empty
  /// Watches of the bytes that the inspector has read, by base, in an order in which each may be
  /// checked when those before it are unchanged.
  std::vector<std::shared_ptr<Watch>> Watched;
  /// The hash of each watched extent, for tables that are stored for other runs; or empty.
  std::vector<ContentHash> Contents;

  void setKey(const specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows);
  bool isFor(const specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows) const;
  bool isUnchanged() const {
    return std::all_of(Watched.begin(), Watched.end(),
                       [](const auto &W) { return W->unchanged(); });
  }
  /// Returns whether, with these inputs, accesses through different bases are disjoint wherever one
  /// is a write.
  bool areApart(const specrt_sparse_loop &Loop, const uint64_t *Inputs) const;
};

/// Returns the address to which the extents of base number \p Base are relative.
inline uint64_t beginOf(const specrt_sparse_loop &Loop, uint32_t Base, const uint64_t *Inputs) {
  const uint32_t Input = Loop.bases[Base].input;
  return Input == SPECRT_ROWS_NO_INPUT ? 0 : Inputs[Input];
}

/// Returns whether the bytes that are read through base number \p Base must be unchanged.
inline bool isWatched(const specrt_sparse_loop &Loop, uint32_t Base) {
  return Loop.bases[Base].flags & (SPECRT_ROWS_DECIDES | SPECRT_ROWS_NOTES);
}

/// Returns the bytes of the data that rows access, gaps included, without the deciding data.
double dataBytes(const specrt_sparse_loop &Loop, const RowGrounds &Of);

struct RowCounts {
  uint64_t RowsInClasses = 0, RowsInLanes = 0, RowsInBlocks = 0, RowsUnrolled = 0;
  /// The length of the longest chain of dependent rows, and of the merged schedule.
  uint32_t Levels = 0, MergedLevels = 0;
};

/// A table with all that it points to. It does not change after it was made, except for counters.
/// Loops with the same digest may share it.
struct RowTable : specrt_rows_table, RowGrounds, RowCounts {
  RowTable() : specrt_rows_table{} {}

  const uint64_t Number = nextNumber(); ///< unique among the tables of the process
  std::vector<specrt_rows_segment> Segments;
  std::vector<int64_t> Origins;
  LargeVector<uint32_t> NarrowOrigins; ///< of listed rows, in 32 bits
  std::vector<int64_t> LaneOrigins;    ///< of rows in lanes
  LargeVector<int64_t> PatternOrigins; ///< of rows with patterns
  std::vector<int64_t> Patterns;
  /// How threads share dependent rows, one call at a time; or null.
  std::unique_ptr<RowSharing> Sharing;
  std::unique_ptr<NotesOfThreads> Notes; ///< for threads that share rows with notes
  std::shared_ptr<const RowPicture> Picture;
  bool IsWorthIt = false;   ///< faster than the original loop
  const char *Problem = ""; ///< why it is not: words of a Reason
  std::atomic<uint32_t> Users{0};
  std::atomic<bool> IsShared{false}; ///< among threads of a call
  /// ticks of the last call; approximate if several threads call
  std::atomic<uint64_t> LastBegin{0};

  std::atomic<bool> IsPersistent{false}; ///< it is, or will be, stored for other runs

  /// Makes threads share the rows with \p How, in num_parts parts. There is at least one strip.
  void shareBy(std::unique_ptr<RowSharing> How);
  /// Makes copies of \p Ranges for all threads but one, if rows make notes there. The ranges were
  /// not written since the rows were inspected, otherwise the table is not used.
  void makeNotes(const specrt_sparse_loop &Loop, const std::vector<NotedRange> &Ranges);

  /// Begins the use of the table by a call. Returns false while another call uses it.
  bool enter() {
    if (!Sharing && !Notes)
      return true;
    if (IsShared.exchange(true, std::memory_order_acquire))
      return false;
    if (Sharing)
      Sharing->begin();
    return true;
  }
  void leave() { IsShared.store(false, std::memory_order_release); }

private:
  static uint64_t nextNumber();
};

/// The source of the data about rows.
enum class RowSource : uint8_t { Walk, AnotherLoop, EarlierRun };

struct InspectedRows {
  std::shared_ptr<RowTable> Table = nullptr; ///< or null
  const char *Problem = "";                  ///< why there is none: words of a Reason
  bool IsHopeless = false;                   ///< there will be none for such arrays
  double ExpectedNs = 0;      ///< not 0: expected time for which the inspection was abandoned
  uint64_t RowsPredicted = 0; ///< rows that were skipped because of a prediction
  RowSource Source = RowSource::Walk;
  bool IsPersistent = false; ///< another run need not inspect the rows
  /// The sink from which other tables can be made; or null.
  std::shared_ptr<const InspectorSink> Walk = nullptr;
};

/// The limits of an inspection in any run, and in the longest ones: signals wait for its end.
inline constexpr double MaxWalkNs = 150e6, LongestWalkNs = 600e6;

/// Inspects the rows of the call that begins. The calling thread's code would read the same memory.
/// An inspection that would take longer than \p MaxNs ends when that shows, after some 1000 rows.
/// \p Copies applies if inspecting the rows again takes no longer than a copy; otherwise all is
/// copied.
InspectedRows inspectRows(const specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows,
                          double MaxNs = MaxWalkNs, WatchCopies Copies = WatchCopies::OfAll);

} // namespace specrt

#endif
