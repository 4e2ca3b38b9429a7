//===- analysis/memory/variables.h - what may become a constant later -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_ANALYSIS_MEMORY_VARIABLES_H
#define SPECRT_ANALYSIS_MEMORY_VARIABLES_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class PHINode;
class Value;
} // namespace llvm

namespace specrt {

/// Does \p V depend on what only the running program knows: an argument, memory that is written, a
/// call? All else becomes constant when loops are unrolled, elements of a function's own arrays
/// included. \p IsVariable: phis that do not. \p ForLTO: numbers that are passed to functions, and
/// global variables that nothing here writes, may become constants at link time.
bool isVariable(const llvm::Value *V, llvm::function_ref<bool(const llvm::PHINode &)> IsVariable,
                bool ForLTO = false);

} // namespace specrt

#endif
