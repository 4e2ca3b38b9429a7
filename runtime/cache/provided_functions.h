//===- runtime/cache/provided_functions.h - functions that generated code calls ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_CACHE_PROVIDED_FUNCTIONS_H
#define SPECRT_RUNTIME_CACHE_PROVIDED_FUNCTIONS_H

#include "runtime/rows/fusion/fused_rows.h"
#include "runtime/rows/row_tables.h"
#include "runtime/zeros/zero_lists.h"
#include "support/helper_functions.h"

namespace specrt {

/// Registers the functions for rows and zeros under their names (support/helper_functions.h).
inline void provideFunctions() {
  provideRows(beginRows, endRows);
  static constexpr specrt_entry_runs_functions Runs{beginEntryRuns, endEntryRuns};
  provideEntryRuns(&Runs);
  static constexpr specrt_fused_rows_functions Fused{beginFusedRows, endFusedRows};
  provideFusedRows(&Fused);
  static constexpr specrt_zeros_functions Zeros{beginZeros, fitZeros, endZeros};
  provideZeros(&Zeros);
}

} // namespace specrt

#endif
