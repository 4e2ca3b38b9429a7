//===- specializer/sparse/equations/expression_tree.h - values as expressions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_EQUATIONS_EXPRESSION_TREE_H
#define SPECRT_SPECIALIZER_SPARSE_EQUATIONS_EXPRESSION_TREE_H

#include "polly/ScopInfo.h"
#include "structure/program/dense_expression.h"

namespace specrt {

/// The value of one write, over reads of its statement.
struct WrittenValue {
  DenseExpression Value;
  std::vector<polly::MemoryAccess *> Reads; ///< by the numbers in Value
};

/// \p Write: of a statement of \p S. What has no operator here, is computed outside of the
/// statement, or is read in a way that the model does not know becomes Unknown.
WrittenValue writtenValue(const polly::MemoryAccess &Write);

} // namespace specrt

#endif
