//===- specializer/sparse/loops/jammed_loops.h - loops of a row that can be one ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a product with many columns each entry of a row has a loop over all columns, which reads and
// writes the row of the result. Where an iteration writes only what the same iteration of the other
// loops reads and writes, all of them can be one loop: each element sees the same operations in the
// same order, and stays in a register meanwhile.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_LOOPS_JAMMED_LOOPS_H
#define SPECRT_SPECIALIZER_SPARSE_LOOPS_JAMMED_LOOPS_H

#include "specializer/sparse/loops/row_loop.h"
#include "llvm/IR/IRBuilder.h"

namespace specrt {

/// Sets RowLoop::Jams. \p Rows knows its bases and opaque loops.
void findJams(RowLoop &Rows, const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE);

/// One loop of several, in the order in which they were added. They are of the same jam.
class JammedLoop {
public:
  /// \p Of says what a value from outside of \p Inner is now.
  void add(const llvm::Loop &Inner, llvm::function_ref<llvm::Value *(llvm::Value *)> Of);
  size_t size() const { return Parts.size(); }
  /// Appends it to the block of \p B, and leaves \p B behind it.
  void build(llvm::IRBuilderBase &B) const;

private:
  struct Part {
    const llvm::Loop *Inner;
    llvm::SmallDenseMap<const llvm::Value *, llvm::Value *, 8> Outer;
  };
  llvm::SmallVector<Part> Parts;
};

} // namespace specrt

#endif
