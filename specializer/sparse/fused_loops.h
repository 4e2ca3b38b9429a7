//===- specializer/sparse/fused_loops.h - two row loops whose rows take turns ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See specrt/fused_rows.h. Both loops stay as they are. Before the first one begins, code asks for
// a plan; where there is one, it has the steps of both tables done in turn.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_FUSED_LOOPS_H
#define SPECRT_SPECIALIZER_SPARSE_FUSED_LOOPS_H

#include "specializer/sparse/table_code.h"
#include "llvm/ADT/SmallVector.h"

namespace specrt {

/// A row loop that asks for a table before it begins.
struct LoopWithTable {
  const RowLoop &Rows;
  llvm::GlobalVariable *Site;
  TableCode Code;
  llvm::CallInst *Asks;
  llvm::Value *Words, *Count; ///< what it asks with
  llvm::Function *Reach;      ///< where it may be fused, see buildReach
  bool IsUnrolled;            ///< the code is of certain rows only
};

/// The blocks between \p First and \p Second, as they were written; the last one is the second
/// one's preheader. Empty: other things happen between them, or they begin with results of the
/// first one, or more than rows would be in another order.
llvm::SmallVector<llvm::BasicBlock *> blocksToFuse(const RowLoop &First, const RowLoop &Second);

/// \p Between: not empty.
void fuseLoops(LoopWithTable &First, LoopWithTable &Second,
               llvm::ArrayRef<llvm::BasicBlock *> Between);

} // namespace specrt

#endif
