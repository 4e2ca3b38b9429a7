//===- analysis/description.h - the tables of a region's descriptor -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What abi.h says about a region beside its code: accesses, loops, flags. The plugin writes it into
// programs, the specializer into descriptors made at run time; profiles mean the same in both.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_DESCRIPTION_H
#define SPECRT_ANALYSIS_DESCRIPTION_H

#include "analysis/memory/access_ranges.h"
#include "specrt/abi.h"

namespace specrt {

/// The accesses of \p F under the assumptions that are good for profiles (no wrap-around).
llvm::SmallVector<specrt_access, 0> describeAccesses(llvm::Function &F, llvm::ScalarEvolution &SE,
                                                     llvm::LoopInfo &LI,
                                                     const SymbolIndex &Symbols);

/// The loops of \p F in pre-order, their trip counts under the same assumptions.
llvm::SmallVector<specrt_loop, 0> describeLoops(llvm::Function &F, llvm::ScalarEvolution &SE,
                                                llvm::LoopInfo &LI);

} // namespace specrt

#endif
