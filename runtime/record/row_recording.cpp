//===- runtime/record/row_recording.cpp - traces of rows from one call ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/row_recording.h"
#include "profiler/streams/row_notes.h"
#include "runtime/base/clock.h"
#include "runtime/base/touch_ahead.h"
#include "structure/rows/row_miner.h"

#include <algorithm>
#include <sys/mman.h>

namespace specrt {
namespace {

/// The approximate number of entries written in one inspection.
constexpr size_t EntriesAhead = size_t{1} << 20;
/// The number of entries between two clock readings.
constexpr uint64_t FewEntries = 4096;
constexpr uint64_t MaxTrace = SPECRT_ROWS_MAX_TRACE;
constexpr size_t MaxBases = 64;
constexpr size_t NumBytes = RowRecording::MaxEntries * (sizeof(int64_t) + 1) +
                            RowRecording::MaxRows * sizeof(uint32_t) + sizeof(specrt_row_phase) +
                            sizeof(RowNotes);
static_assert(RowRecording::MaxRows % 2 == 0, "what comes behind them is aligned");

} // namespace

void RowRecording::prepare(uint32_t Loops, bool Ahead) {
  void *Memory = mmap(nullptr, NumBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Memory == MAP_FAILED)
    return;
  Values = static_cast<int64_t *>(Memory);
  Lengths = reinterpret_cast<uint32_t *>(Values + MaxEntries);
  Phase = reinterpret_cast<specrt_row_phase *>(Lengths + MaxRows);
  Notes = reinterpret_cast<RowNotes *>(Phase + 1);
  Kinds = reinterpret_cast<uint8_t *>(Notes + 1);
  Expected = std::min(Loops, static_cast<uint32_t>(MaxLoops));
  if (!Ahead)
    return;
  touchAhead(Values, EntriesAhead * sizeof(*Values));
  touchAhead(Phase, sizeof(*Phase));
  touchAhead(Lengths, EntriesAhead / 4 * sizeof(*Lengths));
  touchAhead(Kinds, EntriesAhead * sizeof(*Kinds));
}

RowRecording::~RowRecording() {
  if (Values)
    munmap(Values, NumBytes);
}

/// An inspection of one loop.
struct RowRecording::Walk : specrt_row_trace {
  RowRecording *Into;
  uint64_t Begin, MaxTicks;
  size_t EndRows, EndEntries; ///< indices in the recording
  uint64_t SinceLook = 0;

  static uint32_t next(specrt_row_trace *Trace, uint64_t Count) {
    auto &Mine = *static_cast<Walk *>(Trace);
    RowRecording &R = *Mine.Into;
    R.Lengths[R.NumRows++] = static_cast<uint32_t>(std::min(Count, MaxTrace + 1));
    if (Count <= MaxTrace) {
      std::copy_n(Mine.phase->values, Count, R.Values + R.NumEntries);
      std::copy_n(Mine.kinds, Count, R.Kinds + R.NumEntries);
      R.NumEntries += Count;
    }
    if (R.NumRows == Mine.EndRows || R.NumEntries + MaxTrace + 1 > Mine.EndEntries)
      return 0;
    Mine.SinceLook += Count + 16;
    if (Mine.SinceLook < FewEntries)
      return 1;
    Mine.SinceLook = 0;
    return ticks() - Mine.Begin < Mine.MaxTicks;
  }
};

/// Inspects the rows of a call while there is room and time.
void RowRecording::walkRows(Walked &New, const specrt_sparse_loop &SparseLoop,
                            const uint64_t *Inputs, uint64_t Rows, uint64_t MaxTicks) {
  // this loop is already counted among the inspected ones
  const uint32_t Sharers = 1 + loopsToCome();
  const size_t EndRows = NumRows + (MaxRows - NumRows) / Sharers;
  const size_t EndEntries = NumEntries + (MaxEntries - NumEntries) / Sharers;
  if (NumRows >= EndRows || NumEntries + MaxTrace + 1 > EndEntries ||
      SparseLoop.num_bases > MaxBases)
    return;
  uint64_t Low[MaxBases], High[MaxBases], AllLow[MaxBases] = {}, AllHigh[MaxBases] = {};
  Walk W{};
  Phase->num_entries = SPECRT_ROWS_NOT_PREDICTED;
  Phase->next = Phase;
  W.phase = Phase;
  specrt_row_access Ignored;
  W.accesses = &Ignored;
  W.access_capacity = 1;
  W.low = Low;
  W.high = High;
  W.all_low = AllLow;
  W.all_high = AllHigh;
  W.row = Walk::next;
  W.jump = [](specrt_row_trace *, uint32_t, uint64_t, uint64_t) {}; // places of rows are not needed
  W.num_rows = Rows;
  W.next_carried = Phase->values; // predictions are not used
  W.Into = this;
  W.Begin = ticks();
  W.MaxTicks = MaxTicks;
  W.EndRows = EndRows;
  W.EndEntries = EndEntries;
  if (std::any_of(SparseLoop.bases, SparseLoop.bases + SparseLoop.num_bases,
                  [](const specrt_rows_base &B) { return B.flags & SPECRT_ROWS_NOTES; })) {
    Notes->begin();
    W.notes = Notes;
  }
  SparseLoop.inspect(Inputs, &W);
  New.NumRows = NumRows - New.FirstRow;
  New.LeavesNotes = W.trouble == SPECRT_ROWS_NOTED;
}

/// A table is valid for the inputs that decide and the number of rows.
void RowRecording::addBeginning(Walked &W, const specrt_sparse_loop &SparseLoop,
                                const uint64_t *Inputs, uint64_t Rows) {
  uint64_t Hash = Rows;
  for (uint32_t I = 0; I < SparseLoop.num_inputs; ++I)
    if (SparseLoop.deciding[I])
      Hash = (Hash ^ Hash >> 29 ^ Inputs[I]) * 0x9e3779b97f4a7c15u;
  const auto End =
      W.Beginnings.begin() + static_cast<ptrdiff_t>(std::min(W.NumBeginnings, MaxBeginnings));
  if (std::find(W.Beginnings.begin(), End, Hash) == End) {
    if (W.NumBeginnings < MaxBeginnings)
      W.Beginnings[W.NumBeginnings] = Hash;
    ++W.NumBeginnings;
  }
  if (++W.Looks == MaxLooks || W.isUnsteady())
    Settled |= uint64_t{1} << W.Loop;
}

void RowRecording::walk(uint32_t Loop, const specrt_sparse_loop &SparseLoop, const uint64_t *Inputs,
                        uint64_t Rows, uint64_t MaxTicks) {
  if (!Values || Rows == 0 || !wants(Loop))
    return;
  const auto End = Loops.begin() + static_cast<ptrdiff_t>(NumLoops);
  const auto Known =
      std::find_if(Loops.begin(), End, [&](const Walked &W) { return W.Loop == Loop; });
  if (Known != End)
    return addBeginning(*Known, SparseLoop, Inputs, Rows);
  if (NumLoops == MaxLoops) {
    Settled |= uint64_t{1} << Loop;
    return;
  }
  Walked &New = Loops[NumLoops++];
  New = {.Loop = Loop,
         .AllRows = Rows,
         .HasAddresses = SparseLoop.has_addresses != 0,
         .MayDepend = SparseLoop.may_depend != SPECRT_ROWS_INDEPENDENT,
         .FirstRow = NumRows,
         .FirstEntry = NumEntries};
  walkRows(New, SparseLoop, Inputs, Rows, MaxTicks);
  addBeginning(New, SparseLoop, Inputs, Rows);
}

size_t RowRecording::numUnsteady() const {
  return static_cast<size_t>(std::count_if(Loops.begin(),
                                           Loops.begin() + static_cast<ptrdiff_t>(NumLoops),
                                           [](const Walked &W) { return W.isUnsteady(); }));
}

size_t RowRecording::numNoted() const {
  return static_cast<size_t>(std::count_if(Loops.begin(),
                                           Loops.begin() + static_cast<ptrdiff_t>(NumLoops),
                                           [](const Walked &W) { return W.LeavesNotes; }));
}

template <typename Visitor> void RowRecording::eachRow(const Walked &W, Visitor Visit) const {
  size_t Entry = W.FirstEntry;
  // Kinds are bytes with the values of EntryKind.
  for (uint64_t Row = W.FirstRow; Row < W.FirstRow + W.NumRows; ++Row) {
    Visit(reinterpret_cast<const EntryKind *>(Kinds + Entry), Values + Entry, Lengths[Row]);
    if (Lengths[Row] <= MaxTrace)
      Entry += Lengths[Row];
  }
}

/// Returns the traces of all rows; none if they are too long.
RowTraces RowRecording::traces(const Walked &W) const {
  RowTraces All;
  bool AreShort = true;
  eachRow(W, [&](const EntryKind *RowKinds, const int64_t *Trace, size_t Count) {
    AreShort &= Count <= MaxTrace && All.Values.size() + Count <= RowTraces::MaxEntries &&
                All.Lengths.size() < RowTraces::MaxEntries;
    if (AreShort)
      All.add(RowKinds, Trace, Count);
  });
  return AreShort ? All : RowTraces();
}

std::vector<RowsOfLoop> RowRecording::shapes(bool WithUnsteady) const {
  std::vector<RowsOfLoop> Found;
  for (size_t I = 0; I < NumLoops; ++I) {
    const Walked &W = Loops[I];
    if (W.LeavesNotes || (W.isUnsteady() && !WithUnsteady))
      continue;
    RowMiner Miner = RowMiner::discover();
    eachRow(W, [&](const EntryKind *RowKinds, const int64_t *Trace, size_t Count) {
      Miner.row(RowKinds, Trace, Count);
    });
    Found.push_back({.Loop = W.Loop, .Rows = W.NumRows, .Classes = Miner.finish().Classes});
    // Classes of rows that wait for each other may gain nothing.
    if (W.NumRows == W.AllRows && !W.HasAddresses && (W.MayDepend || !promises({Found.back()})))
      Found.back().Traces = traces(W);
  }
  std::sort(Found.begin(), Found.end(),
            [](const RowsOfLoop &A, const RowsOfLoop &B) { return A.Loop < B.Loop; });
  return Found;
}

} // namespace specrt
