//===- analysis/memory/memory_cells.h - sizes that live in memory ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `for (i = 0; i < s->n; i++)`: the bound lies in memory. The plugin names such places in a
// region's descriptor, the profiler records their values at calls, and the specializer takes values
// that recur for constants.
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

/// The place that \p Load reads: an integer at a constant distance from an argument or a global.
/// None for all others. `certain` is not set.
std::optional<specrt_cell> cellOf(const llvm::LoadInst &Load, const SymbolIndex &Symbols);

/// Does the loaded value shape the loop nest: a branch or a subscript? One that is mere data would
/// make a guard fail whenever the data change.
bool shapesControl(const llvm::LoadInst &Load);

/// At most SPECRT_MAX_CELLS places that shape \p F: first those that every call reads, each group
/// in function order. The others are named only where a certain one has the same base.
llvm::SmallVector<specrt_cell> describeCells(const llvm::Function &F, const SymbolIndex &Symbols);

} // namespace specrt

#endif
