//===- specializer/sparse/equations/expression_tree.h - values as expressions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_EQUATIONS_EXPRESSION_TREE_H
#define SPECRT_SPECIALIZER_SPARSE_EQUATIONS_EXPRESSION_TREE_H

#include "polly/ScopInfo.h"
#include "structure/program/dense_expression.h"

namespace specrt {

/// The value of one write, as an expression over reads of its statement.
struct WrittenValue {
  DenseExpression Value;
  std::vector<polly::MemoryAccess *> Reads; ///< by the access numbers in Value
};

/// Returns the value of \p Write. Operations without a DenseOp, values from outside of the
/// statement, and reads that the model does not know become Unknown.
WrittenValue writtenValue(const polly::MemoryAccess &Write);

} // namespace specrt

#endif
