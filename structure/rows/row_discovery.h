//===- structure/rows/row_discovery.h - finds the classes of rows that are worth code ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each step b and each of its b phases, two rows foresee the next, and as long as that is right
// a run grows. What the runs had in common are the candidates. The smallest step that is not
// clearly beaten by a larger one is taken, and of its candidates the few that save most.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_ROWS_ROW_DISCOVERY_H
#define SPECRT_STRUCTURE_ROWS_ROW_DISCOVERY_H

#include "structure/rows/row_miner.h"
#include "structure/rows/row_shapes.h"

namespace specrt {

class RowDiscovery {
public:
  explicit RowDiscovery(const RowMinerOptions &Options);

  void row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries);
  RowStructure finish();

private:
  struct Run {
    size_t Entries = 0; // 0: no row
    int64_t Count = 0;
    uint32_t MinRows = 0; // known from the second row on
    std::vector<EntryKind> Kinds;
    std::vector<uint64_t> Next, Delta; // of one row: Next is that row, Delta 0
  };
  struct Selection {
    std::vector<RowClass> Classes;
    double Saved = 0;
  };

  int64_t grow(Run &R, uint32_t Step, const EntryKind *Kinds, const int64_t *Trace, size_t Entries);
  void end(Run &R, uint32_t Step);
  uint32_t minRows(const EntryKind *Kinds, size_t Entries, uint32_t Step);
  Selection select(size_t Step);

  const RowMinerOptions Options;
  RowCandidates Candidates;
  RowShapes Shapes;
  std::vector<std::vector<Run>> Phases; // per step
  std::vector<uint32_t> MinRowsOf[2];   // by values; for step 1 and larger ones
  int64_t Row = 0;
  size_t LastEntries = 0;
  double OriginalCycles = 0;
};

} // namespace specrt

#endif
