//===- runtime/rows/row_listener.cpp - what an inspector is told, and by whom ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/rows/row_listener.h"
#include "profiler/streams/rows_of_loop.h"
#include "runtime/base/clock.h"

#include <algorithm>
#include <new>

namespace specrt {
namespace {

constexpr double MaxInspectionNs = 150e6;
/// Rows for which memory is taken at once.
constexpr uint64_t MaxReserved = uint64_t{1} << 20;

} // namespace

std::vector<RowClass> classesOf(const specrt_rows_site &Site) {
  std::vector<RowClass> Classes;
  Classes.reserve(Site.num_classes);
  for (uint32_t I = 0; I < Site.num_classes; ++I)
    Classes.push_back(toRowClass(Site.classes[I]));
  return Classes;
}

RowListener::RowListener(const specrt_rows_site &Site, uint64_t Rows, uint64_t MaxAccesses)
    : specrt_row_trace{}, Site(Site), Rows(Rows), Values(SPECRT_ROWS_MAX_TRACE),
      Kinds(SPECRT_ROWS_MAX_TRACE), Accesses(MaxAccesses), RowLow(Site.num_bases),
      RowHigh(Site.num_bases), Low(Site.num_bases, UINT64_MAX), High(Site.num_bases, 0),
      Begin(ticks()) {
  values = Values.data();
  kinds = Kinds.data();
  capacity = SPECRT_ROWS_MAX_TRACE;
  low = RowLow.data();
  high = RowHigh.data();
  accesses = Accesses.data();
  access_capacity = MaxAccesses;
  row = next;
  Carried.reserve(std::min(Rows, MaxReserved) * Site.num_carried);
}

const char *RowListener::problem() const {
  if (Problem)
    return Problem;
  return Seen == Rows ? nullptr : "the rows are not those that were expected";
}

const char *RowListener::whyNone(bool &IsHopeless) const {
  IsHopeless = trouble != SPECRT_ROWS_OVERWRITTEN && Problem;
  return trouble == SPECRT_ROWS_OVERWRITTEN ? "rows write what decides" : problem();
}

uint32_t RowListener::next(specrt_row_trace *Trace, uint64_t Count) {
  auto &Mine = *static_cast<RowListener *>(Trace);
  try {
    Mine.Problem = Mine.addRow(Count);
  } catch (const std::bad_alloc &) { // nothing may go through generated code
    Mine.Problem = "the rows need too large a table";
  }
  return Mine.Problem == nullptr;
}

bool RowListener::isLate() const {
  return static_cast<double>(ticks() - Begin) * nsPerTick() > MaxInspectionNs;
}

const char *RowListener::addRow(uint64_t Count) {
  // Even a row that is too long for the buffer has written these.
  Carried.insert(Carried.end(), Values.begin(), Values.begin() + Site.num_carried);
  ++Seen;
  if (const char *Why = add(Count))
    return Why;
  if (const char *Why = addExtents())
    return Why;
  if (trouble)
    return "what decides lies in many places";
  if (Seen > Rows)
    return "the rows are not those that were expected";
  return Seen % 1024 == 0 && isLate() ? "looking at the rows takes too long" : nullptr;
}

const char *RowListener::addExtents() {
  for (uint32_t Base = 0; Base < Site.num_bases; ++Base) {
    const uint64_t From = RowLow[Base], To = RowHigh[Base];
    if (From >= To)
      continue;
    if (!isFirst(Base) && (Site.bases[Base].flags & SPECRT_ROWS_DECIDES) &&
        (From > High[Base] + SPECRT_ROWS_NEAR_BYTES || To + SPECRT_ROWS_NEAR_BYTES < Low[Base]))
      return "what decides lies in many places";
    Low[Base] = std::min(Low[Base], From);
    High[Base] = std::max(High[Base], To);
  }
  return nullptr;
}

InspectedRows RowListener::complete(std::unique_ptr<RowTable> T, const uint64_t *Inputs) const {
  T->segments = T->Segments.data();
  T->num_segments = T->Segments.size();
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

} // namespace specrt
