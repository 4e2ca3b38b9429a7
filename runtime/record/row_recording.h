//===- runtime/record/row_recording.h - traces of rows from one call ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before a row loop of an instrumented call begins, its rows are inspected, and their traces are
// written to memory that the worker mapped before. The worker evaluates them afterwards.
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
  /// The limits of what is recorded of rows, which bound the memory.
  static constexpr size_t MaxEntries = size_t{3} << 20, MaxRows = size_t{1} << 20, MaxLoops = 8;

  RowRecording() = default;
  ~RowRecording();
  RowRecording(const RowRecording &) = delete;
  RowRecording &operator=(const RowRecording &) = delete;

  /// Called by the worker, before the call of a version with \p Loops row loops. Without memory
  /// nothing is recorded. With \p Ahead, memory gets pages before it is written.
  void prepare(uint32_t Loops = 1, bool Ahead = false);

  /// Returns how many of the expected loops may still have their rows inspected.
  uint32_t loopsToCome() const {
    return Expected - std::min(Expected, static_cast<uint32_t>(NumLoops));
  }

  /// Called before each loop: returns whether walk has any work to do.
  bool wants(uint32_t Loop) const { return Loop < 64 && (Settled >> Loop & 1) == 0; }
  /// Inspects each loop at its first call only, and stops soon after \p MaxTicks, or when the
  /// remaining room is reserved for other loops. Later calls only record the inputs with which the
  /// loop begins. Async-signal-safe.
  void walk(uint32_t Loop, const specrt_sparse_loop &SparseLoop, const uint64_t *Inputs,
            uint64_t NumRows, uint64_t MaxTicks);

  /// Called after the call: returns the classes that are worth code, loop by loop; for small loops
  /// without such classes, all rows. Loops whose tables no version could keep are included only if
  /// \p WithUnsteady.
  std::vector<RowsOfLoop> shapes(bool WithUnsteady = false) const;
  /// Returns the number of such loops.
  size_t numUnsteady() const;
  /// Returns the number of loops whose notes remain in arrays after the rows: no version would be
  /// correct.
  size_t numNoted() const;

private:
  /// The limit of different beginnings of a loop in one call: with more, its rows would be
  /// inspected again and again.
  static constexpr size_t MaxBeginnings = MaxRowTables;
  /// The number of beginnings of a loop that are recorded.
  static constexpr uint32_t MaxLooks = 4096;

  struct Walked {
    uint32_t Loop = 0;
    uint64_t AllRows = 0; ///< rows of the loop, of which NumRows were inspected
    bool HasAddresses = false, MayDepend = false;
    uint64_t FirstRow = 0, NumRows = 0, FirstEntry = 0;
    uint32_t Looks = 0;
    size_t NumBeginnings = 0;                         ///< different ones
    std::array<uint64_t, MaxBeginnings> Beginnings{}; ///< hashes of the inputs that decide
    bool LeavesNotes = false;
    bool isUnsteady() const { return NumBeginnings > MaxBeginnings; }
  };
  struct Walk;
  void addBeginning(Walked &W, const specrt_sparse_loop &SparseLoop, const uint64_t *Inputs,
                    uint64_t NumRows);
  void walkRows(Walked &New, const specrt_sparse_loop &SparseLoop, const uint64_t *Inputs,
                uint64_t NumRows, uint64_t MaxTicks);
  template <typename Visitor> void eachRow(const Walked &W, Visitor Visit) const;
  RowTraces traces(const Walked &W) const;

  int64_t *Values = nullptr;         ///< [MaxEntries]
  uint8_t *Kinds = nullptr;          ///< [MaxEntries]
  uint32_t Expected = 0;             ///< loops whose rows may be walked
  uint32_t *Lengths = nullptr;       ///< [MaxRows] entries of each row
  specrt_row_phase *Phase = nullptr; ///< phase of the inspected row
  RowNotes *Notes = nullptr;
  size_t NumEntries = 0, NumRows = 0, NumLoops = 0;
  uint64_t Settled = 0; ///< bits of loops that need no further recording
  std::array<Walked, MaxLoops> Loops{};
};

} // namespace specrt

#endif
