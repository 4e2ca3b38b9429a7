//===- structure/rows/row_discovery.cpp - finds the classes of rows that are worth code ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/rows/row_discovery.h"
#include "structure/rows/row_pattern.h"

#include <algorithm>

namespace specrt {

RowDiscovery::RowDiscovery(const RowMinerOptions &Options)
    : Options(Options), Candidates(Options.Costs, Options.MaxBytes / 2),
      Shapes(Options.Costs, Options.MaxBytes / 4) {
  for (uint32_t Step : RowSteps)
    Phases.emplace_back(Step);
  for (size_t IsStrided = 0; IsStrided < 2; ++IsStrided)
    for (size_t Values = 0; Values <= Options.MaxEntries; ++Values)
      MinRowsOf[IsStrided].push_back(Options.Costs.minRows(Values, IsStrided ? 2 : 1, false));
}

uint32_t RowDiscovery::minRows(const EntryKind *Kinds, size_t Entries, uint32_t Step) {
  return MinRowsOf[Step > 1][numValues(Kinds, Entries)];
}

void RowDiscovery::row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries) {
  const bool CanHaveClass = Entries > 0 && Entries <= Options.MaxEntries;
  PerRowStep Covered{};
  for (size_t S = 0; S < RowSteps.size(); ++S) {
    Run &R = Phases[S][static_cast<uint64_t>(Row) % RowSteps[S]];
    if (CanHaveClass)
      Covered[S] = grow(R, RowSteps[S], Kinds, Trace, Entries);
    else
      end(R, RowSteps[S]);
  }
  if (CanHaveClass)
    Shapes.row(Kinds, Trace, Entries, Covered);
  else
    Shapes.skip();
  OriginalCycles += Options.Costs.original(numValues(Kinds, Entries)) +
                    (Entries == LastEntries ? 0 : Options.Costs.MispredictCycles);
  LastEntries = Entries;
  ++Row;
}

/// How many more rows are in a run that is long enough.
int64_t RowDiscovery::grow(Run &R, uint32_t Step, const EntryKind *Kinds, const int64_t *Trace,
                           size_t Entries) {
  const bool IsAlike = R.Entries == Entries && sameKinds(Kinds, R.Kinds.data(), Entries);
  if (IsAlike && R.Count >= 2 && sameTrace(Trace, R.Next.data(), Entries)) {
    for (size_t I = 0; I < Entries; ++I)
      R.Next[I] += R.Delta[I];
    ++R.Count;
    return R.Count < R.MinRows ? 0 : R.Count == R.MinRows ? R.Count : 1;
  }
  const bool WasLong = R.Count >= 2 && R.Count >= R.MinRows;
  bool Continues = IsAlike && !WasLong;
  for (size_t I = 0; Continues && I < Entries; ++I)
    Continues = Kinds[I] == EntryKind::Value ||
                static_cast<uint64_t>(Trace[I]) == R.Next[I]; // whose control is that of all rows
  if (WasLong)
    end(R, Step);
  if (!Continues) {
    R.Entries = Entries;
    R.Count = 1;
    R.Kinds.assign(Kinds, Kinds + Entries);
    R.Next.assign(Trace, Trace + Entries);
    R.Delta.assign(Entries, 0);
    return 0;
  }
  for (size_t I = 0; I < Entries; ++I) {
    const auto Now = static_cast<uint64_t>(Trace[I]);
    R.Delta[I] = Now - (R.Next[I] - R.Delta[I]);
    R.Next[I] = Now + R.Delta[I];
  }
  R.Count = 2;
  R.MinRows = minRows(Kinds, Entries, Step);
  return R.Count == R.MinRows ? R.Count : 0;
}

void RowDiscovery::end(Run &R, uint32_t Step) {
  if (R.Count >= 2)
    Candidates.add(R.Kinds.data(), R.Next.data(), R.Delta.data(), R.Entries, Step, R.Count);
  R.Entries = 0;
  R.Count = 0;
}

RowDiscovery::Selection RowDiscovery::select(size_t Step) {
  const RowCosts &Costs = Options.Costs;
  std::vector<RowCandidate> Sorted = Shapes.candidates(Step);
  for (const RowCandidate &Candidate : Candidates.all())
    if (Candidate.Class.Step == RowSteps[Step])
      Sorted.push_back(Candidate);
  std::sort(Sorted.begin(), Sorted.end(),
            [](const RowCandidate &A, const RowCandidate &B) { return A.Saved > B.Saved; });
  Selection Result;
  size_t Operations = 0;
  for (RowCandidate &Candidate : Sorted) {
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

RowStructure RowDiscovery::finish() {
  for (size_t S = 0; S < RowSteps.size(); ++S)
    for (Run &R : Phases[S])
      end(R, RowSteps[S]);
  Selection Best;
  for (size_t S = 0; S < RowSteps.size(); ++S) {
    Selection Next = select(S);
    if (Next.Saved > Best.Saved * (S ? Options.Costs.LargerStep : 1))
      Best = std::move(Next);
  }
  RowStructure Result;
  Result.Rows = Row;
  Result.Classes = std::move(Best.Classes);
  return Result;
}

} // namespace specrt
