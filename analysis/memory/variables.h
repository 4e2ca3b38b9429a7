//===- analysis/memory/variables.h - values that may become constants later -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_ANALYSIS_MEMORY_VARIABLES_H
#define SPECRT_ANALYSIS_MEMORY_VARIABLES_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class PHINode;
class Value;
} // namespace llvm

namespace specrt {

/// Returns whether \p V depends on what only the running program knows: an argument, memory that is
/// written, a call. All else becomes constant when loops are unrolled, including elements of a
/// function's own arrays. \p IsVariable: returns whether a phi stays variable. \p ForLTO: arguments
/// other than pointers, and globals that nothing in this module writes, may become constants at
/// link time.
bool isVariable(const llvm::Value *V, llvm::function_ref<bool(const llvm::PHINode &)> IsVariable,
                bool ForLTO = false);

} // namespace specrt

#endif
