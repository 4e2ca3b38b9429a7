//===- specializer/sparse/loops/base_order.h - which arrays say where others are read ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the integers of a row loop were is known for ranges of memory, one for each base. Before
// such a range is compared with what it was, one must know that the loop would read it: that
// follows from the ranges before it in the order that is found here.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_LOOPS_BASE_ORDER_H
#define SPECRT_SPECIALIZER_SPARSE_LOOPS_BASE_ORDER_H

#include "specializer/sparse/loops/row_loop.h"

namespace llvm {
class PostDominatorTree;
} // namespace llvm

namespace specrt {

/// Sorts RowLoop::Bases, and finds RowLoop::Circular and RowBase::FirstIsDirect. False: there is no
/// such order. Needs what is known of \p Rows but for these.
bool orderBases(RowLoop &Rows, const llvm::PostDominatorTree &PDT);

} // namespace specrt

#endif
