//===- analysis/memory/entry_path.h - instructions that every call executes -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_ANALYSIS_MEMORY_ENTRY_PATH_H
#define SPECRT_ANALYSIS_MEMORY_ENTRY_PATH_H

#include "llvm/ADT/DenseSet.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace specrt {

/// Returns the instructions that every call of \p F executes: those on the straight path from the
/// entry to the first branch or to the first instruction that may not return. Guards may read the
/// memory that they read.
llvm::DenseSet<const llvm::Instruction *> instructionsOnEntryPath(const llvm::Function &F);

} // namespace specrt

#endif
