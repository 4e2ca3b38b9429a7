//===- runtime/executor/captured_memory.h - a captured call in memory again ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_EXECUTOR_CAPTURED_MEMORY_H
#define SPECRT_RUNTIME_EXECUTOR_CAPTURED_MEMORY_H

#include "runtime/capture/captured_call.h"
#include <optional>
#include <string>
#include <vector>

namespace specrt {

/// The captured bytes at their own addresses. Not thread-safe.
class CapturedMemory {
public:
  /// \p File stays the caller's and open.
  explicit CapturedMemory(int File) : File(File) {}

  /// Waits until the call is complete, which takes some ms, and reads the head. Returns false when
  /// there is no captured call.
  bool read();
  const CapturedCall &call() const { return Call; }
  /// Returns the addresses of the region's symbols in the program.
  std::optional<std::vector<uint64_t>> symbols() const;

  /// Makes sure that nothing else lies at the addresses. Returns false when something does.
  bool reserve();
  /// Fills in all bytes as they were before the call, once, after reserve(). Returns false on
  /// failure.
  bool fill();
  /// Fills in again what the call may have written. Returns false on failure.
  bool refill();

  /// Compares what the call may write with what it has written in the program, but for places of
  /// results that are not written there. Returns "" or, as half a sentence, the first difference.
  std::string firstDifference() const;
  /// Returns the values in those places.
  std::vector<uint8_t> results() const;

private:
  struct PageRange {
    uint64_t Begin, End;
    bool IsWritten;
  };
  bool load(const CapturedSegment &From) const;
  bool isUntouchedResult(const CapturedSegment &Of) const;
  template <class F> bool forEachEdge(F Visit) const;

  const int File;
  CapturedCall Call{};
  std::vector<PageRange> Pages; ///< ascending
};

} // namespace specrt

#endif
