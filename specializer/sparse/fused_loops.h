//===- specializer/sparse/fused_loops.h - fuses two row loops -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See specrt/fused_rows.h. Both loops stay as they are. Before the first one begins, code asks for
// a plan; if there is one, it executes the steps of both tables in turn.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_FUSED_LOOPS_H
#define SPECRT_SPECIALIZER_SPARSE_FUSED_LOOPS_H

#include "specializer/sparse/table_code.h"
#include "llvm/ADT/SmallVector.h"

namespace specrt {

/// A row loop with code that asks for a table before it begins.
struct LoopWithTable {
  const RowLoop &Rows;
  llvm::GlobalVariable *SparseLoop;
  TableCode Code;
  llvm::CallInst *Asks;
  llvm::Value *Words, *Count; ///< arguments of the request
  llvm::Function *Footprint;  ///< of the loop if it may be fused, see buildFootprint
  bool IsUnrolled;            ///< whether the code is only for certain rows
};

/// Returns the blocks between \p First and \p Second, as written; the last one is the preheader of
/// \p Second. Returns none if the code between them has other effects, if the inputs of \p Second
/// depend on results of \p First, or if the order of more than rows would change.
llvm::SmallVector<llvm::BasicBlock *> blocksToFuse(const RowLoop &First, const RowLoop &Second);

/// Emits the fused code; \p Between is the nonempty result of blocksToFuse.
void fuseLoops(LoopWithTable &First, LoopWithTable &Second,
               llvm::ArrayRef<llvm::BasicBlock *> Between);

} // namespace specrt

#endif
