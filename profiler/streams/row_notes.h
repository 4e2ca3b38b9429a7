//===- profiler/streams/row_notes.h - what a row notes while it is walked -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An inspector changes nothing, so what rows would write into arrays of notes (specrt/rows.h) is
// kept here until the row is over.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_STREAMS_ROW_NOTES_H
#define SPECRT_PROFILER_STREAMS_ROW_NOTES_H

#include "specrt/rows.h"
#include <cstddef>

namespace specrt {

/// Of one walk. Allocates nothing, and zeros are a valid state but for begin(), which comes first.
/// Async-signal-safe.
class RowNotes : public specrt_row_notes {
public:
  void begin();

private:
  /// Places that one row may note something in, half of the slots.
  static constexpr size_t NumSlots = 4096, MaxPlaces = NumSlots / 2;

  struct Place {
    uint64_t Address, Value;
    uint64_t Row;    ///< for which it holds
    uint32_t Source; ///< the last store
    uint8_t Bytes;
    bool IsKnown;
  };

  static void storeOne(specrt_row_notes *Notes, uint64_t Address, uint32_t Bytes, uint64_t Value,
                       uint32_t IsKnown);
  static uint64_t loadOne(specrt_row_notes *Notes, uint64_t Address, uint32_t Bytes);
  static uint32_t endRow(specrt_row_notes *Notes);
  size_t slotOf(uint64_t Address) const;

  Place Places[NumSlots];
  uint16_t Used[MaxPlaces]; ///< slots of this row
  size_t NumUsed;
  uint64_t Row; ///< from 1
  uint32_t NumStores;
  bool IsFull; ///< or a place could overlap another one
};

} // namespace specrt

#endif
