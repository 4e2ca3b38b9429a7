//===- profiler/observations/cell_values.h - what a region's cells hold at a call ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_OBSERVATIONS_CELL_VALUES_H
#define SPECRT_PROFILER_OBSERVATIONS_CELL_VALUES_H

#include "specrt/abi.h"
#include <array>
#include <vector>

namespace specrt {

/// Of the cells of a region, zero-extended, in their order; 0 beyond them and for what cannot be
/// read.
using CellValues = std::array<uint64_t, SPECRT_MAX_CELLS>;

/// While a call runs, or just before it returns: what every call reads is there. The other cells
/// are read as well when they lie on the same page as such a one; otherwise the operating system
/// copies them. A region that writes to a cell may have changed it: then no version relies on it.
/// Async-signal-safe.
CellValues readCells(const specrt_region &Region, const uint64_t *Packed);

/// Of a call that is over: what it read may be gone.
CellValues peekCells(const specrt_region &Region, const uint64_t *Packed);

/// enum specrt_kind of what a cell holds.
uint8_t kindOf(const specrt_cell &Cell);

/// What values are recorded of: the arguments of a call, then the region's cells.
/// [num_args + num_cells] enum specrt_kind
std::vector<uint8_t> inputKinds(const specrt_region &Region);

} // namespace specrt

#endif
