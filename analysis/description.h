//===- analysis/description.h - the tables of a region's descriptor -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of abi.h that describe a region beside its code: accesses, loops, flags. The plugin
// writes them into programs, the specializer into descriptors made at run time; profiles have the
// same meaning in both.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_DESCRIPTION_H
#define SPECRT_ANALYSIS_DESCRIPTION_H

#include "analysis/memory/access_ranges.h"
#include "specrt/abi.h"

namespace specrt {

/// Returns the accesses of \p F under assumptions that suit profiles (no wrap-around).
llvm::SmallVector<specrt_access, 0> describeAccesses(llvm::Function &F, llvm::ScalarEvolution &SE,
                                                     llvm::LoopInfo &LI,
                                                     const SymbolIndex &Symbols);

/// Returns the loops of \p F in pre-order, with trip counts under the same assumptions.
llvm::SmallVector<specrt_loop, 0> describeLoops(llvm::Function &F, llvm::ScalarEvolution &SE,
                                                llvm::LoopInfo &LI);

} // namespace specrt

#endif
