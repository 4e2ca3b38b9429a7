//===- specializer/rounding/loop_hints.h - pragmas of the original -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_ROUNDING_LOOP_HINTS_H
#define SPECRT_SPECIALIZER_ROUNDING_LOOP_HINTS_H

namespace llvm {
class Module;
} // namespace llvm

namespace specrt {

/// Forgets that loops are to be vectorised, by which width. The vectoriser would take that for a
/// permission to reorder floating-point reductions (analysis/rounding/reordering.h), of which a
/// version may have more than its original, which may have to keep a sum in memory. What forbids
/// vectors stays.
void dropVectorHints(llvm::Module &M);

} // namespace specrt

#endif
