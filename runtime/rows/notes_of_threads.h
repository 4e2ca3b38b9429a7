//===- runtime/rows/notes_of_threads.h - copies of arrays for notes, one per thread ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of no class make notes in memory before they end, where rows on other threads would
// overwrite them. If threads share rows, one thread uses the program's array, and the others use
// copies.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_NOTES_OF_THREADS_H
#define SPECRT_RUNTIME_ROWS_NOTES_OF_THREADS_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace specrt {

/// Memory in [Low, High) that is reached through a pointer that is an input.
struct NotedRange {
  uint32_t Input;
  uint64_t Low, High;
};

/// The copies of one table, for one call at a time.
class NotesOfThreads {
public:
  /// Makes as many copies of \p Ranges as there are processors and as memory for all tables allows,
  /// possibly none. Calls have \p NumWords words. May throw std::bad_alloc.
  NotesOfThreads(const std::vector<NotedRange> &Ranges, size_t NumWords);
  ~NotesOfThreads();
  NotesOfThreads(const NotesOfThreads &) = delete;
  NotesOfThreads &operator=(const NotesOfThreads &) = delete;

  /// Returns the number of threads that can make notes; the first one uses the program's array.
  size_t places() const { return NumPlaces; }

  /// Implements specrt_rows_table::lend. The first caller always gets a place. Any thread.
  uint32_t lend(const uint64_t *Words, uint64_t *Into);
  void giveBack(uint32_t Lent);

private:
  struct Moved {
    uint32_t Input;
    uint64_t By;
  };
  struct Place {
    std::atomic<bool> IsLent{false};
    std::vector<Moved> Inputs;
    std::vector<std::byte> Room;
  };

  const size_t NumWords;
  size_t NumPlaces = 1, BytesPerCopy = 0;
  std::unique_ptr<Place[]> Places;
};

} // namespace specrt

#endif
