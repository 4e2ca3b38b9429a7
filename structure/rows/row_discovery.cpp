//===- structure/rows/row_discovery.cpp - finds the classes of rows that are worth code ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/rows/row_discovery.h"

namespace specrt {

RowDiscovery::RowDiscovery(const RowMinerOptions &Options)
    : Options(Options), Candidates(Options.Costs, Options.MaxBytes / 2),
      Shapes(Options.Costs, Options.MaxBytes / 4), MinRowsOf(Options.Costs, Options.MaxEntries) {
  for (uint32_t Step : RowSteps)
    Phases.emplace_back(Step);
}

void RowDiscovery::row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries) {
  const bool CanHaveClass = Entries > 0 && Entries <= Options.MaxEntries;
  PerRowStep Covered{};
  for (size_t S = 0; S < RowSteps.size(); ++S) {
    Run &R = Phases[S][static_cast<uint64_t>(Row) % RowSteps[S]];
    if (CanHaveClass)
      Covered[S] = grow(R, RowSteps[S], Kinds, Trace, Entries);
    else
      end(R);
    if (const auto Phase = static_cast<uint64_t>(Row) % RowSteps[S]; Phase > 0 && R.count() == 2)
      R.compareWith(Phases[S][Phase - 1]);
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

/// Adds the row to \p R. Returns by how much the number of rows in long enough runs grows.
int64_t RowDiscovery::grow(Run &R, uint32_t Step, const EntryKind *Kinds, const int64_t *Trace,
                           size_t Entries) {
  if (R.extend(Row, Kinds, Trace, Entries))
    return R.count() < R.MinRows ? 0 : R.count() == R.MinRows ? R.count() : 1;
  if (R.isLong())
    end(R);
  if (!R.pair(Row, Kinds, Trace, Entries)) {
    R.start(Row, Kinds, Trace, Entries);
    return 0;
  }
  R.MinRows = MinRowsOf(numValues(Kinds, Entries), Step);
  return R.isLong() ? R.count() : 0;
}

void RowDiscovery::end(Run &R) {
  if (R.isLong())
    Candidates.add(R.view(), R.count());
  R.clear();
}

RowSelection RowDiscovery::select(size_t Step) {
  std::vector<RowCandidate> All = Shapes.candidates(Step);
  for (const RowCandidate &Candidate : Candidates.all())
    if (Candidate.Class.Step == RowSteps[Step])
      All.push_back(Candidate);
  return selectClasses(std::move(All), Options, OriginalCycles);
}

RowStructure RowDiscovery::finish() {
  for (std::vector<Run> &Runs : Phases)
    for (Run &R : Runs)
      end(R);
  RowSelection Best;
  for (size_t S = 0; S < RowSteps.size(); ++S) {
    RowSelection Next = select(S);
    if (Next.Saved > Best.Saved * (S && !Next.hasBlocks() ? Options.Costs.LargerStep : 1))
      Best = std::move(Next);
  }
  RowStructure Result;
  Result.Rows = Row;
  Result.Classes = std::move(Best.Classes);
  return Result;
}

} // namespace specrt
