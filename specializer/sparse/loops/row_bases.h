//===- specializer/sparse/loops/row_bases.h - the base pointers of a row loop -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_LOOPS_ROW_BASES_H
#define SPECRT_SPECIALIZER_SPARSE_LOOPS_ROW_BASES_H

#include "specializer/sparse/loops/row_loop.h"

namespace specrt {

/// Sets RowLoop::Bases, with their flags but unsorted, and RowLoop::BaseOf. Returns an obstacle for
/// reports if an access has no base, otherwise null. \p More bases will be added later.
const char *findBases(RowLoop &Rows, const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
                      unsigned More);

} // namespace specrt

#endif
