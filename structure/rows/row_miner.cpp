//===- structure/rows/row_miner.cpp - derives classes and segments from traces of rows -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/rows/row_miner.h"
#include "structure/rows/row_assignment.h"
#include "structure/rows/row_discovery.h"

namespace specrt {

RowMiner::RowMiner() = default;
RowMiner::RowMiner(RowMiner &&) noexcept = default;
RowMiner &RowMiner::operator=(RowMiner &&) noexcept = default;
RowMiner::~RowMiner() = default;

RowMiner RowMiner::discover(const RowMinerOptions &Options) {
  RowMiner Miner;
  Miner.Discovery = std::make_unique<RowDiscovery>(Options);
  return Miner;
}

RowMiner RowMiner::assign(std::vector<RowClass> Classes, const RowMinerOptions &Options) {
  RowMiner Miner;
  Miner.Assignment = std::make_unique<RowAssignment>(std::move(Classes), Options);
  return Miner;
}

void RowMiner::row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries) {
  if (!Assignment) {
    Discovery->row(Kinds, Trace, Entries);
    return;
  }
  Assignment->row(Kinds, Trace, Entries);
  Now = {Assignment->settled(), Assignment->begun(), Assignment->givenUp()};
}

uint32_t RowMiner::step() const { return Assignment ? Assignment->step() : 1; }

void RowMiner::skip(uint64_t Rows) {
  if (Rows)
    Assignment->skip(Rows);
}

RowStructure RowMiner::finish() { return Assignment ? Assignment->finish() : Discovery->finish(); }

} // namespace specrt
