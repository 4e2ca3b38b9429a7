//===- runtime/rows/row_table.cpp - makes tables of independent rows ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/reasons.h"
#include "runtime/rows/data_caches.h"
#include "runtime/rows/inspector_sink.h"
#include "runtime/rows/segments.h"
#include "structure/rows/row_blocks.h"
#include "structure/rows/row_miner.h"

#include <algorithm>
#include <cerrno>
#include <cmath>

namespace specrt {
namespace {

/// The limit of rows per segment in tables for threads, so that all threads get work.
constexpr int64_t MaxSharedRows = 1024;
/// The share of a step's data that a segment has, in whole vectors, if caches do not keep the data
/// and two loops may take turns.
constexpr double StepShare = 0.25;
constexpr int64_t LeastRowsOfStep = 16;
/// The limit of rows per segment where rows take turns: the rows between those of a segment follow
/// soon, while caches keep their data.
constexpr int64_t MaxRowsInTurn = 64;
/// The least share of rows in classes with which a serial table is used.
constexpr double MinShare = 0.25;

/// The limit of parts of a loop; every thread should get one.
constexpr uint64_t MaxParts = 1024;

/// Some rows, or blocks, of a segment.
struct RowPiece {
  const RowSegment *Of;
  int64_t Done, Count;

  int64_t first() const { return Of->First + Done * Of->RowStep; }
};

/// Receives rows that are independent.
class IndependentRowsSink : public InspectorSink {
public:
  IndependentRowsSink(const specrt_sparse_loop &From, uint64_t Rows, double MaxNs)
      : InspectorSink(From, Rows, 1, MaxNs), Miner(RowMiner::assign(classesOf(Loop))),
        Direction(Loop.num_bases, 0) {
    setPhases(Miner.step());
    for (uint32_t Base = 0; Base < Loop.num_bases; ++Base)
      if (Loop.bases[Base].flags & SPECRT_ROWS_WRITTEN)
        Written.push_back(Base);
  }

  bool dependsOnOrder() const { return DependsOnOrder; }
  InspectedRows table(bool IsParallel) const override;
  size_t bytes() const override {
    return InspectorSink::bytes() + Found.Segments.capacity() * sizeof(RowSegment) +
           Found.Origins.capacity() * sizeof(int64_t);
  }

private:
  const char *add(uint64_t Count) override;
  void skip(uint64_t Count) override { Miner.skip(Count); }
  const char *finish() override;
  std::vector<uint32_t> classesOfRows(const std::vector<uint64_t> &Some) const override;
  bool followsOthers(uint32_t Base);
  int64_t mostRows(bool IsParallel, bool ExceedsCaches) const;
  std::vector<RowPiece> pieces(int64_t MostRows) const;
  void addPiece(const RowPiece &Piece, bool Streamed, RowTable &T, std::vector<size_t> &At) const;

  RowMiner Miner;
  RowStructure Found;
  std::vector<uint32_t> Written; ///< bases
  std::vector<int> Direction;    ///< direction of writes, by base: up 1, down -1, unknown yet 0
  bool DependsOnOrder = false;
  bool Descends = false; ///< some writes descend
};

const char *IndependentRowsSink::add(uint64_t Count) {
  Miner.row(kindsOfRow(), trace(), Count);
  if (Miner.givenUp())
    return words(Reason::RowsNeedMuch);
  for (const uint32_t Base : Written)
    if (!followsOthers(Base)) {
      DependsOnOrder = true;
      return words(Reason::RowsWriteOthers);
    }
  if (Descends)
    reportAll();
  const RowPattern *Settled = Miner.settled(), *Class = predictsRuns() ? Miner.begun() : Settled;
  predict(Class, Class && Class == Settled);
  return nullptr;
}

/// Returns whether the bytes that the row accesses through a base are disjoint from those of the
/// rows before it, in the same direction.
bool IndependentRowsSink::followsOthers(uint32_t Base) {
  const uint64_t From = RowLow[Base], To = RowHigh[Base];
  if (From >= To || isFirst(Base))
    return true;
  const int Now = From >= High[Base] ? 1 : To <= Low[Base] ? -1 : 0;
  if (Now == 0 || (Direction[Base] != 0 && Direction[Base] != Now))
    return false;
  Direction[Base] = Now;
  Descends |= Now < 0;
  return true;
}

/// Adds a piece. With \p Streamed, rows of blocks run one after the other. Appends the begin of the
/// piece's origins in T.Origins to \p At.
void IndependentRowsSink::addPiece(const RowPiece &Piece, bool Streamed, RowTable &T,
                                   std::vector<size_t> &At) const {
  const auto &[Of, Done, Count] = Piece;
  const RowSegment &Whole = *Of;
  const RowClass *Class = Whole.Class == RestClass ? nullptr : &Found.Classes[Whole.Class];
  SegmentCode Code{SPECRT_SEGMENT_AS_WRITTEN};
  if (Class)
    Code = {.Kind = !Whole.IsBlocks ? SPECRT_SEGMENT_AFFINE
                    : Streamed      ? SPECRT_SEGMENT_STREAMED_BLOCKS
                                    : SPECRT_SEGMENT_REGISTER_BLOCKS,
            .ClassIndex = Whole.Class};
  At.push_back(T.Origins.size());
  if (Class) {
    for (size_t I = 0; I < Class->entries(); ++I)
      T.Origins.push_back(Found.entryOf(Whole, Done, I));
    const auto NumRows = static_cast<uint64_t>(Whole.IsBlocks ? Count * Whole.RowStep : Count);
    T.RowsInClasses += NumRows;
    T.RowsInBlocks += Whole.IsBlocks ? NumRows : 0;
  } else {
    const int64_t *First = carried(Piece.first());
    T.Origins.insert(T.Origins.end(), First, First + Loop.num_carried);
  }
  T.Segments.push_back(Code.segment(/*Origins=*/nullptr, Piece.first(), Count));
}

const char *IndependentRowsSink::finish() {
  Found = Miner.finish();
  if (Found.GivenUp)
    return words(Reason::RowsNeedMuch);
  std::vector<bool> InBlocks(Loop.num_classes);
  for (uint32_t I = 0; I < Loop.num_classes; ++I)
    InBlocks[I] = hasCode(Loop.classes[I], SPECRT_SEGMENT_REGISTER_BLOCKS);
  joinBlocks(Found, InBlocks);
  return nullptr;
}

std::vector<uint32_t> IndependentRowsSink::classesOfRows(const std::vector<uint64_t> &Some) const {
  std::vector<uint32_t> Result(Some.size(), RestClass);
  for (const RowSegment &Of : Found.Segments) {
    if (Of.Class == RestClass || Of.RowStep <= 0)
      continue;
    const auto First = static_cast<uint64_t>(Of.First), Step = static_cast<uint64_t>(Of.RowStep);
    const uint64_t End = First + static_cast<uint64_t>(Of.Count) * Step;
    for (auto At = std::lower_bound(Some.begin(), Some.end(), First); At != Some.end() && *At < End;
         ++At)
      if (Of.IsBlocks || (*At - First) % Step == 0)
        Result[static_cast<size_t>(At - Some.begin())] = Of.Class;
  }
  return Result;
}

/// Returns the limit of rows per segment.
int64_t IndependentRowsSink::mostRows(bool IsParallel, bool ExceedsCaches) const {
  const int64_t Most = IsParallel ? MaxSharedRows : INT64_MAX;
  if (!ExceedsCaches || !mayBeFused())
    return Most;
  const double BytesOfRow = dataBytes(Loop, grounds()) / static_cast<double>(Rows);
  const double Wanted = StepShare * fusedStepBytes() / BytesOfRow;
  const auto InVectors =
      static_cast<int64_t>(std::min<double>(Wanted, MaxSharedRows)) & ~(LeastRowsOfStep - 1);
  return std::min(Most, std::max(LeastRowsOfStep, InVectors));
}

/// Returns the segments by first row. Segments that are too long, and those in which rows take
/// turns, are cut into pieces.
std::vector<RowPiece> IndependentRowsSink::pieces(int64_t MostRows) const {
  std::vector<RowPiece> All;
  for (const RowSegment &Whole : Found.Segments) {
    int64_t Most = Whole.RowStep > 1 && !Whole.IsBlocks ? MaxRowsInTurn : Whole.Count;
    if (Whole.rows() > MostRows)
      Most = std::min(Most, std::max<int64_t>(1, MostRows * Whole.Count / Whole.rows()));
    for (int64_t Done = 0; Done < Whole.Count; Done += Most)
      All.push_back({&Whole, Done, std::min(Most, Whole.Count - Done)});
  }
  std::sort(All.begin(), All.end(),
            [](const RowPiece &A, const RowPiece &B) { return A.first() < B.first(); });
  return All;
}

InspectedRows IndependentRowsSink::table(bool IsParallel) const {
  auto T = std::make_shared<RowTable>();
  std::vector<size_t> At;
  const bool ExceedsCaches = dataBytes(Loop, grounds()) > cachedBytes();
  for (const RowPiece &Piece : pieces(mostRows(IsParallel, ExceedsCaches)))
    addPiece(Piece, ExceedsCaches, *T, At);
  for (size_t I = 0; I < At.size(); ++I)
    T->Segments[I].origins = T->Origins.data() + At[I];
  T->num_parts = T->Segments.size();
  T->IsWorthIt =
      IsParallel || static_cast<double>(T->RowsInClasses) >= MinShare * static_cast<double>(Rows);
  return complete(std::move(T), IsParallel);
}

} // namespace

void RowGrounds::setKey(const specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows) {
  for (uint32_t I = 0; I < Loop.num_inputs; ++I)
    if (Loop.deciding[I])
      Key.push_back(Inputs[I]);
  Key.push_back(Rows);
}

bool RowGrounds::isFor(const specrt_sparse_loop &Loop, const uint64_t *Inputs,
                       uint64_t Rows) const {
  if (Key.back() != Rows)
    return false;
  size_t Next = 0;
  for (uint32_t I = 0; I < Loop.num_inputs; ++I)
    if (Loop.deciding[I] && Key[Next++] != Inputs[I])
      return false;
  return true;
}

bool RowGrounds::areApart(const specrt_sparse_loop &Loop, const uint64_t *Inputs) const {
  // Rows may call functions that set errno, and would read it in another order.
  const auto Errno = reinterpret_cast<uint64_t>(&errno);
  return std::all_of(Extents.begin(), Extents.end(), [&](const RowExtent &X) {
    const uint64_t Base = beginOf(Loop, X.Base, Inputs);
    const uint64_t From = Base + static_cast<uint64_t>(X.Low);
    const uint64_t To = Base + static_cast<uint64_t>(X.High);
    if (Errno < To && From < Errno + sizeof(errno))
      return false;
    if (!(Loop.bases[X.Base].flags & (SPECRT_ROWS_WRITTEN | SPECRT_ROWS_NOTES)))
      return true;
    return std::none_of(Extents.begin(), Extents.end(), [&](const RowExtent &Y) {
      const uint64_t Other = beginOf(Loop, Y.Base, Inputs);
      return X.Base != Y.Base && From < Other + static_cast<uint64_t>(Y.High) &&
             Other + static_cast<uint64_t>(Y.Low) < To;
    });
  });
}

double dataBytes(const specrt_sparse_loop &Loop, const RowGrounds &Of) {
  double Bytes = 0;
  for (const RowExtent &X : Of.Extents)
    if (!(Loop.bases[X.Base].flags & SPECRT_ROWS_DECIDES))
      Bytes += static_cast<double>(X.High - X.Low);
  return Bytes;
}

uint64_t RowTable::nextNumber() {
  static std::atomic<uint64_t> Next{0};
  return Next.fetch_add(1, std::memory_order_relaxed);
}

void RowTable::shareBy(std::unique_ptr<RowSharing> How) {
  Sharing = std::move(How);
  num_parts = std::min<uint64_t>(Sharing->plan().Strips.size() - 1, MaxParts);
  share = [](const specrt_rows_table *Table, specrt_rows_segments *Some, void *Words) {
    static_cast<const RowTable *>(Table)->Sharing->work(Some, Words);
  };
}

void RowTable::makeNotes(const specrt_sparse_loop &Loop, const std::vector<NotedRange> &Ranges) {
  // Code requests a place whether this call's rows make notes or not.
  if (std::none_of(Loop.bases, Loop.bases + Loop.num_bases,
                   [](const specrt_rows_base &B) { return B.flags & SPECRT_ROWS_NOTES; }))
    return;
  Notes = std::make_unique<NotesOfThreads>(Ranges, Loop.num_inputs + 1);
  if (Notes->places() == 1) {
    IsWorthIt = false;
    Problem = words(Reason::NoMemoryForRows);
  }
  lend = [](const specrt_rows_table *Table, const uint64_t *Words, uint64_t *Into) {
    return static_cast<const RowTable *>(Table)->Notes->lend(Words, Into);
  };
  give_back = [](const specrt_rows_table *Table, uint32_t Lent) {
    static_cast<const RowTable *>(Table)->Notes->giveBack(Lent);
  };
}

InspectedRows inspectRows(const specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows,
                          double MaxNs, WatchCopies Copies) {
  if (Loop.unrolled)
    return inspectUnrolledRows(Loop, Inputs, Rows, MaxNs);
  auto Sink = std::make_shared<IndependentRowsSink>(Loop, Rows, MaxNs);
  Loop.inspect(Inputs, Sink.get());
  if (Sink->dependsOnOrder() && Loop.may_depend)
    return inspectRowDag(Loop, Inputs, Rows, MaxNs);
  return InspectorSink::end(std::move(Sink), Inputs, Copies);
}

} // namespace specrt
