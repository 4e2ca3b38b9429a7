//===- analysis/linkage.h - visibility of definitions in a region's module -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_ANALYSIS_LINKAGE_H
#define SPECRT_ANALYSIS_LINKAGE_H

#include "llvm/IR/GlobalObject.h"

namespace specrt {

/// Makes \p G private to the module.
void makeLocal(llvm::GlobalObject &G);

/// Makes \p G visible to other modules. Symbols of the jit may lie anywhere in the address space.
void makeExternal(llvm::GlobalObject &G);

} // namespace specrt

#endif
