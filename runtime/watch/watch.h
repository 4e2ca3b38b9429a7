//===- runtime/watch/watch.h - whether bytes are still what they were -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a version assumes about large arrays, such as the index arrays of a sparse matrix, can not
// be looked at again in every call. A watch answers for them: "these bytes are what they were when
// it was armed". Each range is watched in the cheapest sound way: by stamps where the program
// promised to call specrt_touch, by the kernel's record of written pages where the memory is
// private and anonymous, and by comparison with a copy for everything else. SPECRT_WATCH chooses.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_WATCH_WATCH_H
#define SPECRT_RUNTIME_WATCH_WATCH_H

#include "runtime/watch/watched_range.h"
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace specrt {

class ProcessWatches;
class WatchedPart;

/// Of which ranges that are watched by pages are there copies, so that who writes the same bytes
/// again changes nothing?
enum class WatchCopies : uint8_t {
  OfAll,
  OfSmall ///< none of those from a megabyte on, unless others watch some of it: a copy takes longer
          ///< than looking at them again, if that does not happen
};

/// Whose are the pages that lie between two ranges?
enum class WatchGaps : uint8_t {
  OfOthers,  ///< they are left alone
  OfTheArray ///< of the array that the ranges are parts of: they may be write-protected with it
             ///< where all is one mapping. Their bytes are not read.
};

/// What a watch did so far. Counts are approximate where threads check at the same time.
struct WatchFigures {
  /// How most bytes are watched: "stamps", "pages", "comparison", or "pages and comparison".
  std::string Kinds;
  size_t Bytes;
  uint64_t Checks;
  double NsPerCheck; ///< of those that were timed, every 64th
};

/// Ranges that are watched together. All functions may be called by several threads at a time. In a
/// forked child every watch of the parent counts as changed; the child arms its own.
class Watch {
public:
  /// Begins to watch. To be called where the calling thread's code reads all of these bytes: what
  /// other threads write meanwhile is the program's own race. Null where one of the ranges may not
  /// be watched: SPECRT_WATCH says so, there are too many, one lies between rows of another, or
  /// copies would take too much memory.
  static std::unique_ptr<Watch> arm(std::span<const WatchedRange> Ranges,
                                    WatchCopies Copies = WatchCopies::OfAll,
                                    WatchGaps Gaps = WatchGaps::OfOthers);

  ~Watch();
  Watch(const Watch &) = delete;
  Watch &operator=(const Watch &) = delete;

  /// True only if every byte is what it was at arm(). To be called where the calling thread's code
  /// would read these bytes: they may be read, and no others are. False may also mean that nobody
  /// can tell. Once false, it may be true again when the old bytes are back.
  bool unchanged();

  /// Is there, as it was wished, no copy of some range?
  bool lacksCopies() const;

  /// The program writes these ranges so often that watching them costs about as much as reading
  /// them. The owner decides whether that is worth it.
  bool isCostly() const;

  WatchFigures figures() const;

private:
  explicit Watch(ProcessWatches &P) : Process(P) {}
  bool check();

  ProcessWatches &Process;
  std::vector<std::shared_ptr<WatchedPart>> Parts;
  std::atomic<uint64_t> Checks{0}, TimedChecks{0}, TimedTicks{0};
};

} // namespace specrt

#endif
