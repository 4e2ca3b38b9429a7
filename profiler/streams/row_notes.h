//===- profiler/streams/row_notes.h - notes of a row during its inspection ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An inspector changes no memory of the program, so the values that a row would write into arrays
// of notes (specrt/rows.h) are kept here until the row ends.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_STREAMS_ROW_NOTES_H
#define SPECRT_PROFILER_STREAMS_ROW_NOTES_H

#include "specrt/rows.h"
#include <cstddef>

namespace specrt {

/// The pages on which notes were made or read. Allocates nothing.
class NotedPages {
public:
  void clear() {
    for (uint64_t &P : Pages)
      P = 0;
    NumPages = Last = 0;
  }
  void add(uint64_t Address) {
    if (const uint64_t Page = Address / PageBytes; Page != Last)
      addPage(Page);
  }
  /// Returns whether it contains the pages of all bytes in [Low, High).
  bool haveAll(uint64_t Low, uint64_t High) const;

private:
  static constexpr uint64_t PageBytes = 4096;
  static constexpr size_t NumSlots = size_t{1} << 15, MaxPages = NumSlots / 2;
  size_t slotOf(uint64_t Page) const;
  void addPage(uint64_t Page);

  uint64_t Pages[NumSlots]; ///< 0: a free slot
  size_t NumPages;          ///< beyond MaxPages none is added
  uint64_t Last;
};

/// The notes of one inspection. Allocates nothing. Zeros are a valid state, but begin() must be
/// called first. Async-signal-safe.
class RowNotes : public specrt_row_notes {
public:
  /// Begins an inspection. The pages of all notes are added to \p AllPages, unless it is null.
  void begin(NotedPages *AllPages = nullptr);

private:
  /// The limit of places that one row may note, half of the slots.
  static constexpr size_t NumSlots = 4096, MaxPlaces = NumSlots / 2;

  struct Place {
    uint64_t Address, Value;
    uint64_t Row;    ///< row for which it is valid
    uint32_t Source; ///< the last store
    uint8_t Bytes;
    bool IsKnown;
  };

  void noteAt(uint64_t Address, uint32_t Bytes) {
    if (!Pages)
      return;
    Pages->add(Address);
    Pages->add(Address + Bytes - 1);
  }
  static void storeOne(specrt_row_notes *Notes, uint64_t Address, uint32_t Bytes, uint64_t Value,
                       uint32_t IsKnown);
  static uint64_t loadOne(specrt_row_notes *Notes, uint64_t Address, uint32_t Bytes);
  static uint32_t endRow(specrt_row_notes *Notes);
  size_t slotOf(uint64_t Address) const;

  NotedPages *Pages;
  Place Places[NumSlots];
  uint16_t Used[MaxPlaces]; ///< slots that this row uses
  size_t NumUsed;
  uint64_t Row; ///< counted from 1
  uint32_t NumStores;
  bool IsFull; ///< or a place could overlap another one
};

} // namespace specrt

#endif
