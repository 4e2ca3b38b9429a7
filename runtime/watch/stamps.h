//===- runtime/watch/stamps.h - promises of the program about changes -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With its first specrt_touch the program promises to call it whenever it changes these bytes.
// Bytes inside of promised ranges need no other watch than the stamps of these ranges.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_WATCH_STAMPS_H
#define SPECRT_RUNTIME_WATCH_STAMPS_H

#include "runtime/watch/patient_lock.h"
#include "runtime/watch/watched_part.h"
#include <map>
#include <memory>
#include <vector>

namespace specrt {

/// Counts the changes of one promised range, and its end.
using Stamp = std::atomic<uint64_t>;

/// The promised ranges, which do not overlap. Thread-safe.
class Promises {
public:
  /// Records a change of bytes. Advances the stamps of all ranges that they overlap, which are
  /// merged with the new range. Beyond MostRanges no new range is promised. May throw bad_alloc,
  /// after the stamps have changed.
  void touch(const void *Address, size_t Bytes);
  /// Ends the promise for these bytes.
  void end(const void *Address, size_t Bytes);

  /// Returns the stamps of ranges that together cover these bytes; none if some byte is not
  /// covered.
  std::vector<std::shared_ptr<Stamp>> covering(uintptr_t Begin, uintptr_t End);

  /// Returns false once a touch may have been lost: then no stamp is valid.
  bool areKept() const { return !Lock.isStuck(); }

  /// The limit of ranges, which bounds a search.
  static constexpr size_t MostRanges = 4096;

private:
  struct Promised {
    uintptr_t End;
    std::shared_ptr<Stamp> Changes;
  };
  using Ranges = std::map<uintptr_t, Promised>; ///< by begin
  Ranges::iterator firstBehind(uintptr_t Begin);

  PatientLock Lock;
  Ranges All;
};

/// Memory that is watched by stamps alone.
class StampedPart final : public WatchedPart {
public:
  StampedPart(size_t Bytes, const Promises &By, std::vector<std::shared_ptr<Stamp>> Stamps);
  bool unchanged() override;
  WatchKind kind() const override { return WatchKind::Stamps; }
  size_t bytes() const override { return Total; }

private:
  struct Seen {
    std::shared_ptr<Stamp> Changes;
    uint64_t Count;
  };
  const size_t Total;
  const Promises &Source;
  std::vector<Seen> All;
};

} // namespace specrt

#endif
