//===- structure/rows/row_candidates.cpp - candidate classes and their savings -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/rows/row_candidates.h"

#include <algorithm>
#include <cstdlib>

namespace specrt {

namespace {

/// Resets elements of \p Known that differ from \p Now; an empty \p Known becomes \p Now.
void meet(std::vector<std::optional<int64_t>> &Known,
          const std::vector<std::optional<int64_t>> &Now) {
  if (Known.empty())
    Known = Now;
  for (size_t I = 0; I < Known.size(); ++I)
    if (Known[I] != Now[I])
      Known[I].reset();
}

} // namespace

void RowCandidate::tie(const RowView &Seen) {
  std::vector<std::optional<int64_t>> Far(Seen.Entries), More(Seen.Entries);
  for (size_t I = 0; I < Seen.Entries; ++I) {
    if (Seen.Kinds[I] != EntryKind::Value)
      continue;
    if (Seen.Delta[I] == Seen.Step)
      Far[I] = static_cast<int64_t>(Seen.Trace[I] - static_cast<uint64_t>(Seen.Row));
    if (Seen.Apart)
      More[I] = static_cast<int64_t>(Seen.Apart[I]);
  }
  meet(Offsets, Far);
  if (!Seen.isFirstOfBlock())
    meet(Aparts, More);
}

void RowCandidate::finish(const RowCosts &Costs, size_t Values) {
  for (size_t I = 0; I < Offsets.size(); ++I) {
    RowTie &Tie = Class.Ties[I];
    Tie.FollowsRow = Offsets[I].has_value();
    if (Offsets[I] && std::abs(*Offsets[I]) <= RowTie::MaxBeside)
      Tie.Beside = Offsets[I];
    if (I < Aparts.size())
      Tie.Apart = Aparts[I];
  }
  if (!Class.hasBlocks()) {
    for (RowTie &Tie : Class.Ties)
      Tie.Apart.reset();
    return;
  }
  const double PerSegment = Costs.segment(Values, 1, false, 0) / Class.Step;
  Saved = Original - PerSegment * static_cast<double>(Segments) -
          Costs.perRow(Values, 1, false) * static_cast<double>(Class.Rows);
}

void RowCandidates::add(const RowView &Seen, int64_t Count) {
  const size_t Values = Seen.values();
  const uint32_t MinRows = Costs.minRows(Values, Seen.Step, false);
  if (Count < MinRows)
    return;
  const auto ClassOf = [this](uint32_t I) -> const RowClass & { return Candidates[I].Class; };
  const uint32_t Known = Table.find(Seen, ClassOf);
  if (Known != RowClassTable::None) {
    Candidates[Known].tie(Seen);
    return Candidates[Known].addSegment(Costs, Values, Count);
  }
  const size_t More = sizeof(RowCandidate) + 64 +
                      Seen.Entries * (sizeof(EntryKind) + sizeof(int64_t) + sizeof(RowTie) +
                                      3 * sizeof(std::optional<int64_t>));
  if (Bytes + More > MaxBytes)
    return;
  Bytes += More;
  RowCandidate &New = Candidates.emplace_back(Seen.toClass());
  New.Class.MinRows = MinRows;
  New.tie(Seen);
  New.addSegment(Costs, Values, Count);
  Table.add(Candidates.back().Class, static_cast<uint32_t>(Candidates.size() - 1));
}

RowSelection selectClasses(std::vector<RowCandidate> Candidates, const RowMinerOptions &Options,
                           double OriginalCycles) {
  const RowCosts &Costs = Options.Costs;
  for (RowCandidate &Each : Candidates)
    Each.finish(Costs, numValues(Each.Class.Kinds.data(), Each.Class.entries()));
  std::sort(Candidates.begin(), Candidates.end(),
            [](const RowCandidate &A, const RowCandidate &B) { return A.Saved > B.Saved; });
  RowSelection Result;
  size_t Operations = 0;
  for (RowCandidate &Candidate : Candidates) {
    const size_t Values = numValues(Candidate.Class.Kinds.data(), Candidate.Class.entries());
    if (Candidate.Saved < (1 - Costs.Worth) * Candidate.Original ||
        Candidate.Saved < Costs.LeastShare * OriginalCycles ||
        Operations + Values > Options.MaxOperations)
      continue;
    if (Result.Classes.size() == Options.MaxClasses)
      break;
    Operations += Values;
    Result.Saved += Candidate.Saved;
    Result.Classes.push_back(std::move(Candidate.Class));
  }
  return Result;
}

} // namespace specrt
