//===- specializer/rounding/loop_hints.h - drops pragmas for vectorisation -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_ROUNDING_LOOP_HINTS_H
#define SPECRT_SPECIALIZER_ROUNDING_LOOP_HINTS_H

namespace llvm {
class Module;
} // namespace llvm

namespace specrt {

/// Drops hints to vectorise loops and to use a vector width. The vectoriser would take them as
/// permission to reorder floating-point reductions (analysis/rounding/reordering.h); a version may
/// have more reductions than its original, which may have to keep a sum in memory. Hints that
/// forbid vectors stay.
void dropVectorHints(llvm::Module &M);

} // namespace specrt

#endif
