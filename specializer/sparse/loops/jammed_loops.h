//===- specializer/sparse/loops/jammed_loops.h - jams loops of a row into one -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a product with many columns each entry of a row has a loop over all columns, which reads and
// writes the row of the result. If an iteration writes only what the same iteration of the other
// loops accesses, all of them can be jammed into one loop: each element sees the same operations in
// the same order, and stays in a register meanwhile.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_LOOPS_JAMMED_LOOPS_H
#define SPECRT_SPECIALIZER_SPARSE_LOOPS_JAMMED_LOOPS_H

#include "specializer/sparse/loops/row_loop.h"
#include "llvm/IR/IRBuilder.h"

namespace specrt {

/// Sets RowLoop::Jams. Bases and opaque loops of \p Rows must be set.
void findJams(RowLoop &Rows, const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE);

/// Builds one loop from several of the same jam, in the order in which they were added.
class JammedLoop {
public:
  /// Adds a loop; \p Of maps values from outside of \p Inner to their current values.
  void add(const llvm::Loop &Inner, llvm::function_ref<llvm::Value *(llvm::Value *)> Of);
  size_t size() const { return Parts.size(); }
  /// Appends the loop to the block of \p B, and leaves \p B behind it.
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
