//===- runtime/rows/run_predictor.cpp - skips rows that agree with predictions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/run_predictor.h"
#include "runtime/rows/row_pieces.h"
#include "structure/rows/row_pattern.h"

#include <algorithm>
#include <cstdlib>

namespace specrt {
namespace {

/// The limit of rows per skip: a wrong prediction costs at most some microseconds.
constexpr uint64_t MaxRows = 8192;
/// Inspecting so many rows costs as much as predicting them.
constexpr uint64_t LeastRows = 16;
/// The number of preceding rows in a run that a prediction requires. A row's carried values were
/// read by the row before it, which may belong to another class. They continue as this class says
/// if they did so before, when that other row belonged to a run, too.
constexpr uint64_t RowsBefore = 2;
constexpr uint64_t FirstPause = 32, LastPause = 1024;
/// The limit of user-space addresses, and of their growth from row to row.
constexpr int64_t MaxAddress = int64_t{1} << 56, MaxStride = int64_t{1} << 40;
/// Loop counters must have this distance from the values at which they wrap.
constexpr int64_t MaxCounter = int64_t{1} << 62;

/// The decoded word of SPECRT_ROW_PLACE.
struct Place {
  explicit Place(uint64_t Word) : Word(Word) {}
  uint64_t Word;

  uint64_t address() const { return Word >> 8; }
  unsigned logBytes() const { return Word & 3; }
  PredictedReads::Turn turn() const { return static_cast<PredictedReads::Turn>(Word >> 2 & 3); }
  uint32_t base() const { return Word >> 4 & 15; }
};
static_assert(PredictedReads::First == static_cast<int>(SPECRT_ROW_FIRST) &&
              PredictedReads::InOrder == static_cast<int>(SPECRT_ROW_IN_ORDER) &&
              PredictedReads::Last == static_cast<int>(SPECRT_ROW_LAST));

/// Returns the distance between two places of the same load.
int64_t distance(uint64_t From, uint64_t To) { return static_cast<int64_t>(To - From) >> 8; }

/// Returns whether the row's run is long enough to continue.
bool isEnough(const RowPhase &Phase, uint64_t Count) {
  return Phase.num_entries != SPECRT_ROWS_NOT_PREDICTED || Count >= Phase.Class->MinRows;
}

/// Returns whether each value that is narrower than a word has the same sign as \p Rows rows ago.
/// When the sign changes, a zero-extended value grows by a different amount once.
bool keptSigns(const RowPhase &Phase, uint64_t Rows) {
  const RowPattern &Class = *Phase.Class;
  for (size_t I = 0; I < Class.entries(); ++I) {
    const LinearWord Backwards = {static_cast<uint64_t>(Phase.values[I]), -Class.deltas()[I]};
    if (Class.Kinds[I] == EntryKind::Value &&
        rowsOfWidth(Backwards, Place(Phase.places[I]).logBytes(), Rows) < Rows)
      return false;
  }
  return true;
}

bool isModerate(int64_t Stride) { return Stride >= -MaxStride && Stride <= MaxStride; }

} // namespace

std::atomic<bool> &runPredictionIsOff() {
  static std::atomic<bool> AreOff{false};
  return AreOff;
}

RunPredictor::RunPredictor(const specrt_sparse_loop &Loop, size_t NumPhases)
    : Loop(Loop), NumPhases(NumPhases), Classes(Loop.num_classes), Last(NumPhases) {}

RunPredictor::Growth &RunPredictor::growthOf(const RowPattern &Class) {
  return Classes[Class.Index];
}

void RunPredictor::addReported(const RowPhase &Phase, size_t Number, uint64_t Row,
                               const Extents &OfRow) {
  ReportedRow &Before = Last[Number];
  Growth &G = growthOf(*Phase.Class);
  if (G.IsKnown || G.IsUseless)
    return;
  if (Before.Class == Phase.Class && Before.Row + NumPhases == Row && keptSigns(Phase, 1)) {
    learn(G, Before, Phase, OfRow);
    return;
  }
  const size_t Entries = Phase.Class->entries();
  Before.Class = Phase.Class;
  Before.Row = Row;
  Before.Places.assign(Phase.places, Phase.places + Entries);
  Before.Others.assign(Phase.others, Phase.others + Entries);
  Before.Low = OfRow.Low;
  Before.High = OfRow.High;
}

/// Records the growth from \p Before to the row of \p Phase, the next one of its class.
void RunPredictor::learn(Growth &G, const ReportedRow &Before, const RowPhase &Phase,
                         const Extents &OfRow) const {
  for (size_t I = 0; I < Before.Places.size(); ++I) {
    const bool IsValue = Phase.Class->Kinds[I] == EntryKind::Value;
    G.Places.push_back(IsValue ? static_cast<uint64_t>(distance(Before.Places[I], Phase.places[I]))
                               : Phase.places[I] - Before.Places[I]);
    G.Others.push_back(static_cast<uint64_t>(Phase.others[I]) - Before.Others[I]);
    G.IsUseless |= IsValue && (!isModerate(static_cast<int64_t>(G.Places[I])) ||
                               (Phase.places[I] - Before.Places[I]) % 256 != 0);
  }
  for (uint32_t Base = 0; Base < Loop.num_bases; ++Base) {
    if (!(Loop.bases[Base].flags & SPECRT_ROWS_WRITTEN) || OfRow.Low[Base] >= OfRow.High[Base]) {
      G.Writes.push_back(0);
      continue;
    }
    const auto By = static_cast<int64_t>(OfRow.Low[Base] - Before.Low[Base]);
    G.Writes.push_back(By);
    G.IsUseless |=
        !isModerate(By) || By != static_cast<int64_t>(OfRow.High[Base] - Before.High[Base]);
  }
  G.IsKnown = !G.IsUseless;
}

/// Returns whether enough is known about all phases. If only a reported row can tell, the next one
/// is requested.
bool RunPredictor::mayTry(std::span<RowPhase> Phases, uint64_t Row) {
  wait();
  if (std::any_of(Phases.begin(), Phases.end(), [](const RowPhase &P) { return !P.Class; }))
    return false;
  bool AllAreKnown = true;
  for (const RowPhase &Each : Phases) {
    const Growth &G = growthOf(*Each.Class);
    if (G.IsUseless)
      return false;
    AllAreKnown &= G.IsKnown;
  }
  if (Row < Ready)
    Wanted = Ready - 1;
  else if (!AllAreKnown)
    Wanted = Row;
  return Row >= Ready && AllAreKnown;
}

/// Returns the last row up to which values have the width of their loads and addresses are valid.
uint64_t RunPredictor::addValue(const RowPhase &Phase, const Growth &G, size_t Entry,
                                uint64_t Most) {
  const Place At(Phase.places[Entry]);
  const LinearWord Value = {static_cast<uint64_t>(Phase.values[Entry]),
                            Phase.Class->deltas()[Entry]};
  Most = rowsOfWidth(Value, At.logBytes(), Most);
  if (At.address() == 0)
    return Most;
  const LinearWord Address = {At.address(), G.Places[Entry]};
  Predicted.add({.Value = Value, .Address = Address, .LogBytes = At.logBytes()}, At.turn());
  Reads.push_back({.Address = Address, .Base = At.base(), .Bytes = 1U << At.logBytes()});
  return Address.rowsWithin(0, MaxAddress - 1, Most);
}

/// Returns the number of rows, at most \p Most, counted from the phase's last one, whose control
/// follows from predicted reads; adds these reads.
uint64_t RunPredictor::predict(const RowPhase &Phase, uint64_t Most) {
  const Growth &G = growthOf(*Phase.Class);
  if (!keptSigns(Phase, RowsBefore))
    return 0;
  for (size_t I = 0; I < Phase.Class->entries() && Most > 0; ++I) {
    const LinearWord One = {Phase.places[I], G.Places[I]};
    const LinearWord Other = {static_cast<uint64_t>(Phase.others[I]), G.Others[I]};
    switch (Phase.Class->Kinds[I]) {
    case EntryKind::Value:
      Most = addValue(Phase, G, I, Most);
      break;
    case EntryKind::Branch:
      Most = rowsInOrder(One, Other, Most);
      break;
    case EntryKind::Trips: // one of the two counts; the previous one differs by the same amount
      Most = One.Delta == Other.Delta ? One.rowsWithin(-MaxCounter, MaxCounter, Most) : 0;
      Most = Other.rowsWithin(-MaxCounter, MaxCounter, Most);
      break;
    case EntryKind::Source:
      return 0;
    }
  }
  return Most;
}

/// Returns whether each row reads near earlier reads: near its own last one, or near others that
/// move with it. Rows behind pointers may be anywhere.
bool RunPredictor::areNear() const {
  const auto IsNear = [this](const Read &R) {
    const auto By = static_cast<int64_t>(R.Address.Delta);
    return isInPieces(Loop.bases[R.Base]) ||
           std::abs(By) <= static_cast<int64_t>(SPECRT_ROWS_NEAR_BYTES);
  };
  return std::all_of(Reads.begin(), Reads.end(),
                     [&](const Read &R) { return IsNear(R) || areNear(R.Base); });
}

bool RunPredictor::areNear(uint32_t Base) const {
  constexpr uint64_t Near = SPECRT_ROWS_NEAR_BYTES;
  uint64_t Low = UINT64_MAX, High = 0;
  const Read *Any = nullptr;
  for (const Read &R : Reads) {
    if (R.Base != Base)
      continue;
    if (Any && Any->Address.Delta != R.Address.Delta)
      return false;
    Any = &R;
    Low = std::min(Low, R.Address.Value);
    High = std::max(High, R.Address.Value + R.Bytes);
  }
  for (const Read &R : Reads) {
    const uint64_t From = R.Address.in(1);
    if (R.Base != Base)
      continue;
    if (From > High + Near || From + Near < Low)
      return false;
    Low = std::min(Low, From);
    High = std::max(High, From + R.Bytes);
  }
  return true;
}

/// Returns whether one of the next \p Count rows of each phase may read bytes that rows write until
/// then.
bool RunPredictor::mayOverwrite(std::span<RowPhase> Phases, uint64_t Count, const Extents &OfAll) {
  ReadLow = OfAll.Low;
  ReadHigh = OfAll.High;
  for (const Read &R : Reads)
    for (const uint64_t From : {R.Address.in(1), R.Address.in(Count)}) {
      ReadLow[R.Base] = std::min(ReadLow[R.Base], From);
      ReadHigh[R.Base] = std::max(ReadHigh[R.Base], From + R.Bytes);
    }
  for (uint32_t Base = 0; Base < Loop.num_bases; ++Base) {
    if (!(Loop.bases[Base].flags & SPECRT_ROWS_WRITTEN) || OfAll.Low[Base] >= OfAll.High[Base])
      continue;
    int64_t Down = 0, Up = 0;
    for (const RowPhase &Each : Phases) {
      const int64_t By = growthOf(*Each.Class).Writes[Base];
      Down = std::min(Down, By);
      Up = std::max(Up, By);
    }
    const int64_t Low = static_cast<int64_t>(OfAll.Low[Base]) + static_cast<int64_t>(Count) * Down;
    const int64_t High = static_cast<int64_t>(OfAll.High[Base]) + static_cast<int64_t>(Count) * Up;
    for (uint32_t Other = 0; Other < Loop.num_bases; ++Other)
      if (!(Loop.bases[Other].flags & SPECRT_ROWS_WRITTEN) && ReadLow[Other] < ReadHigh[Other] &&
          Low < static_cast<int64_t>(ReadHigh[Other]) &&
          static_cast<int64_t>(ReadLow[Other]) < High)
        return true;
  }
  return false;
}

/// Advances the last row of each phase by \p Count rows.
void RunPredictor::advance(std::span<RowPhase> Phases, uint64_t Count, const Extents &OfAll,
                           std::span<RowPieces> Pieces) const {
  for (RowPhase &Each : Phases)
    Each.Class->advance(reinterpret_cast<uint64_t *>(Each.values), Count);
  for (const Read &R : Reads) {
    if (isInPieces(Loop.bases[R.Base]))
      continue;
    const uint64_t From = R.Address.in(Count);
    OfAll.Low[R.Base] = std::min(OfAll.Low[R.Base], From);
    OfAll.High[R.Base] = std::max(OfAll.High[R.Base], From + R.Bytes);
  }
  addPieces(Count, Pieces);
}

/// Adds the bytes that the next \p Count rows of each phase read behind pointers. Neighbouring
/// reads that move together are merged.
void RunPredictor::addPieces(uint64_t Count, std::span<RowPieces> Pieces) const {
  for (size_t I = 0; I < Reads.size();) {
    const Read &First = Reads[I];
    uint64_t Bytes = First.Bytes;
    for (++I; I < Reads.size() && Reads[I].Base == First.Base &&
              Reads[I].Address.Delta == First.Address.Delta &&
              Reads[I].Address.Value == First.Address.Value + Bytes;
         ++I)
      Bytes += Reads[I].Bytes;
    if (!isInPieces(Loop.bases[First.Base]))
      continue;
    for (uint64_t Row = 1; Row <= Count; ++Row)
      Pieces[First.Base].add(First.Address.in(Row), First.Address.in(Row) + Bytes);
  }
}

/// Returns the number of rows of each phase that agree with the prediction.
uint64_t RunPredictor::rowsAsPredicted(std::span<RowPhase> Phases, size_t First, uint64_t Most,
                                       const Extents &OfAll) {
  Predicted.clear();
  Reads.clear();
  for (size_t I = 0; I < NumPhases && Most > 0; ++I)
    Most = predict(Phases[(First + I) % NumPhases], Most);
  if (Most == 0 || !areNear() || mayOverwrite(Phases, Most, OfAll))
    return 0;
  return Predicted.verify(Most);
}

uint64_t RunPredictor::skip(std::span<RowPhase> Phases, size_t First, uint64_t Row,
                            const Limits &To, const Extents &OfAll, std::span<RowPieces> Pieces) {
  if (!mayTry(Phases, Row))
    return 0;
  // The last rows are inspected.
  const uint64_t Most =
      std::min({To.Rows / NumPhases, To.Quiet / NumPhases + 1, MaxRows / NumPhases});
  if (Most * NumPhases < LeastRows + NumPhases)
    return 0;
  uint64_t Count = std::max<uint64_t>(1, rowsAsPredicted(Phases, First, Most, OfAll)) - 1;
  if (std::any_of(Phases.begin(), Phases.end(),
                  [&](const RowPhase &P) { return !isEnough(P, Count); }))
    Count = 0;
  if (Count > 0)
    advance(Phases, Count, OfAll, Pieces);
  const uint64_t Known = Count * NumPhases;
  Skipped += Known;
  Ready = Row + Known + NumPhases;
  if (Known < LeastRows) {
    Pause = std::clamp(2 * Pause, FirstPause, LastPause);
    Ready += Pause;
  } else {
    Pause = 0;
  }
  if (Count + 1 < Most)
    Ready += NumPhases; // one of these belongs to another class
  if (Count + 1 == Most || Pause > 0)
    Wanted = Ready - 1;
  return Known;
}

} // namespace specrt
