//===- runtime/record/row_recording.h - traces of rows from one call ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before a row loop of an instrumented call begins its rows are walked, and what they are is
// written to memory that the worker mapped before. What it says is found out afterwards.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_RECORD_ROW_RECORDING_H
#define SPECRT_RUNTIME_RECORD_ROW_RECORDING_H

#include "profiler/streams/rows_of_loop.h"
#include "specrt/rows.h"
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace specrt {

class RowNotes;

class RowRecording {
public:
  static constexpr size_t MaxEntries = size_t{3} << 20, MaxRows = size_t{1} << 20, MaxLoops = 8;

  RowRecording() = default;
  ~RowRecording();
  RowRecording(const RowRecording &) = delete;
  RowRecording &operator=(const RowRecording &) = delete;

  /// The worker, before the call, of a version with so many row loops. Without memory nothing is
  /// recorded. \p Ahead: pages are there before they are written.
  void prepare(uint32_t Loops = 1, bool Ahead = false);

  /// So many loops, of those that were expected, may have their rows walked yet.
  uint32_t loopsToCome() const {
    return Expected - std::min(Expected, static_cast<uint32_t>(NumLoops));
  }

  /// Before the loop begins: has \p walk anything to do? So much is asked each time.
  bool wants(uint32_t Loop) const { return Loop < 64 && (Settled >> Loop & 1) == 0; }
  /// Async-signal-safe; walks each loop the first time only, and ends soon after \p MaxTicks, or
  /// where those to come need the room. Later it is only noted with which inputs the loop begins.
  void walk(uint32_t Loop, const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t NumRows,
            uint64_t MaxTicks);

  /// After the call: the classes that are worth code, loop by loop; of small loops without such,
  /// all rows. Loops of which no version could keep the tables are among them only if they are
  /// wanted.
  std::vector<RowsOfLoop> shapes(bool WithUnsteady = false) const;
  /// How many such loops there were.
  size_t numUnsteady() const;
  /// How many loops leave in arrays what the rows have noted there: no version would be right.
  size_t numNoted() const;

private:
  /// A loop that begins otherwise more often in one call would have its rows walked again and
  /// again.
  static constexpr size_t MaxBeginnings = MaxRowTables;
  /// So often it is looked at how a loop begins.
  static constexpr uint32_t MaxLooks = 4096;

  struct Walked {
    uint32_t Loop = 0;
    uint64_t AllRows = 0; ///< of the loop; NumRows of them were walked
    bool HasAddresses = false, MayWait = false;
    uint64_t FirstRow = 0, NumRows = 0, FirstEntry = 0;
    uint32_t Looks = 0;
    size_t NumBeginnings = 0;                         ///< that differ
    std::array<uint64_t, MaxBeginnings> Beginnings{}; ///< hashes of the inputs that decide
    bool LeavesNotes = false;
    bool isUnsteady() const { return NumBeginnings > MaxBeginnings; }
  };
  struct Walk;
  void addBeginning(Walked &W, const specrt_rows_site &Site, const uint64_t *Inputs,
                    uint64_t NumRows);
  void walkRows(Walked &New, const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t NumRows,
                uint64_t MaxTicks);
  template <typename Visitor> void eachRow(const Walked &W, Visitor Visit) const;
  RowTraces traces(const Walked &W) const;

  int64_t *Values = nullptr;         ///< [MaxEntries]
  uint8_t *Kinds = nullptr;          ///< [MaxEntries]
  uint32_t Expected = 0;             ///< loops whose rows may be walked
  uint32_t *Lengths = nullptr;       ///< [MaxRows] entries of each row
  specrt_row_phase *Phase = nullptr; ///< of the row that is walked
  RowNotes *Notes = nullptr;
  size_t NumEntries = 0, NumRows = 0, NumLoops = 0;
  uint64_t Settled = 0; ///< loops of which enough is known, as bits
  std::array<Walked, MaxLoops> Loops{};
};

} // namespace specrt

#endif
