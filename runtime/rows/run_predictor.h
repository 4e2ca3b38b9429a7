//===- runtime/rows/run_predictor.h - skips rows that agree with predictions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In linear loops (specrt/rows.h), two consecutive rows of a class determine how addresses grow in
// its rows. They predict, for any number of rows, where rows read the data that decide, and which
// values they find, as long as each row agrees. Memory is compared with the predictions
// (structure/rows/predicted_reads.h), and the inspector skips all but the last of the rows that
// agree. That one is inspected: the accesses of skipped rows lie between those of the first and the
// last row.
//
//   rows      reported  skipped                        inspected  reported
//             r         r+1 ... r+n-1                  r+n        r+n+1: of another class
//             predicts all rows up to r+n+1
//
// If rows take turns in b phases, n - 1 is a multiple of b, and b rows are inspected.
//
// Every skipped row is what an inspection would have found, without a report. So branches go the
// same way (compared values do not change their order), no bytes are read that rows may have
// overwritten, and reads are near earlier ones.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_RUN_PREDICTOR_H
#define SPECRT_RUNTIME_ROWS_RUN_PREDICTOR_H

#include "specrt/rows.h"
#include "structure/rows/predicted_reads.h"

#include <atomic>
#include <span>
#include <vector>

namespace specrt {

class RowPattern;
class RowPieces;

/// The data that an inspector writes about the rows of one phase.
struct RowPhase : specrt_row_phase {
  const RowPattern *Class = nullptr; ///< predicted class
};

/// Disables skipping, for tests.
std::atomic<bool> &runPredictionIsOff();

class RunPredictor {
public:
  RunPredictor(const specrt_sparse_loop &Loop, size_t NumPhases);

  /// The bytes that are accessed through each base.
  struct Extents {
    std::vector<uint64_t> &Low, &High;
  };
  /// Records that row \p Row, of the phase with this number, was reported, is of the predicted
  /// class, and accessed \p OfRow through bases that are written.
  void addReported(const RowPhase &Phase, size_t Number, uint64_t Row, const Extents &OfRow);

  struct Limits {
    uint64_t Rows;  ///< number of remaining rows
    uint64_t Quiet; ///< number of the first of these that need no report
  };
  /// Returns the number of rows from row \p Row on, the first of \p Phases [\p First], that agree
  /// with the prediction. Later rows are compared with the last of them. Adds to \p OfAll, the
  /// extents of all rows so far, the deciding bytes that they read, or to \p Pieces if these are
  /// behind pointers.
  uint64_t skip(std::span<RowPhase> Phases, size_t First, uint64_t Row, const Limits &To,
                const Extents &OfAll, std::span<RowPieces> Pieces);
  /// Disables skips as long as rows are reported.
  void wait() { Wanted = UINT64_MAX; }
  /// Returns the number of rows from row \p Row on that need no report before the next try.
  uint64_t untilNext(uint64_t Row) const { return Wanted - std::min(Wanted, Row); }
  uint64_t skipped() const { return Skipped; }

private:
  /// The growth of rows of a class from one row to its next.
  struct Growth {
    bool IsKnown = false, IsUseless = false;
    std::vector<uint64_t> Places, Others; ///< by entry
    std::vector<int64_t> Writes;          ///< by base
  };
  /// The last reported row of a phase.
  struct ReportedRow {
    const RowPattern *Class = nullptr; ///< null: no row
    uint64_t Row = 0;
    std::vector<uint64_t> Places, Others, Low, High;
  };
  /// A read of the next rows.
  struct Read {
    LinearWord Address;
    uint32_t Base, Bytes;
  };

  Growth &growthOf(const RowPattern &Class);
  void learn(Growth &G, const ReportedRow &Before, const RowPhase &Phase,
             const Extents &OfRow) const;
  bool mayTry(std::span<RowPhase> Phases, uint64_t Row);
  uint64_t rowsAsPredicted(std::span<RowPhase> Phases, size_t First, uint64_t Most,
                           const Extents &OfAll);
  uint64_t predict(const RowPhase &Phase, uint64_t Most);
  uint64_t addValue(const RowPhase &Phase, const Growth &G, size_t Entry, uint64_t Most);
  bool areNear() const;
  bool areNear(uint32_t Base) const;
  bool mayOverwrite(std::span<RowPhase> Phases, uint64_t Count, const Extents &OfAll);
  void addPieces(uint64_t Count, std::span<RowPieces> Pieces) const;
  void advance(std::span<RowPhase> Phases, uint64_t Count, const Extents &OfAll,
               std::span<RowPieces> Pieces) const;

  const specrt_sparse_loop &Loop;
  const size_t NumPhases;
  std::vector<Growth> Classes;   ///< by number
  std::vector<ReportedRow> Last; ///< by phase
  std::vector<Read> Reads;
  PredictedReads Predicted;
  std::vector<uint64_t> ReadLow, ReadHigh; ///< by base
  uint64_t Ready = 0;  ///< before that row some phases differ from those before the skip
  uint64_t Wanted = 0; ///< next row to report
  uint64_t Pause = 0;  ///< rows to pass after a skip that was not worth it
  uint64_t Skipped = 0;
};

} // namespace specrt

#endif
