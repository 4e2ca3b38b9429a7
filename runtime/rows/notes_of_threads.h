//===- runtime/rows/notes_of_threads.h - arrays for notes, one for each thread ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of no class make their notes in memory, where others would meet them before the row is over.
// Where threads share rows, one makes them where the program does, and others in copies.
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

/// Memory from Low to before High, reached through a pointer that is an input.
struct NotedRange {
  uint32_t Input;
  uint64_t Low, High;
};

/// Of one table, for one call at a time.
class NotesOfThreads {
public:
  /// Copies \p Ranges as often as processors, and memory that all tables may have for this,
  /// suffice, at least not at all. Calls have \p NumWords words. May throw std::bad_alloc.
  NotesOfThreads(const std::vector<NotedRange> &Ranges, size_t NumWords);
  ~NotesOfThreads();
  NotesOfThreads(const NotesOfThreads &) = delete;
  NotesOfThreads &operator=(const NotesOfThreads &) = delete;

  /// For how many threads; the first is where the program has it.
  size_t places() const { return NumPlaces; }

  /// specrt_rows_table::lend. The first that asks gets something. Any thread.
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
