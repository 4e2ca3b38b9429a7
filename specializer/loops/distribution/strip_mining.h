//===- specializer/loops/distribution/strip_mining.h - a loop over strips of a loop ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (i = 0; i < n; ++i)              for (s = 0; s < n; s += 4096)
//       body(i);                   ──>       for (i = s; i < min(s + 4096, n); ++i)
//                                              body(i);
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_DISTRIBUTION_STRIP_MINING_H
#define SPECRT_SPECIALIZER_LOOPS_DISTRIBUTION_STRIP_MINING_H

#include "llvm/IR/PassManager.h"
#include <cstdint>

namespace llvm {
class Instruction;
class Loop;
} // namespace llvm

namespace specrt {

/// Puts a loop around \p L, whose number of iterations must be known before it (loop_shape.h), such
/// that \p L executes at most \p Length iterations at a time. Values that \p L carries pass through
/// the new loop. The loops of the function must be in canonical form. Invalidates the analyses.
/// Returns the number of iterations of \p L in a strip, an i64 that is at least 1. A smaller
/// number, known at the end of the preheader of \p L, may replace it.
llvm::Instruction *stripMine(llvm::Loop &L, uint64_t Length, llvm::FunctionAnalysisManager &FAM);

/// Returns whether stripMine() has made \p L.
bool isLoopOverStrips(const llvm::Loop &L);

} // namespace specrt

#endif
