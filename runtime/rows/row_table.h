//===- runtime/rows/row_table.h - one table of rows, and what it holds for ---===//
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

class RowListener;

/// Bytes that rows access through a base, counted from it: from Low to before High.
struct RowExtent {
  uint32_t Base;
  int64_t Low, High;

  bool operator==(const RowExtent &) const = default;
};

/// For which calls holds what was found out about rows?
struct RowGrounds {
  std::vector<uint64_t> Key;      ///< the inputs that decide, then the number of rows
  std::vector<RowExtent> Extents; ///< by base, none of them empty
  /// What the inspector has read, by base, in an order in which each may be looked at when those
  /// before it are unchanged.
  std::vector<std::shared_ptr<Watch>> Watched;
  /// Of each extent that is watched, what was in it, for who keeps it for other runs; or nothing.
  std::vector<ContentHash> Contents;

  void setKey(const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows);
  bool isFor(const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows) const;
  bool isUnchanged() const {
    return std::all_of(Watched.begin(), Watched.end(),
                       [](const auto &W) { return W->unchanged(); });
  }
  /// Are, with these inputs, accesses through different bases apart wherever one is a write?
  bool areApart(const specrt_rows_site &Site, const uint64_t *Inputs) const;
};

/// From where places are counted that rows access through base number \p Base.
inline uint64_t beginOf(const specrt_rows_site &Site, uint32_t Base, const uint64_t *Inputs) {
  const uint32_t Input = Site.bases[Base].input;
  return Input == SPECRT_ROWS_NO_INPUT ? 0 : Inputs[Input];
}

/// Must what is read through base number \p Base be what it was?
inline bool isWatched(const specrt_rows_site &Site, uint32_t Base) {
  return Site.bases[Base].flags & (SPECRT_ROWS_DECIDES | SPECRT_ROWS_NOTES);
}

/// Bytes of the data that rows access, with what lies between, but for what decides.
double dataBytes(const specrt_rows_site &Site, const RowGrounds &Of);

struct RowCounts {
  uint64_t RowsInClasses = 0, RowsInLanes = 0, RowsInBlocks = 0, RowsUnrolled = 0;
  /// Of rows that wait for rows: on the longest way, and what they became.
  uint32_t Levels = 0, MergedLevels = 0;
};

/// A table with all that it points to. Does not change after it was made, but for the counters.
/// Sites with the same digest may share it.
struct RowTable : specrt_rows_table, RowGrounds, RowCounts {
  RowTable() : specrt_rows_table{} {}

  const uint64_t Number = nextNumber(); ///< of no other table of the process
  std::vector<specrt_rows_segment> Segments;
  std::vector<int64_t> Origins;
  LargeVector<uint32_t> NarrowOrigins; ///< of lists in 32 bits
  std::vector<int64_t> LaneOrigins;    ///< of rows side by side
  LargeVector<int64_t> PatternOrigins; ///< of rows told by patterns
  std::vector<int64_t> Patterns;
  /// How threads share such rows, one call at a time; or null.
  std::unique_ptr<RowSharing> Sharing;
  std::unique_ptr<NotesOfThreads> Notes; ///< where threads share rows that make some
  std::shared_ptr<const RowPicture> Picture;
  bool IsWorthIt = false;   ///< better than the loop as it was written
  const char *Problem = ""; ///< why not: words of a Reason
  std::atomic<uint32_t> Users{0};
  std::atomic<bool> IsShared{false};  ///< among threads of a call
  std::atomic<uint64_t> LastBegin{0}; ///< ticks; approximate where several threads call

  std::atomic<bool> IsKept{false}; ///< somebody has seen to it that other runs may have it

  /// Threads share the rows so, in num_parts parts. There is at least one strip.
  void shareBy(std::unique_ptr<RowSharing> How);
  /// Threads other than one have copies of \p Ranges, in which rows make notes, if they do. Nobody
  /// has written there since the rows were walked, or the table is not used.
  void makeNotes(const specrt_rows_site &Site, const std::vector<NotedRange> &Ranges);

  /// A call begins to use the table. False: it cannot, as long as another does.
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

/// Who has found out about rows?
enum class RowSource : uint8_t { Walk, AnotherLoop, EarlierRun };

struct InspectedRows {
  std::shared_ptr<RowTable> Table = nullptr; ///< or null
  const char *Problem = "";                  ///< why there is none: words of a Reason
  bool IsHopeless = false;                   ///< there will be none for such arrays
  double ExpectedNs = 0;  ///< not 0: the walk ended because it would have taken so long
  uint64_t RowsLeapt = 0; ///< that nobody walked, because it was known what they are
  RowSource Source = RowSource::Walk;
  bool IsKept = false; ///< another run need not walk them
  /// Of which other tables can be made; or null.
  std::shared_ptr<const RowListener> Walk = nullptr;
};

/// What a walk may take in any run, and in the longest ones: signals wait for its end.
inline constexpr double MaxWalkNs = 150e6, LongestWalkNs = 600e6;

/// Walks the rows of the call that begins. The calling thread's code would read the same memory.
/// What would take longer than \p MaxNs ends when that shows, after some 1000 rows. \p Copies is
/// for where walking the rows again takes no longer than a copy; elsewhere all is copied.
InspectedRows inspectRows(const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows,
                          double MaxNs = MaxWalkNs, WatchCopies Copies = WatchCopies::OfAll);

} // namespace specrt

#endif
