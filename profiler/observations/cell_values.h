//===- profiler/observations/cell_values.h - reads a region's cells -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_OBSERVATIONS_CELL_VALUES_H
#define SPECRT_PROFILER_OBSERVATIONS_CELL_VALUES_H

#include "specrt/abi.h"
#include <array>
#include <vector>

namespace specrt {

/// The values of a region's cells, zero-extended, in their order; 0 beyond them and for cells that
/// cannot be read.
using CellValues = std::array<uint64_t, SPECRT_MAX_CELLS>;

/// Reads the cells while a call runs, or just before it returns: cells that every call reads are
/// mapped then. Others are read directly if they are on the same page as such a cell; otherwise the
/// operating system copies them. A region that writes to a cell may have changed it; no version
/// relies on such a cell. Async-signal-safe.
CellValues readCells(const specrt_region &Region, const uint64_t *Packed);

/// Reads the cells after a call, when its memory may be unmapped.
CellValues peekCells(const specrt_region &Region, const uint64_t *Packed);

/// Returns the enum specrt_kind of a cell's value.
uint8_t kindOf(const specrt_cell &Cell);

/// Returns the kinds of the inputs whose values are recorded: the arguments of a call, then the
/// region's cells. [num_args + num_cells] enum specrt_kind
std::vector<uint8_t> inputKinds(const specrt_region &Region);

} // namespace specrt

#endif
