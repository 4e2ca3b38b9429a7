//===- runtime/rows/fusion/fused_rows.h - plans for loops over the same rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A version with two loops over the same rows requests a plan when the first one begins
// (specrt/fused_rows.h). There is one if both loops have tables for this call already, their data
// do not fit into caches, and most rows of the second loop depend on few rows of the first.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_ROWS_FUSION_FUSED_ROWS_H
#define SPECRT_RUNTIME_ROWS_FUSION_FUSED_ROWS_H

#include "specrt/fused_rows.h"

namespace specrt {

/// See specrt_fused_rows_functions. The plans of \p Loops are freed with the first loop's tables
/// (forgetRows).
const specrt_fused_rows *beginFusedRows(specrt_fused_loops *Loops, const uint64_t *FirstInputs,
                                        uint64_t FirstRows, const uint64_t *SecondInputs,
                                        uint64_t SecondRows, const specrt_fused_read *Reads,
                                        uint64_t NumReads);
void endFusedRows(specrt_fused_loops *Loops, const specrt_fused_rows *Plan);
} // namespace specrt

#endif
