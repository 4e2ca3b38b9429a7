//===- structure/rows/row_shapes.cpp - neighbouring rows with equal control ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/rows/row_shapes.h"

#include <algorithm>

namespace specrt {

bool RowShapes::Shape::is(const EntryKind *OtherKinds, const int64_t *Trace, size_t Entries) const {
  if (Kinds.size() != Entries)
    return false;
  for (size_t I = 0; I < Entries; ++I)
    if (Kinds[I] != OtherKinds[I] || (Kinds[I] != EntryKind::Value && Control[I] != Trace[I]))
      return false;
  return true;
}

uint32_t RowShapes::find(const EntryKind *Kinds, const int64_t *Trace, size_t Entries) {
  uint64_t Hash = Entries;
  for (size_t I = 0; I < Entries; ++I)
    if (Kinds[I] != EntryKind::Value)
      Hash = mixed(Hash, I ^ static_cast<uint64_t>(Trace[I]) << 16);
  for (auto [At, End] = ByHash.equal_range(Hash); At != End; ++At)
    if (Shapes[At->second].is(Kinds, Trace, Entries))
      return At->second;
  const size_t More =
      sizeof(Shape) + 64 + Entries * (sizeof(EntryKind) + sizeof(int64_t) + sizeof(Ballot));
  if (Bytes + More > MaxBytes)
    return None;
  Bytes += More;
  Shape &New = Shapes.emplace_back();
  New.Kinds.assign(Kinds, Kinds + Entries);
  for (size_t I = 0; I < Entries; ++I)
    New.Control.push_back(Kinds[I] == EntryKind::Value ? 0 : Trace[I]);
  New.Ballots.resize(Entries);
  const auto Index = static_cast<uint32_t>(Shapes.size() - 1);
  ByHash.emplace(Hash, Index);
  return Index;
}

void RowShapes::vote(Shape &S, const int64_t *Trace) {
  ++S.Transitions;
  for (size_t I = 0; I < S.Ballots.size(); ++I) {
    const uint64_t Delta = static_cast<uint64_t>(Trace[I]) - static_cast<uint64_t>(Last[I]);
    Ballot &B = S.Ballots[I];
    if (B.Votes == 0 && B.Delta != Delta)
      B = {Delta, 0, 0};
    const bool Agrees = B.Delta == Delta;
    B.Votes += Agrees ? 1 : -1;
    B.For += Agrees;
  }
}

void RowShapes::row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries,
                    const PerRowStep &Covered) {
  if (Current != None && Shapes[Current].is(Kinds, Trace, Entries)) {
    vote(Shapes[Current], Trace);
    std::copy_n(Trace, Entries, Last.begin());
  } else {
    endRun();
    Current = find(Kinds, Trace, Entries);
    Last.assign(Trace, Trace + Entries);
  }
  ++Count;
  for (size_t S = 0; S < Covered.size(); ++S)
    RunCovered[S] += Covered[S];
}

void RowShapes::endRun() {
  if (Current != None && Count >= RowCosts::LoadedMinRows) {
    Shape &S = Shapes[Current];
    S.Rows += Count;
    ++S.Runs;
    for (size_t I = 0; I < RunCovered.size(); ++I)
      S.Covered[I] += std::min(Count, RunCovered[I]);
  }
  Current = None;
  Count = 0;
  RunCovered = {};
}

std::vector<RowCandidate> RowShapes::candidates(size_t Step) {
  endRun();
  std::vector<RowCandidate> Result;
  for (const Shape &S : Shapes) {
    const int64_t Rows = S.Rows - S.Covered[Step];
    if (Rows < RowCosts::LoadedMinRows)
      continue;
    RowCandidate Candidate;
    Candidate.Class.Kinds = S.Kinds;
    Candidate.Class.Control = S.Control;
    Candidate.Class.Ties.resize(S.Kinds.size());
    for (size_t I = 0; I < S.Ballots.size(); ++I) {
      // One row in eight may deviate: it begins another segment.
      const bool Follows =
          S.Kinds[I] != EntryKind::Value || 8 * S.Ballots[I].For >= 7 * S.Transitions;
      Candidate.Class.Deltas.push_back(
          Follows ? std::optional(static_cast<int64_t>(S.Ballots[I].Delta)) : std::nullopt);
    }
    if (!Candidate.Class.hasLoaded())
      continue;
    const size_t Values = numValues(S.Kinds.data(), S.Kinds.size());
    Candidate.Class.MinRows = Costs.minRows(Values, 1, true);
    Candidate.addSegment(Costs, Values, Rows);
    Candidate.Saved -= Costs.segment(Values, 1, true, 0) * static_cast<double>(S.Runs - 1);
    Result.push_back(std::move(Candidate));
  }
  return Result;
}

} // namespace specrt
