//===- runtime/rows/inspector_sink.h - receives the rows that an inspector reports ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An inspector runs over the rows of a call once for each kind of table that may apply: for
// independent rows (row_table.cpp), and for rows that depend on each other
// (dag_schedule/dag_schedule.cpp). The data of a sink suffice for tables of several loops, for one
// thread or several.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_INSPECTOR_SINK_H
#define SPECRT_RUNTIME_ROWS_INSPECTOR_SINK_H

#include "profiler/streams/row_notes.h"
#include "runtime/rows/carried_rows.h"
#include "runtime/rows/row_pieces.h"
#include "runtime/rows/row_table.h"
#include "runtime/rows/run_predictor.h"
#include "structure/rows/row_structure.h"

namespace specrt {

/// A copy of a sparse loop without its code, which may be unloaded.
class SparseLoopCopy {
public:
  explicit SparseLoopCopy(const specrt_sparse_loop &Of);
  SparseLoopCopy(const SparseLoopCopy &) = delete;
  SparseLoopCopy &operator=(const SparseLoopCopy &) = delete;

  const specrt_sparse_loop &loop() const { return Plain; }
  /// Returns whether the loop may take turns with another one.
  bool mayBeFused() const { return MayBeFused; }

private:
  specrt_sparse_loop Plain;
  const bool MayBeFused;
  std::vector<specrt_rows_base> Bases;
  std::vector<uint8_t> Deciding;
  std::vector<std::vector<specrt_row_entry>> Entries;
  std::vector<specrt_row_class> Classes;
};

/// The part that is common to all tables. Does not change after end().
class InspectorSink : public specrt_row_trace {
public:
  virtual ~InspectorSink() = default;
  InspectorSink(const InspectorSink &) = delete;
  InspectorSink &operator=(const InspectorSink &) = delete;

  /// Ends an inspection, complete or not, and returns the table for its call.
  static InspectedRows end(std::shared_ptr<InspectorSink> Walked, const uint64_t *Inputs,
                           WatchCopies Copies = WatchCopies::OfAll);

  /// Returns another table for such a call. With \p IsParallel, threads share its segments.
  virtual InspectedRows table(bool IsParallel) const = 0;
  /// Returns the approximate bytes of memory.
  virtual size_t bytes() const {
    return sizeof(*this) + Carried.bytes() + (Picture ? Picture->bytes() : 0);
  }
  const RowGrounds &grounds() const { return Grounds; }

protected:
  InspectorSink(const specrt_sparse_loop &From, uint64_t Rows, uint64_t MaxAccesses, double MaxNs);

  /// Adds a row with \p Count entries. Returns null on success.
  virtual const char *add(uint64_t Count) = 0;
  /// Adds \p Count rows that agreed with predict() and were not reported.
  virtual void skip(uint64_t Count) = 0;
  /// Completes the analysis after the last row. Returns null on success.
  virtual const char *finish() = 0;
  /// Returns the classes of these rows, in ascending order. Must be called after finish().
  virtual std::vector<uint32_t> classesOfRows(const std::vector<uint64_t> &Some) const = 0;

  const EntryKind *kindsOfRow() const { return reinterpret_cast<const EntryKind *>(kinds); }
  /// Returns the trace of the row that is being added.
  const int64_t *trace() const { return phase->values; }
  /// Sets the number of phases in which rows take turns.
  void setPhases(uint32_t Number);
  /// Predicts that further rows of this phase belong to this class, if there are enough of them;
  /// with \p IsSettled they need no report. Null: no prediction.
  void predict(const RowPattern *Class, bool IsSettled);
  /// Makes all inspected rows reported from now on, whether they agree with the prediction or not.
  void reportAll() { ReportsAll = true; }
  bool predictsRuns() const { return Predictor != nullptr; }
  bool mayBeFused() const { return Copy.mayBeFused(); }
  /// Returns the values that row \p Row, which was reported, carries.
  const int64_t *carried(int64_t Row) const { return Carried.of(static_cast<uint64_t>(Row)); }
  bool isFirst(uint32_t Base) const { return Low[Base] >= High[Base]; }
  /// Adds the grounds of \p T, whose segments are complete.
  InspectedRows complete(std::shared_ptr<RowTable> T, bool IsParallel) const;

private:
  const SparseLoopCopy Copy;

protected:
  const specrt_sparse_loop &Loop;
  const uint64_t Rows;
  std::vector<specrt_row_access> Accesses;
  std::vector<uint64_t> RowLow, RowHigh, Low, High; ///< by base

private:
  static uint32_t next(specrt_row_trace *Trace, uint64_t Count);
  static void jumped(specrt_row_trace *Trace, uint32_t Base, uint64_t End, uint64_t From);
  const char *addRow(uint64_t Count);
  void addSilent();
  const char *addExtents();
  void addKnown(const RowPhase &Reported);
  uint64_t untilReported() const;
  bool isTooLong();
  const char *whyNone(bool &IsHopeless) const;
  bool setGrounds(const uint64_t *Inputs, WatchCopies Copies);
  void setContents();
  bool hasNotes(uint32_t Base) const { return Loop.bases[Base].flags & SPECRT_ROWS_NOTES; }
  bool leavePagesOut() const;
  bool watch(std::span<const WatchedRange> Some, WatchCopies Copies);
  bool setPieces(uint32_t Base);
  void addExtentsOf(uint32_t Base, std::span<const ReadPiece> Read);
  void endPicture();
  std::vector<NotedRange> noted() const;

  std::vector<RowPieces> Pieces; ///< by base: places of rows behind pointers
  std::vector<RowPhase> Phases;
  std::unique_ptr<RunPredictor> Predictor;  ///< null: all rows are inspected
  std::vector<int64_t> CarriedAfterSkip;    ///< carried values for the next row
  std::unique_ptr<RowNotes> Notes;          ///< of the inspected row
  std::unique_ptr<NotedPages> PagesOfNotes; ///< of all rows
  uint64_t MostSilent = 0; ///< number of rows since the last reported one that need no report
  bool ReportsAll = false;
  uint64_t NextLook;            ///< number of rows at which the clock is read next
  uint64_t EntriesReported = 0; ///< since the last clock reading
  uint64_t Known = 0;           ///< number of rows to skip
  uint64_t MarkSeen = 0;        ///< rows since then predict the time of the others ...
  double MarkNs = 0;            ///< ... their begin, relative to that of the inspection
  const uint64_t BeginNs;       ///< processor time of the thread, because others may run meanwhile
  const double MaxNs;
  double ExpectedNs = 0; ///< expected time of all rows, if that is too long
  CarriedRows Carried;
  uint64_t Seen = 0;
  const char *Problem = nullptr;
  RowGrounds Grounds;
  std::shared_ptr<RowPicture> Picture;
};

std::vector<RowClass> classesOf(const specrt_sparse_loop &Loop);

/// Returns a table for rows that read bytes that others write.
InspectedRows inspectRowDag(const specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows,
                            double MaxNs);
/// Returns a table for code that is for certain rows only.
InspectedRows inspectUnrolledRows(const specrt_sparse_loop &Loop, const uint64_t *Inputs,
                                  uint64_t Rows, double MaxNs);

} // namespace specrt

#endif
