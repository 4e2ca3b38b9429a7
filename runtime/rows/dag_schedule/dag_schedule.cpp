//===- runtime/rows/dag_schedule/dag_schedule.cpp - schedules the row-dependence DAG ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of such a table are in a valid order (structure/levels/row_schedule.h). Rows with the
// same trip counts and branches follow each other where that order allows it.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/config.h"
#include "runtime/base/reasons.h"
#include "runtime/rows/dag_schedule/rows_by_pattern.h"
#include "runtime/rows/dag_schedule/skewed_wavefront_rows.h"
#include "runtime/rows/inspector_sink.h"
#include "runtime/rows/row_sharing.h"
#include "runtime/rows/segments.h"
#include "structure/levels/row_nearness.h"
#include "structure/rows/row_pattern.h"

#include <algorithm>

namespace specrt {
namespace {

/// The limit of memory while rows are inspected.
constexpr size_t MaxBytes = size_t{96} << 20;
/// The limit of a row's accesses to bytes that rows write.
constexpr uint64_t MaxAccesses = uint64_t{1} << 15;
/// The least number of independent rows that must follow each other for a gain with one thread.
constexpr double MinWidth = 2;
/// The distance from which consecutive rows find no common data in caches.
constexpr uint32_t MaxSpread = uint32_t{1} << 17;
constexpr double MinSpeedup = 1.25;
/// If there are many more rows, these decide whether it is worth inspecting the others.
constexpr uint32_t FirstRows = 8192;
/// Levels of a window (structure/levels/row_nearness.h) for which waiting takes longer than
/// computing: a row waits for two operations and a division of the one before it, about 22 cycles,
/// and takes a third of that where it does not wait.
constexpr double LeastLevels = 3;
/// The factor by which a row takes longer if consecutive rows have no common data.
constexpr double ScatterCost = 1.75;
/// The limit of threads for which strips are made.
constexpr unsigned MaxThreads = 64;
constexpr uint16_t NoKind = UINT16_MAX;

unsigned threads() { return std::clamp(usableProcessors(), 2U, MaxThreads); }

/// The control of rows of some classes, whatever their values are.
class RowKinds {
public:
  explicit RowKinds(const std::vector<RowClass> &Classes) {
    for (uint32_t I = 0; I < Classes.size(); ++I)
      if (of(Classes[I].Kinds.data(), Classes[I].Control.data(), Classes[I].entries()) == NoKind)
        Known.emplace_back(Classes[I], I);
  }

  /// Returns the first class with this control.
  uint16_t of(const EntryKind *Kinds, const int64_t *Trace, size_t Entries) {
    for (size_t I = 0; I < Known.size(); ++I)
      if (Known[I].entries() == Entries && Known[I].fits(Kinds, Trace)) {
        const auto Found = static_cast<uint16_t>(Known[I].Index);
        if (I)
          std::swap(Known[I], Known[I / 2]); // frequent ones move to the front
        return Found;
      }
    return NoKind;
  }

private:
  std::vector<RowPattern> Known;
};

void setLaneOrigins(RowTable &T) {
  for (specrt_rows_segment &Segment : T.Segments)
    if (!Segment.origins) {
      Segment.origins = T.LaneOrigins.data() + Segment.first;
      Segment.first = *Segment.origins;
    }
}

class DagScheduleSink : public InspectorSink {
public:
  DagScheduleSink(const specrt_sparse_loop &From, uint64_t Rows, double MaxNs, bool KeepsReaders)
      : InspectorSink(From, Rows, MaxAccesses, MaxNs), Kinds(classesOf(Loop)),
        Order(MaxBytes, KeepsReaders), Wavefronts(Loop),
        ByPattern(Loop, std::min<uint64_t>(Rows, MaxBytes / 32)) {
    const uint64_t Expected = std::min<uint64_t>(Rows, MaxBytes / 8);
    KindOf.reserve(Expected);
    Order.reserve(static_cast<uint32_t>(Expected));
  }

  bool lacksReaders() const { return Order.lacksReaders(); }

  InspectedRows table(bool IsParallel) const override;
  size_t bytes() const override {
    return InspectorSink::bytes() + Order.bytes() + Wavefronts.bytes() + ByPattern.bytes() +
           KindOf.capacity() * sizeof(uint16_t);
  }

private:
  const char *add(uint64_t Count) override;
  void skip(uint64_t) override {} // all rows are reported
  const char *finish() override;
  std::vector<uint32_t> classesOfRows(const std::vector<uint64_t> &Some) const override;
  const char *whyInVain() const;
  template <typename Numbers>
  void addListed(RowTable &T, Numbers &Origins, const RowSchedule &S, size_t First, size_t End,
                 size_t FirstSegment) const;
  template <typename Numbers>
  void addSegments(RowTable &T, Numbers &Origins, const RowSchedule &S, size_t First,
                   size_t End) const;
  template <typename Numbers>
  void fill(RowTable &T, Numbers &Origins, const RowSchedule &S, bool IsParallel) const;

  RowKinds Kinds;
  RowDependences Order;
  SkewedWavefrontRows Wavefronts;
  RowsByPattern ByPattern;
  LargeVector<uint16_t> KindOf; ///< by row
};

const char *DagScheduleSink::add(uint64_t Count) {
  if (num_accesses > MaxAccesses)
    return words(Reason::RowAccessesMuch);
  Order.row({Accesses.data(), num_accesses});
  Wavefronts.row(kindsOfRow(), trace(), static_cast<size_t>(Count));
  KindOf.push_back(Count <= SPECRT_ROWS_MAX_TRACE
                       ? Kinds.of(kindsOfRow(), trace(), static_cast<size_t>(Count))
                       : NoKind);
  ByPattern.row(KindOf.back(), trace());
  if (Order.givenUp())
    return words(Reason::RowsNeedMuch);
  return Order.rows() == FirstRows && Rows >= 2 * FirstRows ? whyInVain() : nullptr;
}

/// Returns, after the first rows, why no order of all rows would be faster; null if one may be.
const char *DagScheduleSink::whyInVain() const {
  const RowNearness Near = nearnessOf(Order.soFar());
  if (Near.ScatteredShare < 0.5)
    return nullptr;
  if (!Loop.is_parallel)
    return Near.Levels < LeastLevels ? words(Reason::RowsSeldomWait) : nullptr;
  return threads() / ScatterCost < MinSpeedup ? words(Reason::RowsWaitAfar) : nullptr;
}

/// Adds rows at the places [\p First, \p End) of the order, one by one, to segment \p FirstSegment
/// or later ones.
template <typename Numbers>
void DagScheduleSink::addListed(RowTable &T, Numbers &Origins, const RowSchedule &S, size_t First,
                                size_t End, size_t FirstSegment) const {
  using Number = typename Numbers::value_type;
  for (size_t At = First; At < End; ++At) {
    const auto Row = static_cast<int64_t>(S.Order[At]);
    const uint16_t Kind = KindOf[S.Order[At]];
    // Otherwise rows with different patterns would take turns.
    if (!S.Groups.empty() && ByPattern.patterns()[S.Order[At]] != RowsByPattern::None) {
      ByPattern.add(T, S.Order[At], FirstSegment);
      ++T.RowsInClasses;
      continue;
    }
    const bool IsOfClass = Kind != NoKind && hasCode(Loop.classes[Kind], SPECRT_SEGMENT_LISTED);
    const SegmentCode Code = IsOfClass ? SegmentCode{SPECRT_SEGMENT_LISTED, Kind}
                                       : SegmentCode{SPECRT_SEGMENT_LISTED_AS_WRITTEN};
    if (T.Segments.size() <= FirstSegment || !Code.runs(T.Segments.back()))
      T.Segments.push_back(Code.segment(
          reinterpret_cast<const int64_t *>(Origins.data() + Origins.size()), Row, /*Count=*/0));
    ++T.Segments.back().count;
    T.RowsInClasses += IsOfClass;
    Origins.push_back(static_cast<Number>(Row));
    for (uint32_t I = 0; I < Loop.num_carried; ++I)
      Origins.push_back(static_cast<Number>(carried(Row)[I]));
  }
}

/// Adds the segments of the places [\p First, \p End) in the order.
template <typename Numbers>
void DagScheduleSink::addSegments(RowTable &T, Numbers &Origins, const RowSchedule &S, size_t First,
                                  size_t End) const {
  const size_t FirstSegment = T.Segments.size();
  for (auto G = std::lower_bound(S.Groups.begin(), S.Groups.end(), First);
       G != S.Groups.end() && *G < End; ++G) {
    addListed(T, Origins, S, First, *G, FirstSegment);
    ByPattern.addGroup(T, &S.Order[*G], FirstSegment);
    T.RowsInLanes += RowGroups::Rows;
    First = *G + RowGroups::Rows;
  }
  auto B = std::partition_point(S.Wavefronts.begin(), S.Wavefronts.end(),
                                [&](const auto &Before) { return Before.endPlace() <= First; });
  for (; B != S.Wavefronts.end() && B->FirstPlace < End; ++B) {
    const size_t From = std::max<size_t>(First, B->FirstPlace);
    addListed(T, Origins, S, First, From, FirstSegment);
    First = std::min<size_t>(End, B->endPlace());
    const auto Step = static_cast<uint32_t>((From - B->FirstPlace) / SkewedWavefront::Lanes);
    Wavefronts.addSteps(T, S, *B, Step,
                        static_cast<uint32_t>((First - From) / SkewedWavefront::Lanes));
  }
  addListed(T, Origins, S, First, End, FirstSegment);
}

/// Adds all segments of \p S.
template <typename Numbers>
void DagScheduleSink::fill(RowTable &T, Numbers &Origins, const RowSchedule &S,
                           bool IsParallel) const {
  Origins.reserve(Rows * (1 + Loop.num_carried)); // never moves
  if (!S.Groups.empty())
    ByPattern.begin(T, S.Order.size());
  if (!IsParallel)
    return addSegments(T, Origins, S, 0, S.Order.size());
  std::vector<uint64_t> FirstSegment;
  for (size_t I = 0; I + 1 < S.Chunks.size(); ++I) {
    FirstSegment.push_back(T.Segments.size());
    addSegments(T, Origins, S, S.Chunks[I].FirstRow, S.Chunks[I + 1].FirstRow);
  }
  FirstSegment.push_back(T.Segments.size());
  T.shareBy(std::make_unique<RowSharing>(RowSharing::Plan{.Strips = S.Strips,
                                                          .Chunks = S.Chunks,
                                                          .Waits = S.Waits,
                                                          .FirstSegment = std::move(FirstSegment),
                                                          .NumCounters = S.NumCounters}));
}

const char *DagScheduleSink::finish() {
  Order.finish();
  Wavefronts.finish();
  return nullptr;
}

std::vector<uint32_t> DagScheduleSink::classesOfRows(const std::vector<uint64_t> &Some) const {
  std::vector<uint32_t> Result;
  Result.reserve(Some.size());
  for (const uint64_t Row : Some)
    Result.push_back(KindOf[Row] == NoKind ? RestClass : KindOf[Row]);
  return Result;
}

InspectedRows DagScheduleSink::table(bool IsParallel) const {
  const RowSchedule S = scheduleRows(
      Order, KindOf, {.Threads = IsParallel ? threads() : 1}, Wavefronts.runs(),
      2 * ByPattern.numWithPattern() < Rows ? std::span<const uint16_t>() : ByPattern.patterns());
  auto T = std::make_shared<RowTable>();
  T->Levels = S.Levels;
  T->MergedLevels = S.Merged;
  const bool IsLocal = S.Strips.size() > 2 || Rows <= MaxSpread || !S.Groups.empty();
  T->IsWorthIt = IsParallel ? S.Speedup >= MinSpeedup : S.Width >= MinWidth && IsLocal;
  if (!T->IsWorthIt) {
    T->Problem =
        2 * uint64_t{S.Levels} > Rows ? words(Reason::RowsFollow) : words(Reason::RowsMostlyFollow);
    return complete(std::move(T), IsParallel);
  }
  if (Loop.may_depend == SPECRT_ROWS_LISTED_IN_32_BITS)
    fill(*T, T->NarrowOrigins, S, IsParallel);
  else
    fill(*T, T->Origins, S, IsParallel);
  setLaneOrigins(*T);
  T->RowsInClasses += T->RowsInLanes;
  return complete(std::move(T), IsParallel);
}

} // namespace

InspectedRows inspectRowDag(const specrt_sparse_loop &Loop, const uint64_t *Inputs, uint64_t Rows,
                            double MaxNs) {
  if (Rows > UINT32_MAX / 2)
    return {.Problem = words(Reason::RowsNeedMuch)};
  auto Sink = std::make_shared<DagScheduleSink>(Loop, Rows, MaxNs, /*KeepsReaders=*/false);
  Loop.inspect(Inputs, Sink.get());
  if (Sink->lacksReaders()) {
    Sink = std::make_shared<DagScheduleSink>(Loop, Rows, MaxNs, /*KeepsReaders=*/true);
    Loop.inspect(Inputs, Sink.get());
  }
  return InspectorSink::end(std::move(Sink), Inputs);
}

} // namespace specrt
