//===- runtime/rows/row_listener.h - what an inspector is told, and by whom ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An inspector walks the rows of a call once for each kind of table that might be right: for rows
// that are independent (row_table.cpp), and for such that wait for each other (dependent_rows.cpp).
// Who has listened knows enough for tables of several sites, by one thread or several.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_ROW_LISTENER_H
#define SPECRT_RUNTIME_ROWS_ROW_LISTENER_H

#include "profiler/streams/row_notes.h"
#include "runtime/rows/carried_rows.h"
#include "runtime/rows/row_leaps.h"
#include "runtime/rows/row_pieces.h"
#include "runtime/rows/row_table.h"
#include "structure/rows/row_structure.h"

namespace specrt {

/// A site without its code, which may go.
class SiteCopy {
public:
  explicit SiteCopy(const specrt_rows_site &Of);
  SiteCopy(const SiteCopy &) = delete;
  SiteCopy &operator=(const SiteCopy &) = delete;

  const specrt_rows_site &site() const { return Plain; }
  /// May its loop take turns with another?
  bool mayBeFused() const { return MayBeFused; }

private:
  specrt_rows_site Plain;
  const bool MayBeFused;
  std::vector<specrt_rows_base> Bases;
  std::vector<uint8_t> Deciding;
  std::vector<std::vector<specrt_row_entry>> Entries;
  std::vector<specrt_row_class> Classes;
};

/// What is the same for all tables. Does not change after end().
class RowListener : public specrt_row_trace {
public:
  virtual ~RowListener() = default;
  RowListener(const RowListener &) = delete;
  RowListener &operator=(const RowListener &) = delete;

  /// The table for the call whose rows \p Walked has heard of, all of them or not.
  static InspectedRows end(std::shared_ptr<RowListener> Walked, const uint64_t *Inputs,
                           WatchCopies Copies = WatchCopies::OfAll);

  /// Another one for such a call. \p IsParallel: threads share its segments.
  virtual InspectedRows table(bool IsParallel) const = 0;
  /// Memory that it takes, about.
  virtual size_t bytes() const {
    return sizeof(*this) + Carried.bytes() + (Picture ? Picture->bytes() : 0);
  }
  const RowGrounds &grounds() const { return Grounds; }

protected:
  RowListener(const specrt_rows_site &From, uint64_t Rows, uint64_t MaxAccesses, double MaxNs);

  /// The row has \p Count entries. Null: all is well.
  virtual const char *add(uint64_t Count) = 0;
  /// \p Count rows were what foresee() has said, and nobody was told.
  virtual void skip(uint64_t Count) = 0;
  /// All rows are there. Null: all is well.
  virtual const char *finish() = 0;
  /// After that: of these rows, ascending.
  virtual std::vector<uint32_t> classesOfRows(const std::vector<uint64_t> &Some) const = 0;

  const EntryKind *kindsOfRow() const { return reinterpret_cast<const EntryKind *>(kinds); }
  /// Of the row that is being added.
  const int64_t *trace() const { return phase->values; }
  /// Rows take turns in so many phases.
  void setPhases(uint32_t Number);
  /// Rows after this one in its phase are of this class, if there are enough of them, and, where
  /// \p IsSettled, need not be told; null: nothing is foreseen.
  void foresee(const RowPattern *Class, bool IsSettled);
  /// From now on all rows are told that are walked, whether they are foreseen or not.
  void hearAll() { HearsAll = true; }
  bool leaps() const { return Leaps != nullptr; }
  bool mayBeFused() const { return Copy.mayBeFused(); }
  /// What row \p Row carries, which somebody was told of.
  const int64_t *carried(int64_t Row) const { return Carried.of(static_cast<uint64_t>(Row)); }
  bool isFirst(uint32_t Base) const { return Low[Base] >= High[Base]; }
  /// \p T has its segments; adds what it holds for.
  InspectedRows complete(std::shared_ptr<RowTable> T, bool IsParallel) const;

private:
  const SiteCopy Copy;

protected:
  const specrt_rows_site &Site;
  const uint64_t Rows;
  std::vector<specrt_row_access> Accesses;
  std::vector<uint64_t> RowLow, RowHigh, Low, High; ///< by base

private:
  static uint32_t next(specrt_row_trace *Trace, uint64_t Count);
  static void jumped(specrt_row_trace *Trace, uint32_t Base, uint64_t End, uint64_t From);
  const char *addRow(uint64_t Count);
  void addSilent();
  const char *addExtents();
  void addKnown(const RowPhase &Told);
  uint64_t untilTold() const;
  bool isTooLong();
  const char *whyNone(bool &IsHopeless) const;
  bool setGrounds(const uint64_t *Inputs, WatchCopies Copies);
  void setContents();
  bool hasNotes(uint32_t Base) const { return Site.bases[Base].flags & SPECRT_ROWS_NOTES; }
  bool leavePagesOut() const;
  bool watch(std::span<const WatchedRange> Some, WatchCopies Copies);
  bool setPieces(uint32_t Base);
  void addExtentsOf(uint32_t Base, std::span<const ReadPiece> Read);
  void endPicture();
  std::vector<NotedRange> noted() const;

  std::vector<RowPieces> Pieces; ///< by base: where rows behind pointers are
  std::vector<RowPhase> Phases;
  std::unique_ptr<RowLeaps> Leaps;          ///< null: all rows are walked
  std::vector<int64_t> CarriedAfterLeap;    ///< what the next row is given
  std::unique_ptr<RowNotes> Notes;          ///< of the row that is walked
  std::unique_ptr<NotedPages> PagesOfNotes; ///< of all rows
  uint64_t MostSilent = 0; ///< rows that need not be told, since the last one that was
  bool HearsAll = false;
  uint64_t NextLook;        ///< at the clock: when so many rows were seen
  uint64_t EntriesTold = 0; ///< since the last one
  uint64_t Known = 0;       ///< rows to leap over
  uint64_t MarkSeen = 0;    ///< rows since then tell what others will take ...
  double MarkNs = 0;        ///< ... which began so long after the walk
  const uint64_t BeginNs;   ///< of the thread on a processor: others may run meanwhile
  const double MaxNs;
  double ExpectedNs = 0; ///< that all rows would take, where that is too long
  CarriedRows Carried;
  uint64_t Seen = 0;
  const char *Problem = nullptr;
  RowGrounds Grounds;
  std::shared_ptr<RowPicture> Picture;
};

std::vector<RowClass> classesOf(const specrt_rows_site &Site);

/// A table for rows that read what others write.
InspectedRows inspectDependentRows(const specrt_rows_site &Site, const uint64_t *Inputs,
                                   uint64_t Rows, double MaxNs);
/// A table for code that is of certain rows only.
InspectedRows inspectUnrolledRows(const specrt_rows_site &Site, const uint64_t *Inputs,
                                  uint64_t Rows, double MaxNs);

} // namespace specrt

#endif
