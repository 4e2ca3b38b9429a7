//===- structure/rows/row_discovery.h - finds the classes of rows that are worth code ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each step b and each of its b phases, two rows predict the next one, and a run grows as long
// as the prediction is right. The common properties of runs are the candidates. The smallest step
// that is not clearly beaten by a larger one is chosen, and of its candidates the few that save
// most.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_ROWS_ROW_DISCOVERY_H
#define SPECRT_STRUCTURE_ROWS_ROW_DISCOVERY_H

#include "structure/rows/row_run.h"
#include "structure/rows/row_shapes.h"

namespace specrt {

class RowDiscovery {
public:
  explicit RowDiscovery(const RowMinerOptions &Options);

  void row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries);
  RowStructure finish();

private:
  struct Run : RowRun {
    uint32_t MinRows = 0; // valid from the second row on
    bool isLong() const { return count() >= 2 && count() >= MinRows; }
  };

  int64_t grow(Run &R, uint32_t Step, const EntryKind *Kinds, const int64_t *Trace, size_t Entries);
  void end(Run &R);
  RowSelection select(size_t Step);

  const RowMinerOptions Options;
  RowCandidates Candidates;
  RowShapes Shapes;
  std::vector<std::vector<Run>> Phases; // per step
  const MinRowsTable MinRowsOf;
  int64_t Row = 0;
  size_t LastEntries = 0;
  double OriginalCycles = 0;
};

} // namespace specrt

#endif
