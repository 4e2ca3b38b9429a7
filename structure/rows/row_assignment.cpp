//===- structure/rows/row_assignment.cpp - cuts rows into segments of given classes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/rows/row_assignment.h"

#include <algorithm>

namespace specrt {
namespace {

/// Returns the step of the first class without loaded values; classes with step 0 have no rows.
uint32_t stepOf(const std::vector<RowClass> &Classes) {
  for (const RowClass &Class : Classes)
    if (!Class.hasLoaded() && Class.Step > 0)
      return Class.Step;
  return 1;
}

} // namespace

RowAssignment::RowAssignment(std::vector<RowClass> Given, const RowMinerOptions &Options)
    : Classes(std::move(Given)), MaxEntries(Options.MaxEntries), MaxBytes(Options.MaxBytes),
      Step(stepOf(Classes)), Exact(Classes, Step, false, MaxEntries),
      WithLoaded(Classes, 1, true, MaxEntries), Phases(Step) {
  for (Run &R : Phases) {
    R.Next.resize(MaxEntries);
    R.Kinds.resize(MaxEntries);
  }
  LoadedRun.Next.resize(MaxEntries);
}

void RowAssignment::skip(uint64_t Rows) {
  const size_t All = Phases.size();
  for (size_t I = 0; I < std::min<uint64_t>(Rows, All); ++I) {
    Run &R = Phases[(Phase + I) % All];
    const uint64_t Mine = (Rows - I + All - 1) / All;
    R.Of->advance(R.Next.data(), Mine);
    R.Count += static_cast<int64_t>(Mine);
  }
  Phase = (Phase + Rows) % All;
  Row += static_cast<int64_t>(Rows);
}

/// Handles a row that does not continue the run. The last row of a run that is too short may be the
/// first of another.
void RowAssignment::begin(Run &R, const EntryKind *Kinds, const int64_t *Trace, size_t Entries) {
  bool MayShare = R.Entries == Entries;
  if (R.Of) {
    if (R.Count >= R.Of->MinRows) {
      end(R, ExactSegments);
      MayShare = false;
    } else if (MayShare) {
      R.Of->advance(R.Next.data(), ~uint64_t{0}); // one step back
      std::copy_n(R.Of->Kinds.data(), Entries, R.Kinds.data());
    }
    R.Of = nullptr;
  }
  if (MayShare && sameKinds(Kinds, R.Kinds.data(), Entries))
    R.Of = Exact.find(Entries, [&](const RowPattern &Pattern) {
      return Pattern.follows(R.Next.data(), Trace) && Pattern.fits(Kinds, Trace);
    });
  R.Entries = Entries <= MaxEntries && !Exact.empty() ? Entries : 0;
  R.First = R.Of ? Row - Step : Row;
  R.Count = R.Of ? 2 : 1;
  if (R.Of) {
    R.Of->expectAfter(Trace, R.Next.data());
  } else if (R.Entries) {
    std::copy_n(Kinds, Entries, R.Kinds.data());
    std::copy_n(reinterpret_cast<const uint64_t *>(Trace), Entries, R.Next.data());
  }
}

void RowAssignment::end(Run &R, RowSegments &To) {
  To.Segments.push_back({R.Of->Index, R.First, R.Of->Step, R.Count, To.Origins.size()});
  R.Of->advance(R.Next.data(), ~static_cast<uint64_t>(R.Count) + 1);
  To.Origins.insert(To.Origins.end(), R.Next.begin(),
                    R.Next.begin() + static_cast<std::ptrdiff_t>(R.Of->entries()));
  checkMemory();
}

void RowAssignment::addLoaded(const EntryKind *Kinds, const int64_t *Trace, size_t Entries) {
  if (WithLoaded.empty())
    return;
  Run &R = LoadedRun;
  if (R.Of && R.First + R.Count == Row && R.Of->entries() == Entries &&
      R.Of->isExpected(Trace, R.Next.data()) && sameKinds(Kinds, R.Of->Kinds.data(), Entries)) {
    R.Of->advance(R.Next.data());
    ++R.Count;
    return;
  }
  if (R.Of && R.Count >= R.Of->MinRows)
    end(R, LoadedSegments);
  R.Of = WithLoaded.find(Entries,
                         [&](const RowPattern &Pattern) { return Pattern.fits(Kinds, Trace); });
  R.First = Row;
  R.Count = 1;
  if (R.Of)
    R.Of->expectAfter(Trace, R.Next.data());
}

/// Gives up if the result, and a bit per row while it is made, exceed the limit.
void RowAssignment::checkMemory() {
  if (ExactSegments.bytes() + LoadedSegments.bytes() + static_cast<size_t>(Row) / 8 <= MaxBytes)
    return;
  GivenUp = true;
  ExactSegments = LoadedSegments = {};
  LoadedRun.Of = nullptr;
  for (Run &R : Phases)
    R.Of = nullptr;
}

RowStructure RowAssignment::finish() {
  for (Run &R : Phases)
    if (R.Of && R.Count >= R.Of->MinRows)
      end(R, ExactSegments);
  if (LoadedRun.Of && LoadedRun.Count >= LoadedRun.Of->MinRows)
    end(LoadedRun, LoadedSegments);
  checkMemory();
  RowStructure Result;
  Result.Rows = Row;
  Result.GivenUp = GivenUp;
  if (GivenUp)
    return Result;
  Result.Classes = std::move(Classes);
  coverRows(Result, std::move(ExactSegments), LoadedSegments);
  return Result;
}

} // namespace specrt
