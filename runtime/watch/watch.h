//===- runtime/watch/watch.h - detects changes of memory ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of large arrays that a version assumes, such as the index arrays of a sparse matrix,
// cannot be compared in every call. A watch detects whether their bytes have changed since it was
// armed. Each range is watched in the cheapest sound way: by stamps if the program promised to call
// specrt_touch, by the kernel's record of written pages if the memory is private and anonymous, and
// by comparison with a copy otherwise. SPECRT_WATCH restricts the choice.
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

/// Which ranges that are watched by pages have copies, so that writing the same bytes again is no
/// change.
enum class WatchCopies : uint8_t {
  OfAll,
  OfSmall ///< none from a megabyte on, unless other watches share pages: a copy takes longer than
          ///< one inspection of the bytes
};

/// The owner of the pages between two ranges.
enum class WatchGaps : uint8_t {
  OfOthers,  ///< unknown: they are not write-protected
  OfTheArray ///< the array that contains the ranges: they may be write-protected with it if all
             ///< is one mapping. Their bytes are not read.
};

/// Counts of a watch. They are approximate if threads check at the same time.
struct WatchFigures {
  /// The method for most bytes: "stamps", "pages", "comparison", or "pages and comparison".
  std::string Kinds;
  size_t Bytes;
  uint64_t Checks;
  double NsPerCheck; ///< of the timed checks, every 64th
};

/// Ranges that are watched together. All functions may be called by several threads at a time. In a
/// forked child every watch of the parent counts as changed; the child arms its own.
class Watch {
public:
  /// Begins to watch. Must be called where the calling thread's code reads all of these bytes:
  /// concurrent writes by other threads are races of the program. Returns null if one of the ranges
  /// must not be watched: SPECRT_WATCH excludes it, there are too many, one is between rows of
  /// another, or copies would take too much memory.
  static std::unique_ptr<Watch> arm(std::span<const WatchedRange> Ranges,
                                    WatchCopies Copies = WatchCopies::OfAll,
                                    WatchGaps Gaps = WatchGaps::OfOthers);

  ~Watch();
  Watch(const Watch &) = delete;
  Watch &operator=(const Watch &) = delete;

  /// Returns true only if every byte is what it was at arm(). Must be called where the calling
  /// thread's code would read these bytes: they may be read, and no others are. False may also mean
  /// that the state is unknown. After false, the result may be true again when the old bytes are
  /// restored.
  bool unchanged();

  /// Returns whether some range has no copy by WatchCopies::OfSmall.
  bool lacksCopies() const;

  /// Returns whether the program writes these ranges so often that watching them costs about as
  /// much as reading them. The owner decides whether that is worth it.
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
