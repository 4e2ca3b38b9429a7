//===- runtime/watch/stamps.h - what the program says about changes -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With its first specrt_touch the program promises to say so whenever it changes these bytes. What
// lies inside of promised ranges needs no other watch than the stamps of these.
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

/// Counts the changes of one promised range; also its end.
using Stamp = std::atomic<uint64_t>;

/// The promised ranges, which do not overlap. Thread-safe.
class Promises {
public:
  /// Bytes changed: all ranges that they overlap, which become one with what is new. Beyond
  /// MostRanges nothing new is promised. May throw bad_alloc, after the stamps have changed.
  void touch(const void *Address, size_t Bytes);
  /// From now on nothing is promised for these bytes.
  void end(const void *Address, size_t Bytes);

  /// The stamps of ranges that together cover these bytes; none where some byte is not covered.
  std::vector<std::shared_ptr<Stamp>> covering(uintptr_t Begin, uintptr_t End);

  /// False once a touch may have got lost: then no stamp means anything.
  bool areKept() const { return !Lock.isStuck(); }

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

/// Watched by stamps alone.
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
