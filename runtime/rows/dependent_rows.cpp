//===- runtime/rows/dependent_rows.cpp - tables for rows that wait for rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of such a table are listed in an order that is right (structure/levels/row_schedule.h).
// Rows with the same trip counts and branches follow each other where that order allows it.
//
//===----------------------------------------------------------------------===//
#include "runtime/rows/row_listener.h"
#include "runtime/rows/row_sharing.h"
#include "structure/levels/row_schedule.h"

#include <algorithm>
#include <sched.h>

namespace specrt {
namespace {

constexpr size_t MaxBytes = size_t{96} << 20;
/// Accesses of one row to what rows write.
constexpr uint64_t MaxAccesses = uint64_t{1} << 15;
/// Independent rows that must follow each other for a thread to gain, at least.
constexpr double MinWidth = 2;
/// Further apart, rows that follow each other meet nothing in caches.
constexpr uint32_t MaxSpread = uint32_t{1} << 17;
constexpr double MinSpeedup = 1.25;
/// Threads for whom strips are made; more could not be told apart here.
constexpr int MaxThreads = 64;
/// Loops are shared in so many parts, of which every thread is to get one.
constexpr uint64_t MaxParts = 1024;
constexpr uint16_t NoKind = UINT16_MAX;

unsigned threads() {
  cpu_set_t Mask;
  return sched_getaffinity(0, sizeof(Mask), &Mask) == 0
             ? static_cast<unsigned>(std::clamp(CPU_COUNT(&Mask), 2, MaxThreads))
             : 2;
}

/// What rows of some classes have in common, whatever their values are.
class RowKinds {
public:
  explicit RowKinds(std::vector<RowClass> Of) : Classes(std::move(Of)) {
    for (size_t I = 0; I < Classes.size(); ++I)
      if (of(Classes[I].Kinds.data(), Classes[I].Control.data(), Classes[I].entries()) == NoKind)
        Known.push_back(static_cast<uint16_t>(I));
  }

  /// The first class with this control.
  uint16_t of(const EntryKind *Kinds, const int64_t *Trace, size_t Entries) {
    for (size_t I = 0; I < Known.size(); ++I)
      if (isOf(Classes[Known[I]], Kinds, Trace, Entries)) {
        const uint16_t Found = Known[I];
        std::swap(Known[I], Known[I / 2]); // what is frequent comes to the front
        return Found;
      }
    return NoKind;
  }

private:
  static bool isOf(const RowClass &Class, const EntryKind *Kinds, const int64_t *Trace,
                   size_t Entries) {
    if (Class.entries() != Entries || !std::equal(Kinds, Kinds + Entries, Class.Kinds.begin()))
      return false;
    for (size_t I = 0; I < Entries; ++I)
      if (Kinds[I] != EntryKind::Value && Trace[I] != Class.Control[I])
        return false;
    return true;
  }

  const std::vector<RowClass> Classes;
  std::vector<uint16_t> Known;
};

class DependentRows : public RowListener {
public:
  DependentRows(const specrt_rows_site &Site, uint64_t Rows)
      : RowListener(Site, Rows, MaxAccesses), Kinds(classesOf(Site)), Order(MaxBytes) {
    KindOf.reserve(std::min<uint64_t>(Rows, MaxBytes));
  }

  InspectedRows finish(const uint64_t *Inputs);

private:
  const char *add(uint64_t Count) override;
  template <typename Number>
  void addSegments(RowTable &T, std::vector<Number> &Origins, const RowSchedule &S, size_t First,
                   size_t End) const;
  template <typename Number>
  void fill(RowTable &T, std::vector<Number> &Origins, const RowSchedule &S) const;

  RowKinds Kinds;
  RowDependences Order;
  std::vector<uint16_t> KindOf; ///< by row
};

const char *DependentRows::add(uint64_t Count) {
  if (num_accesses > MaxAccesses)
    return "a row accesses too much of what others write";
  for (uint64_t I = 0; I < num_accesses; ++I)
    Order.access(Accesses[I].base / 2, Accesses[I].address, Accesses[I].bytes,
                 Accesses[I].base % 2 != 0);
  Order.endRow();
  KindOf.push_back(Count <= SPECRT_ROWS_MAX_TRACE
                       ? Kinds.of(kindsOfRow(), Values.data(), static_cast<size_t>(Count))
                       : NoKind);
  return Order.givenUp() ? "the rows need too large a table" : nullptr;
}

/// Of places \p First to \p End - 1 in the order.
template <typename Number>
void DependentRows::addSegments(RowTable &T, std::vector<Number> &Origins, const RowSchedule &S,
                                size_t First, size_t End) const {
  for (size_t At = First; At < End; ++At) {
    const auto Row = static_cast<int64_t>(S.Order[At]);
    const uint16_t Kind = KindOf[S.Order[At]];
    const uint32_t Class = Kind == NoKind ? SPECRT_ROWS_LISTED_REST : Site.num_classes + Kind;
    if (At == First || T.Segments.back().class_number != Class)
      T.Segments.push_back(
          {.origins = reinterpret_cast<const int64_t *>(Origins.data() + Origins.size()),
           .first = Row,
           .count = 0,
           .class_number = Class,
           .reserved = 0});
    ++T.Segments.back().count;
    T.RowsInClasses += Kind != NoKind;
    Origins.push_back(static_cast<Number>(Row));
    for (uint32_t I = 0; I < Site.num_carried; ++I)
      Origins.push_back(static_cast<Number>(carried(Row)[I]));
  }
}

/// Adds all segments of \p S.
template <typename Number>
void DependentRows::fill(RowTable &T, std::vector<Number> &Origins, const RowSchedule &S) const {
  Origins.reserve(Rows * (1 + Site.num_carried)); // never moves
  if (!Site.is_parallel)
    return addSegments(T, Origins, S, 0, S.Order.size());
  std::vector<uint64_t> FirstSegment;
  for (size_t I = 0; I + 1 < S.Chunks.size(); ++I) {
    FirstSegment.push_back(T.Segments.size());
    addSegments(T, Origins, S, S.Chunks[I].FirstRow, S.Chunks[I + 1].FirstRow);
  }
  FirstSegment.push_back(T.Segments.size());
  T.Sharing = std::make_unique<RowSharing>(S, std::move(FirstSegment));
  T.share = [](const specrt_rows_table *Table, specrt_rows_segments *Segments, void *Words) {
    static_cast<const RowTable *>(Table)->Sharing->work(Segments, Words);
  };
  T.num_parts = std::min<uint64_t>(S.Strips.size() - 1, MaxParts);
}

InspectedRows DependentRows::finish(const uint64_t *Inputs) {
  bool IsHopeless = false;
  if (const char *Why = whyNone(IsHopeless))
    return {.Table = nullptr, .Problem = Why, .IsHopeless = IsHopeless};
  const RowSchedule S = scheduleRows(Order, KindOf, {.Threads = Site.is_parallel ? threads() : 1});
  auto T = std::make_unique<RowTable>();
  T->Levels = S.Levels;
  T->MergedLevels = S.Merged;
  const bool IsLocal = S.Strips.size() > 2 || Rows <= MaxSpread;
  T->IsWorthIt = Site.is_parallel ? S.Speedup >= MinSpeedup : S.Width >= MinWidth && IsLocal;
  if (!T->IsWorthIt) {
    InspectedRows None = complete(std::move(T), Inputs);
    if (None.Problem.empty())
      None.Problem = 2 * uint64_t{S.Levels} > Rows ? "each row waits for the one before it"
                                                   : "too few rows at a time wait for no other";
    return None;
  }
  if (Site.may_wait == SPECRT_ROWS_LISTED_IN_32_BITS)
    fill(*T, T->NarrowOrigins, S);
  else
    fill(*T, T->Origins, S);
  return complete(std::move(T), Inputs);
}

} // namespace

InspectedRows inspectDependentRows(const specrt_rows_site &Site, const uint64_t *Inputs,
                                   uint64_t Rows) {
  if (Rows > UINT32_MAX / 2)
    return {.Table = nullptr, .Problem = "the rows need too large a table", .IsHopeless = false};
  DependentRows Hears(Site, Rows);
  Site.inspect(Inputs, &Hears);
  return Hears.finish(Inputs);
}

} // namespace specrt
