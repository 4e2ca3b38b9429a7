//===- runtime/rows/inspector_sink.cpp - receives the rows that an inspector reports ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/inspector_sink.h"
#include "profiler/streams/rows_of_loop.h"
#include "runtime/base/clock.h"
#include "runtime/base/reasons.h"
#include "runtime/rows/plan_store.h"
#include "structure/rows/row_pattern.h"

#include <algorithm>
#include <new>
#include <span>

namespace specrt {
namespace {

/// The number of rows, or of reported entries, between two clock readings, and the time after which
/// the first rows say how long all will take.
constexpr uint64_t RowsBetweenLooks = 1024, EntriesBetweenLooks = 1 << 14;
constexpr double TellingNs = 1e6;
/// The factor by which the first rows may be longer than others.
constexpr double Margin = 1.5;
/// Gaps below this count as part of the accesses on both sides when written bytes are compared.
constexpr uint64_t ApartBytes = 4096;
constexpr size_t MaxExtents = 256;

} // namespace

std::vector<RowClass> classesOf(const specrt_sparse_loop &Loop) {
  std::vector<RowClass> Classes;
  Classes.reserve(Loop.num_classes);
  for (uint32_t I = 0; I < Loop.num_classes; ++I)
    Classes.push_back(toRowClass(Loop.classes[I]));
  return Classes;
}

SparseLoopCopy::SparseLoopCopy(const specrt_sparse_loop &Of)
    : Plain(Of), MayBeFused(Of.fused != nullptr), Bases(Of.bases, Of.bases + Of.num_bases),
      Deciding(Of.deciding, Of.deciding + Of.num_inputs),
      Classes(Of.classes, Of.classes + Of.num_classes) {
  for (specrt_row_class &Class : Classes) {
    Entries.emplace_back(Class.entries, Class.entries + Class.num_entries);
    Class.entries = Entries.back().data();
  }
  Plain.state = nullptr;
  Plain.inspect = nullptr;
  Plain.next = nullptr;
  Plain.fused = nullptr;
  Plain.unrolled = nullptr;
  Plain.bases = Bases.data();
  Plain.deciding = Deciding.data();
  Plain.classes = Classes.data();
}

InspectorSink::InspectorSink(const specrt_sparse_loop &From, uint64_t Rows, uint64_t MaxAccesses,
                             double MaxNs)
    : specrt_row_trace{}, Copy(From), Loop(Copy.loop()), Rows(Rows), Accesses(MaxAccesses),
      RowLow(Loop.num_bases), RowHigh(Loop.num_bases), Low(Loop.num_bases, UINT64_MAX),
      High(Loop.num_bases, 0), Pieces(Loop.num_bases), CarriedAfterSkip(Loop.num_carried),
      NextLook(RowsBetweenLooks), BeginNs(processorNs()), MaxNs(MaxNs), Carried(Loop.num_carried),
      Picture(std::make_shared<RowPicture>(Rows)) {
  setPhases(1);
  num_rows = Rows;
  next_carried = CarriedAfterSkip.data();
  low = RowLow.data();
  high = RowHigh.data();
  all_low = Low.data();
  all_high = High.data();
  accesses = Accesses.data();
  access_capacity = MaxAccesses;
  row = next;
  jump = jumped;
  bool AreNoted = false;
  for (uint32_t Base = 0; Base < Loop.num_bases; ++Base)
    AreNoted |= hasNotes(Base);
  if (AreNoted) {
    PagesOfNotes = std::make_unique_for_overwrite<NotedPages>();
    PagesOfNotes->clear();
    Notes = std::make_unique_for_overwrite<RowNotes>();
    Notes->begin(PagesOfNotes.get());
    notes = Notes.get();
  }
}

void InspectorSink::setPhases(uint32_t Number) {
  Phases = std::vector<RowPhase>(Number);
  for (RowPhase &Each : Phases) {
    Each.num_entries = SPECRT_ROWS_NOT_PREDICTED;
    Each.next = &Each == &Phases.back() ? &Phases.front() : &Each + 1;
  }
  phase = Phases.data();
  if (Loop.is_linear && !runPredictionIsOff().load(std::memory_order_relaxed))
    Predictor = std::make_unique<RunPredictor>(Loop, Number);
}

void InspectorSink::predict(const RowPattern *Class, bool IsSettled) {
  auto &Mine = static_cast<RowPhase &>(*phase);
  const uint64_t Entries = IsSettled ? Class->entries() : SPECRT_ROWS_NOT_PREDICTED;
  if (Mine.Class == Class && Mine.num_entries == Entries)
    return;
  Mine.Class = Class;
  Mine.num_entries = Entries;
  if (Class)
    std::copy(Class->deltas().begin(), Class->deltas().end(), Mine.deltas);
}

/// Counts the rows that have passed since the last reported one.
void InspectorSink::addSilent() {
  const uint64_t Count = MostSilent - silent;
  MostSilent = silent;
  if (Count == 0)
    return;
  Seen += Count;
  Picture->skip(Count);
  skip(Count);
}

/// Returns why there is no table for these pointers or at all; null if there may be one.
const char *InspectorSink::whyNone(bool &IsHopeless) const {
  // An inspection that takes too long now may be affordable later.
  const bool IsDeferred = ExpectedNs > 0 && MaxNs < LongestWalkNs;
  IsHopeless = trouble != SPECRT_ROWS_OVERWRITTEN && Problem && !IsDeferred &&
               Problem != words(Reason::NoMemoryForRows);
  if (trouble == SPECRT_ROWS_OVERWRITTEN)
    return words(Reason::RowsWriteDeciding);
  if (trouble == SPECRT_ROWS_NOTED) {
    IsHopeless = true;
    return words(Reason::RowsLeaveNotes);
  }
  if (Problem)
    return Problem;
  if (trouble == SPECRT_ROWS_CIRCULAR) {
    IsHopeless = true;
    return words(Reason::RowsReadAfar);
  }
  return Seen == Rows ? nullptr : words(Reason::RowsUnexpected);
}

uint32_t InspectorSink::next(specrt_row_trace *Trace, uint64_t Count) {
  auto &Mine = *static_cast<InspectorSink *>(Trace);
  try {
    Mine.Problem = Mine.addRow(Count);
  } catch (const std::bad_alloc &) { // no exception may propagate through generated code
    Mine.Problem = words(Reason::NoMemoryForRows);
  }
  return Mine.Problem ? 0 : static_cast<uint32_t>(1 + Mine.Known);
}

void InspectorSink::jumped(specrt_row_trace *Trace, uint32_t Base, uint64_t End, uint64_t From) {
  auto &Mine = *static_cast<InspectorSink *>(Trace);
  try {
    Mine.Pieces[Base].jump(End, From);
  } catch (const std::bad_alloc &) { // no exception may propagate through generated code
    Mine.Pieces[Base].giveUp();
  }
}

/// Returns whether all rows would take too long. The remaining rows are expected to take as long as
/// all rows so far, or as the last ones if that is less, because the first rows found no data in
/// caches.
bool InspectorSink::isTooLong() {
  const auto Ns = static_cast<double>(processorNs() - BeginNs);
  const double NsPerRow = std::min(Ns / static_cast<double>(Seen),
                                   (Ns - MarkNs) / static_cast<double>(Seen - MarkSeen));
  const double AllNs = Ns + NsPerRow * static_cast<double>(Rows - Seen);
  if (Seen >= 2 * MarkSeen && Ns - MarkNs >= TellingNs / 2) {
    MarkSeen = Seen;
    MarkNs = Ns;
  }
  // An inspection that is nearly done is not abandoned.
  if (Ns < TellingNs || AllNs <= Margin * MaxNs)
    return false;
  ExpectedNs = AllNs;
  return true;
}

/// Returns the number of next rows that need no report if they agree with the prediction.
inline uint64_t InspectorSink::untilReported() const {
  if (ReportsAll)
    return 0;
  const uint64_t Most = std::min({Rows - Seen, Picture->untilShown(), NextLook - 1 - Seen});
  return Predictor ? std::min(Most, Predictor->untilNext(Seen)) : Most;
}

const char *InspectorSink::addRow(uint64_t Count) {
  addSilent();
  // A row that is too long for the buffer has written these, too.
  Carried.set(Seen, trace());
  ++Seen;
  Picture->row(kindsOfRow(), trace(), std::min<size_t>(Count, SPECRT_ROWS_MAX_TRACE));
  if (const char *Why = add(Count))
    return Why;
  if (const char *Why = addExtents())
    return Why;
  if (trouble || !std::all_of(Pieces.begin(), Pieces.end(),
                              [](const RowPieces &Of) { return Of.isComplete(); }))
    return words(Reason::RowsReadAfar);
  if (Seen > Rows)
    return words(Reason::RowsUnexpected);
  const auto &Reported = static_cast<RowPhase &>(*phase);
  phase = phase->next;
  Known = 0;
  if (Predictor && Reported.Class)
    addKnown(Reported);
  else if (Predictor)
    Predictor->wait();
  EntriesReported += Count;
  const bool Looks = Seen >= NextLook || EntriesReported >= EntriesBetweenLooks;
  if (Looks) {
    NextLook = Seen + RowsBetweenLooks;
    EntriesReported = 0;
  }
  MostSilent = silent = untilReported();
  return Looks && isTooLong() ? words(Reason::RowsTakeLong) : nullptr;
}

/// Skips rows after the reported one that need no inspection.
void InspectorSink::addKnown(const RowPhase &Reported) {
  Predictor->addReported(Reported, static_cast<size_t>(&Reported - Phases.data()), Seen - 1,
                         {RowLow, RowHigh});
  auto &Next = static_cast<RowPhase &>(*phase);
  Known = Predictor->skip(Phases, static_cast<size_t>(&Next - Phases.data()), Seen,
                          {.Rows = Rows - Seen, .Quiet = std::min(Rows, Picture->untilShown())},
                          {Low, High}, Pieces);
  if (Known == 0)
    return;
  for (uint32_t I = 0; I < Loop.num_carried; ++I)
    next_carried[I] = Next.values[I] + Next.deltas[I];
  Seen += Known;
  Picture->skip(Known);
  skip(Known);
}

const char *InspectorSink::addExtents() {
  for (uint32_t Base = 0; Base < Loop.num_bases; ++Base) {
    const uint64_t From = RowLow[Base], To = RowHigh[Base];
    if (From >= To)
      continue;
    if (!isFirst(Base) && isWatched(Loop, Base) && !hasNotes(Base) &&
        (From > High[Base] + SPECRT_ROWS_NEAR_BYTES || To + SPECRT_ROWS_NEAR_BYTES < Low[Base]))
      return words(Reason::RowsReadAfar);
    Low[Base] = std::min(Low[Base], From);
    High[Base] = std::max(High[Base], To);
  }
  return nullptr;
}

/// Returns whether there is a page, between accesses, that rows do not read. A watch covers these
/// pages, too, and they may belong to other data. Accesses that are near leave no such page out,
/// but notes may be anywhere.
bool InspectorSink::leavePagesOut() const {
  for (uint32_t Base = 0; Base < Loop.num_bases; ++Base)
    if (hasNotes(Base) && !PagesOfNotes->haveAll(Low[Base], High[Base]))
      return true;
  return false;
}

/// Returns false if the deciding bytes cannot be watched.
bool InspectorSink::setGrounds(const uint64_t *Inputs, WatchCopies Copies) {
  Grounds.setKey(Loop, Inputs, Rows);
  for (uint32_t Base = 0; Base < Loop.num_bases; ++Base) {
    if (isInPieces(Loop.bases[Base])) {
      if (!setPieces(Base))
        return false;
      continue;
    }
    if (Low[Base] >= High[Base])
      continue;
    const uint64_t Pointer = beginOf(Loop, Base, Inputs);
    Grounds.Extents.push_back({.Base = Base,
                               .Low = static_cast<int64_t>(Low[Base] - Pointer),
                               .High = static_cast<int64_t>(High[Base] - Pointer)});
    if (!isWatched(Loop, Base))
      continue;
    const WatchedRange Read = {reinterpret_cast<const std::byte *>(Low[Base]),
                               High[Base] - Low[Base]};
    if (!watch(std::span(&Read, 1), Copies))
      return false;
  }
  return true;
}

/// Hashes the watched bytes, after setGrounds(), if that takes a small part of the time of the
/// inspection. Gaps may make them larger.
void InspectorSink::setContents() {
  constexpr double LeastBytes = 1 << 20, BytesPerNs = 1; // hashing is several times as fast
  const auto WalkNs = static_cast<double>(processorNs() - BeginNs);
  double Bytes = 0;
  for (uint32_t Base = 0; Base < Loop.num_bases; ++Base)
    if (isWatched(Loop, Base) && Low[Base] < High[Base])
      Bytes += static_cast<double>(High[Base] - Low[Base]);
  if (!mayPersist(Loop) || WalkNs < leastPersistentNs() ||
      Bytes > std::max(LeastBytes, WalkNs * BytesPerNs))
    return;
  for (uint32_t Base = 0; Base < Loop.num_bases; ++Base)
    if (isWatched(Loop, Base) && Low[Base] < High[Base])
      Grounds.Contents.push_back(
          contentHash({reinterpret_cast<const char *>(Low[Base]), High[Base] - Low[Base]}));
}

bool InspectorSink::watch(std::span<const WatchedRange> Some, WatchCopies Copies) {
  Grounds.Watched.push_back(Watch::arm(Some, Copies));
  return Grounds.Watched.back() != nullptr;
}

/// Sets the places of rows behind pointers. Other data between them may be written.
bool InspectorSink::setPieces(uint32_t Base) {
  RowPieces &Of = Pieces[Base];
  Of.close(all_high[Base]);
  if (!Of.isComplete())
    return false;
  const std::vector<ReadPiece> Read = Of.sorted();
  addExtentsOf(Base, Read);
  std::vector<WatchedRange> Some;
  Some.reserve(Read.size());
  for (const auto &[Begin, End] : Read)
    Some.push_back({reinterpret_cast<const std::byte *>(Begin), End - Begin});
  return Some.empty() || watch(Some, WatchCopies::OfAll);
}

/// Merges extents, because each call checks all of them.
void InspectorSink::addExtentsOf(uint32_t Base, std::span<const ReadPiece> Read) {
  std::vector<ReadPiece> Few = RowPieces::joined(Read, ApartBytes);
  for (uint64_t Apart = ApartBytes; Few.size() > MaxExtents; Apart *= 2)
    Few = RowPieces::joined(Few, Apart);
  for (const auto &[Begin, End] : Few)
    Grounds.Extents.push_back(
        {.Base = Base, .Low = static_cast<int64_t>(Begin), .High = static_cast<int64_t>(End)});
}

void InspectorSink::endPicture() {
  std::vector<uint64_t> Shown;
  Shown.reserve(Picture->lines());
  for (uint32_t Line = 0; Line < Picture->lines(); ++Line)
    Shown.push_back(Picture->rowOf(Line));
  Picture->setClasses(classesOfRows(Shown));
}

InspectedRows InspectorSink::complete(std::shared_ptr<RowTable> T, bool IsParallel) const {
  T->segments = T->Segments.data();
  T->num_segments = T->Segments.size();
  T->Picture = Picture;
  static_cast<RowGrounds &>(*T) = Grounds;
  if (IsParallel && T->IsWorthIt)
    T->makeNotes(Loop, noted());
  return {.Table = T, .Problem = T->Problem};
}

/// Returns the ranges in which notes are made.
std::vector<NotedRange> InspectorSink::noted() const {
  std::vector<NotedRange> Ranges;
  for (uint32_t Base = 0; Base < Loop.num_bases; ++Base)
    if (hasNotes(Base) && Low[Base] < High[Base])
      Ranges.push_back({Loop.bases[Base].input, Low[Base], High[Base]});
  return Ranges;
}

InspectedRows InspectorSink::end(std::shared_ptr<InspectorSink> Walked, const uint64_t *Inputs,
                                 WatchCopies Copies) {
  InspectorSink &Mine = *Walked;
  bool IsHopeless = false;
  Mine.addSilent();
  if (const char *Why = Mine.whyNone(IsHopeless))
    return {.Problem = Why, .IsHopeless = IsHopeless, .ExpectedNs = Mine.ExpectedNs};
  const uint64_t Skipped = Mine.Predictor ? Mine.Predictor->skipped() : 0;
  Mine.Phases = {};
  Mine.Predictor.reset();
  Mine.Accesses = {};
  Mine.Notes.reset();
  if (Mine.leavePagesOut())
    return {.Problem = words(Reason::RowsReadAfar), .IsHopeless = true};
  Mine.PagesOfNotes.reset();
  if (const char *Why = Mine.finish())
    return {.Problem = Why};
  const bool AreKnownFast = 2 * Skipped >= Mine.Rows;
  if (!Mine.setGrounds(Inputs, AreKnownFast ? Copies : WatchCopies::OfAll))
    return {.Problem = words(Reason::RowsUnwatched), .IsHopeless = true};
  Mine.setContents();
  Mine.Pieces = {};
  Mine.endPicture();
  InspectedRows Result = Mine.table(Mine.Loop.is_parallel != 0);
  Result.RowsPredicted = Skipped;
  Result.Walk = std::move(Walked);
  return Result;
}

} // namespace specrt
