//===- specializer/sparse/loops/base_order.h - orders arrays that determine accesses -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The integers of a row loop are watched as ranges of memory, one for each base. Before such a
// range may be compared with its earlier contents, the ranges before it in the order found here
// must guarantee that the loop would read it.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_LOOPS_BASE_ORDER_H
#define SPECRT_SPECIALIZER_SPARSE_LOOPS_BASE_ORDER_H

#include "specializer/sparse/loops/row_loop.h"

namespace llvm {
class PostDominatorTree;
} // namespace llvm

namespace specrt {

/// Sorts RowLoop::Bases, and sets RowLoop::Circular and RowBase::FirstIsDirect. Returns false if
/// there is no such order. All other members of \p Rows must be set.
bool orderBases(RowLoop &Rows, const llvm::PostDominatorTree &PDT);

} // namespace specrt

#endif
