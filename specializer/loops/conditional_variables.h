//===- specializer/loops/conditional_variables.h - keeps carried variables in memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (i) { if (flag[i]) last = f(i);  out[i] = g(last, i); }
//
// LLVM carries `last` from iteration to iteration in phis, which makes the loop serial. In memory
// it is like an array with one element, which may be found to be private to the iterations
// (independence/conditional_arrays.h). If the loop is not shared, later passes promote the variable
// to a register again.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_CONDITIONAL_VARIABLES_H
#define SPECRT_SPECIALIZER_LOOPS_CONDITIONAL_VARIABLES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
} // namespace llvm

namespace specrt {

/// Stores the variables that \p L changes under conditions, and carries from one iteration to the
/// next, on the stack. Counters and accumulators stay as they are. \p L must be in canonical form.
/// Returns the number of variables. Selections of such a variable become branches. Keeps loop info
/// and the dominator tree; all other analyses become invalid unless the number is 0.
unsigned storeConditionalVariables(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM);

} // namespace specrt

#endif
