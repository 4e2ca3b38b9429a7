//===- runtime/rows/row_table.cpp - one table of rows, and what it holds for ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/row_table.h"
#include "profiler/streams/rows_of_loop.h"
#include "runtime/base/clock.h"
#include "structure/rows/row_miner.h"

#include <algorithm>
#include <new>

namespace specrt {
namespace {

constexpr double MaxInspectionNs = 150e6;
/// Segments of a table for threads are no longer than this, so that all get their share.
constexpr int64_t MaxSharedRows = 1024;
/// The least share of rows in classes for which a serial table is worth asking for.
constexpr double MinShare = 0.25;
/// Rows for which memory is taken at once.
constexpr uint64_t MaxReserved = uint64_t{1} << 20;

/// What an inspector tells.
class Listener : public specrt_row_trace {
public:
  Listener(const specrt_rows_site &Site, uint64_t Rows)
      : specrt_row_trace{}, Site(Site), Rows(Rows), Miner(RowMiner::assign(classesOf(Site))),
        Begin(ticks()), Values(SPECRT_ROWS_MAX_TRACE), Kinds(SPECRT_ROWS_MAX_TRACE),
        RowLow(Site.num_bases), RowHigh(Site.num_bases), Low(Site.num_bases, UINT64_MAX),
        High(Site.num_bases, 0), Direction(Site.num_bases, 0) {
    values = Values.data();
    kinds = Kinds.data();
    capacity = SPECRT_ROWS_MAX_TRACE;
    low = RowLow.data();
    high = RowHigh.data();
    row = next;
    Carried.reserve(std::min(Rows, MaxReserved) * Site.num_carried);
  }

  /// Null: all rows were walked, and nothing speaks against a table.
  const char *problem() const {
    if (Problem)
      return Problem;
    return Seen == Rows ? nullptr : "the rows are not those that were expected";
  }

  InspectedRows finish(const uint64_t *Inputs);

private:
  static std::vector<RowClass> classesOf(const specrt_rows_site &Site) {
    std::vector<RowClass> Classes;
    Classes.reserve(Site.num_classes);
    for (uint32_t I = 0; I < Site.num_classes; ++I)
      Classes.push_back(toRowClass(Site.classes[I]));
    return Classes;
  }
  static uint32_t next(specrt_row_trace *Trace, uint64_t Count) {
    auto &Mine = *static_cast<Listener *>(Trace);
    try {
      return Mine.addRow(Count);
    } catch (const std::bad_alloc &) { // nothing may go through generated code
      Mine.Problem = "the rows need too large a table";
      return 0;
    }
  }
  uint32_t addRow(uint64_t Count);
  bool addExtent(uint32_t Base);
  void addPieces(const RowSegment &Whole, const RowStructure &Found, RowTable &T,
                 std::vector<size_t> &At) const;

  const specrt_rows_site &Site;
  const uint64_t Rows;
  RowMiner Miner;
  const uint64_t Begin;
  std::vector<int64_t> Values;
  std::vector<uint8_t> Kinds;
  std::vector<uint64_t> RowLow, RowHigh, Low, High;
  std::vector<int> Direction; ///< of writes, by base: up 1, down -1, not known yet 0
  std::vector<int64_t> Carried;
  uint64_t Seen = 0;
  const char *Problem = nullptr;
};

uint32_t Listener::addRow(uint64_t Count) {
  // Even a row that is too long for the buffer has written these.
  Carried.insert(Carried.end(), Values.begin(), Values.begin() + Site.num_carried);
  Miner.row(reinterpret_cast<const EntryKind *>(Kinds.data()), Values.data(), Count);
  ++Seen;
  for (uint32_t Base = 0; Base < Site.num_bases; ++Base)
    if (!addExtent(Base))
      return 0;
  if (trouble)
    Problem = "what decides lies in many places";
  else if (Miner.givenUp())
    Problem = "the rows need too large a table";
  else if (Seen > Rows)
    Problem = "the rows are not those that were expected";
  else if (Seen % 1024 == 0 && static_cast<double>(ticks() - Begin) * nsPerTick() > MaxInspectionNs)
    Problem = "looking at the rows takes too long";
  return Problem == nullptr;
}

/// What the row accesses through a base, beside what those before it did.
bool Listener::addExtent(uint32_t Base) {
  const uint64_t From = RowLow[Base], To = RowHigh[Base];
  if (From >= To)
    return true;
  const uint32_t Flags = Site.bases[Base].flags;
  const bool IsFirst = Low[Base] >= High[Base];
  if (!IsFirst && (Flags & SPECRT_ROWS_WRITTEN)) {
    const int Now = From >= High[Base] ? 1 : To <= Low[Base] ? -1 : 0;
    if (Now == 0 || (Direction[Base] != 0 && Direction[Base] != Now)) {
      Problem = "rows write what others access";
      return false;
    }
    Direction[Base] = Now;
  }
  if (!IsFirst && (Flags & SPECRT_ROWS_DECIDES) &&
      (From > High[Base] + SPECRT_ROWS_NEAR_BYTES || To + SPECRT_ROWS_NEAR_BYTES < Low[Base])) {
    Problem = "what decides lies in many places";
    return false;
  }
  Low[Base] = std::min(Low[Base], From);
  High[Base] = std::max(High[Base], To);
  return true;
}

/// Adds \p Whole of \p Found, cut into pieces where threads share them. Where its origins begin in
/// T.Origins is added to \p At.
void Listener::addPieces(const RowSegment &Whole, const RowStructure &Found, RowTable &T,
                         std::vector<size_t> &At) const {
  const RowClass *Class = Whole.Class == RestClass ? nullptr : &Found.Classes[Whole.Class];
  const int64_t Most = Site.is_parallel ? MaxSharedRows : Whole.Count;
  for (int64_t Done = 0; Done < Whole.Count; Done += Most) {
    const specrt_rows_segment Piece = {.origins = nullptr,
                                       .first = Whole.First + Done * Whole.RowStep,
                                       .count = std::min(Most, Whole.Count - Done),
                                       .class_number = Class ? Whole.Class : SPECRT_ROWS_REST,
                                       .reserved = 0};
    At.push_back(T.Origins.size());
    if (Class) {
      for (size_t I = 0; I < Class->entries(); ++I)
        T.Origins.push_back(Found.entryOf(Whole, Done, I));
      T.RowsInClasses += static_cast<uint64_t>(Piece.count);
    } else {
      const auto First = Carried.begin() + Piece.first * Site.num_carried;
      T.Origins.insert(T.Origins.end(), First, First + Site.num_carried);
    }
    T.Segments.push_back(Piece);
  }
}

InspectedRows Listener::finish(const uint64_t *Inputs) {
  if (trouble == SPECRT_ROWS_OVERWRITTEN) // with these pointers
    return {.Table = nullptr, .Problem = "rows write what decides", .IsHopeless = false};
  const RowStructure Found = Miner.finish();
  if (const char *Why = Found.GivenUp && !Problem ? "the rows need too large a table" : problem())
    return {.Table = nullptr, .Problem = Why, .IsHopeless = Problem != nullptr};
  auto T = std::make_unique<RowTable>();
  std::vector<size_t> At;
  for (const RowSegment &Whole : Found.Segments)
    addPieces(Whole, Found, *T, At);
  for (size_t I = 0; I < At.size(); ++I)
    T->Segments[I].origins = T->Origins.data() + At[I];
  T->segments = T->Segments.data();
  T->num_segments = T->Segments.size();
  T->IsWorthIt = Site.is_parallel ||
                 static_cast<double>(T->RowsInClasses) >= MinShare * static_cast<double>(Rows);
  for (uint32_t I = 0; I < Site.num_inputs; ++I)
    if (Site.deciding[I])
      T->Key.push_back(Inputs[I]);
  T->Key.push_back(Rows);
  for (uint32_t Base = 0; Base < Site.num_bases; ++Base) {
    const uint64_t Pointer = Inputs[Site.bases[Base].input];
    const bool IsUsed = Low[Base] < High[Base];
    T->Low.push_back(IsUsed ? static_cast<int64_t>(Low[Base] - Pointer) : 0);
    T->High.push_back(IsUsed ? static_cast<int64_t>(High[Base] - Pointer) : 0);
    if (!IsUsed || !(Site.bases[Base].flags & SPECRT_ROWS_DECIDES))
      continue;
    const WatchedRange Read = {reinterpret_cast<const std::byte *>(Low[Base]),
                               High[Base] - Low[Base]};
    T->Watched.push_back(Watch::arm(std::span(&Read, 1)));
    if (!T->Watched.back())
      return {.Table = nullptr, .Problem = "what decides cannot be watched", .IsHopeless = true};
  }
  return {.Table = std::move(T), .Problem = {}, .IsHopeless = false};
}

} // namespace

bool RowTable::isFor(const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows) const {
  if (Key.back() != Rows)
    return false;
  size_t Next = 0;
  for (uint32_t I = 0; I < Site.num_inputs; ++I)
    if (Site.deciding[I] && Key[Next++] != Inputs[I])
      return false;
  return true;
}

bool RowTable::areApart(const specrt_rows_site &Site, const uint64_t *Inputs) const {
  for (uint32_t I = 0; I < Site.num_bases; ++I) {
    if (!(Site.bases[I].flags & SPECRT_ROWS_WRITTEN) || Low[I] >= High[I])
      continue;
    const uint64_t Base = Inputs[Site.bases[I].input];
    const uint64_t From = Base + static_cast<uint64_t>(Low[I]);
    const uint64_t To = Base + static_cast<uint64_t>(High[I]);
    for (uint32_t J = 0; J < Site.num_bases; ++J) {
      if (I == J || Low[J] >= High[J])
        continue;
      const uint64_t Other = Inputs[Site.bases[J].input];
      if (From < Other + static_cast<uint64_t>(High[J]) &&
          Other + static_cast<uint64_t>(Low[J]) < To)
        return false;
    }
  }
  return true;
}

InspectedRows inspectRows(const specrt_rows_site &Site, const uint64_t *Inputs, uint64_t Rows) {
  Listener Hears(Site, Rows);
  Site.inspect(Inputs, &Hears);
  return Hears.finish(Inputs);
}

} // namespace specrt
