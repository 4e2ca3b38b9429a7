//===- structure/rows/row_candidates.cpp - classes that were seen, and what they save ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/rows/row_candidates.h"

#include <algorithm>

namespace specrt {

void RowCandidates::add(const RowView &Seen, int64_t Count) {
  const size_t Values = Seen.values();
  const uint32_t MinRows = Costs.minRows(Values, Seen.Step, false);
  if (Count < MinRows)
    return;
  const auto ClassOf = [this](uint32_t I) -> const RowClass & { return Candidates[I].Class; };
  const uint32_t Known = Table.find(Seen, ClassOf);
  if (Known != RowClassTable::None)
    return Candidates[Known].addSegment(Costs, Values, Count);
  const size_t More =
      sizeof(RowCandidate) + 64 +
      Seen.Entries * (sizeof(EntryKind) + sizeof(int64_t) + sizeof(std::optional<int64_t>));
  if (Bytes + More > MaxBytes)
    return;
  Bytes += More;
  Candidates.push_back({Seen.toClass()});
  Candidates.back().Class.MinRows = MinRows;
  Candidates.back().addSegment(Costs, Values, Count);
  Table.add(Candidates.back().Class, static_cast<uint32_t>(Candidates.size() - 1));
}

RowSelection selectClasses(std::vector<RowCandidate> Candidates, const RowMinerOptions &Options,
                           double OriginalCycles) {
  const RowCosts &Costs = Options.Costs;
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
