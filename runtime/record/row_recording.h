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
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace specrt {

class RowRecording {
public:
  static constexpr size_t MaxEntries = size_t{3} << 20, MaxRows = size_t{1} << 20, MaxLoops = 8;

  RowRecording() = default;
  ~RowRecording();
  RowRecording(const RowRecording &) = delete;
  RowRecording &operator=(const RowRecording &) = delete;

  /// The worker, before the call. Without memory nothing is recorded. \p Ahead: pages are there
  /// before they are written.
  void prepare(bool Ahead = false);

  /// Async-signal-safe; each loop the first time only. Ends soon after \p MaxTicks.
  void walk(uint32_t Loop, const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t NumRows,
            uint64_t MaxTicks);

  /// After the call: the classes that are worth code, loop by loop.
  std::vector<RowsOfLoop> shapes() const;

private:
  struct Walked {
    uint32_t Loop;
    uint64_t FirstRow, NumRows, FirstEntry;
  };
  struct Walk;

  int64_t *Values = nullptr;   ///< [MaxEntries]
  uint8_t *Kinds = nullptr;    ///< [MaxEntries]
  uint32_t *Lengths = nullptr; ///< [MaxRows] entries of each row
  size_t NumEntries = 0, NumRows = 0, NumLoops = 0;
  std::array<Walked, MaxLoops> Loops{};
};

} // namespace specrt

#endif
