//===- specializer/exits/exits_ahead.h - loops whose end depends on data ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that ends where data says so has no trip count that a model of the nest could use. Where a
// few instructions decide (exit_slice.h) they are executed ahead, in a loop of their own that
// counts the iterations that run from their beginning to their end. Those become a counted loop;
// the loop as it was does what is left, a part of one iteration, and leaves by its own exit:
//
//   count:   while (k < n && fabs(f[k]) > eps) ++k;     full iterations
//   full:    for (i = 0; i < count; ++i) { work }       a Scop, maybe
//   rest:    the original loop from iteration `count` on, up to the exit that it takes
//
// That what is read ahead stays unwritten follows from alias analysis, after guards have told it
// which arrays are apart.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_EXITS_EXITS_AHEAD_H
#define SPECRT_SPECIALIZER_EXITS_EXITS_AHEAD_H

#include "specializer/module/notes.h"
#include "llvm/IR/PassManager.h"

namespace specrt {

/// Finds the ends of loops of \p F ahead where that can be done. The CFG changes, and loops lose
/// their canonical form. Returns the number of such loops; those that are left alone are noted.
unsigned findExitsAhead(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, Notes &Told);

} // namespace specrt

#endif
