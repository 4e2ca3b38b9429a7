//===- analysis/description.cpp - the tables of a region's descriptor -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/description.h"
#include "analysis/memory/trip_counts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace specrt {

SmallVector<specrt_access, 0> describeAccesses(Function &F, ScalarEvolution &SE, LoopInfo &LI,
                                               const SymbolIndex &Symbols) {
  SmallVector<specrt_access, 0> Accesses;
  for (const BaseAccesses &Base :
       computeAccesses(F, SE, LI, /*AssumeNoWrap=*/true, Symbols).Bases) {
    specrt_access Access{};
    Access.range = {Base.Base, Base.Begin, Base.End};
    Access.flags = (Base.Reads ? SPECRT_ACCESS_READ : 0) | (Base.Writes ? SPECRT_ACCESS_WRITE : 0);
    Access.element_size = Base.ElementSize;
    Accesses.push_back(Access);
  }
  return Accesses;
}

SmallVector<specrt_loop, 0> describeLoops(Function &F, ScalarEvolution &SE, LoopInfo &LI) {
  SmallVector<specrt_loop, 0> Loops;
  for (const LoopTripCount &Loop : computeTripCounts(F, SE, LI, /*AssumeNoWrap=*/true))
    Loops.push_back(Loop.Description);
  return Loops;
}

} // namespace specrt
