//===- analysis/linkage.h - who sees a definition in a region's module ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_ANALYSIS_LINKAGE_H
#define SPECRT_ANALYSIS_LINKAGE_H

#include "llvm/IR/GlobalObject.h"

namespace specrt {

/// Nobody outside of the module: a copy of our own.
void makeLocal(llvm::GlobalObject &G);

/// Others define or use it. Symbols of the jit may lie anywhere in the address space.
void makeExternal(llvm::GlobalObject &G);

} // namespace specrt

#endif
