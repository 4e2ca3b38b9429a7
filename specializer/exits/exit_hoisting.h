//===- specializer/exits/exit_hoisting.h - hoists data-dependent loop exits ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that ends at a condition on data has no trip count that a model could use. If a few
// instructions determine the end (exit_slice.h), they are hoisted into a loop of their own that
// counts the iterations that run from their beginning to their end. These become a counted loop;
// the original loop executes the rest, a part of one iteration, and leaves by its own exit:
//
//   count:   while (k < n && fabs(f[k]) > eps) ++k;     full iterations
//   full:    for (i = 0; i < count; ++i) { work }       a Scop, maybe
//   rest:    the original loop from iteration `count` on, up to the exit that it takes
//
// Alias analysis proves that what the hoisted instructions read is not written, after guards have
// separated the arrays.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_EXITS_EXIT_HOISTING_H
#define SPECRT_SPECIALIZER_EXITS_EXIT_HOISTING_H

#include "specializer/module/notes.h"
#include "llvm/IR/PassManager.h"

namespace specrt {

/// Hoists the exits of loops of \p F where possible. Changes the CFG, so that loops lose their
/// canonical form. Returns the number of such loops, and adds notes about loops that are left
/// alone.
unsigned hoistExits(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, Notes &Told);

} // namespace specrt

#endif
