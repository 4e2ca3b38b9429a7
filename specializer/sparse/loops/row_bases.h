//===- specializer/sparse/loops/row_bases.h - through which pointers rows access memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_LOOPS_ROW_BASES_H
#define SPECRT_SPECIALIZER_SPARSE_LOOPS_ROW_BASES_H

#include "specializer/sparse/loops/row_loop.h"

namespace specrt {

/// Finds RowLoop::Bases, with how they are accessed but in no order, and RowLoop::BaseOf. Returns
/// why there is none for some access, for reports; null: there is one for each. There will be so
/// many \p More.
const char *findBases(RowLoop &Rows, const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
                      unsigned More);

} // namespace specrt

#endif
