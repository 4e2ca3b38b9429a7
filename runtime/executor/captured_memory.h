//===- runtime/executor/captured_memory.h - restores a captured call in memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_EXECUTOR_CAPTURED_MEMORY_H
#define SPECRT_RUNTIME_EXECUTOR_CAPTURED_MEMORY_H

#include "runtime/capture/captured_call.h"
#include <optional>
#include <string>
#include <vector>

namespace specrt {

/// Places the bytes of a captured call at their addresses in this process. Not thread-safe.
class CapturedMemory {
public:
  /// \p File belongs to the caller and must stay open.
  explicit CapturedMemory(int File) : File(File) {}

  /// Reads the head, and waits up to a second until the program's clone has completed the file.
  /// Returns false if the file contains no complete call.
  bool read();
  const CapturedCall &call() const { return Call; }
  /// Returns the addresses of the region's symbols in the program; nothing if they cannot be read.
  std::optional<std::vector<uint64_t>> symbols() const;

  /// Maps the pages of all segments. Returns false if something else is mapped there.
  bool reserve();
  /// Restores all bytes as they were before the call, and protects pages that the call does not
  /// write. Must be called once, after reserve(). Returns false on failure.
  bool fill();
  /// Restores the segments that the call may write. Returns false on failure.
  bool refill();

  /// Compares the written segments with the hashes, except places of results that the program did
  /// not write. Returns "" or the first difference as half a sentence.
  std::string firstDifference() const;
  /// Returns the contents of the places of results that the program did not write.
  std::vector<uint8_t> results() const;

private:
  struct PageRange {
    uint64_t Begin, End;
    bool IsWritten;
  };
  bool load(const CapturedSegment &From) const;
  bool isUnwrittenResult(const CapturedSegment &Of) const;
  template <class F> bool forEachEdge(F Visit) const;

  const int File;
  CapturedCall Call{};
  std::vector<PageRange> Pages; ///< ascending
};

} // namespace specrt

#endif
