//===- analysis/memory/memory_cells.h - loop bounds and sizes in memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In `for (i = 0; i < s->n; i++)` the bound lies in memory. The plugin names such places in a
// region's descriptor, the profiler records their values at calls, and the specializer takes
// recurring values for constants.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_MEMORY_MEMORY_CELLS_H
#define SPECRT_ANALYSIS_MEMORY_MEMORY_CELLS_H

#include "analysis/memory/access_ranges.h"
#include "specrt/facts.h"

namespace llvm {
class LoadInst;
}

namespace specrt {

/// Returns the place that \p Load reads if it is an integer at a constant distance from an argument
/// or a global. `certain` is not set.
std::optional<specrt_cell> cellOf(const llvm::LoadInst &Load, const SymbolIndex &Symbols);

/// Returns whether the loaded value determines a branch or a subscript. Guards on other data would
/// fail whenever the data change.
bool shapesControl(const llvm::LoadInst &Load);

/// Returns at most SPECRT_MAX_CELLS places that shape \p F: first those that every call reads, each
/// group in function order. Others are only included if a certain place has the same base.
llvm::SmallVector<specrt_cell> describeCells(const llvm::Function &F, const SymbolIndex &Symbols);

} // namespace specrt

#endif
