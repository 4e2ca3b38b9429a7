//===- specializer/polyhedral/kernel/vector_tree.h - scalar expressions as vectors ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_VECTOR_TREE_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_KERNEL_VECTOR_TREE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace specrt {

/// Repeats the operations of a scalar expression, with their flags, on vectors of \p Lanes
/// elements; on scalars if there is one lane.
class VectorTree {
public:
  /// Returns the vector of a value, or null if it is to be computed from its operands.
  using Leaves = llvm::function_ref<llvm::Value *(llvm::Value *)>;

  VectorTree(llvm::IRBuilderBase &B, unsigned Lanes) : B(B), Lanes(Lanes) {}

  llvm::Value *evaluate(llvm::Value *Root, Leaves leaf);

private:
  llvm::Value *repeat(llvm::Instruction &I, llvm::ArrayRef<llvm::Value *> Operands);

  llvm::IRBuilderBase &B;
  unsigned Lanes;
  llvm::DenseMap<llvm::Value *, llvm::Value *> Done;
};

/// Transposes \p Rows, which are as many vectors as each has lanes, a power of two.
void transpose(llvm::IRBuilderBase &B, llvm::MutableArrayRef<llvm::Value *> Rows);

} // namespace specrt

#endif
