//===- specializer/loops/independence/conditional_arrays.h - arrays under conditions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If data decide whether an iteration writes an array (work_arrays.h interprets without data), the
// dataflow of one iteration shows which of its reads may have no write of the same iteration as
// their source (polyhedral/dataflow/on_demand.h). If there are none for any data, the array is a
// work array. Otherwise the result has parameters that say whether a write was executed. If no such
// read remains when these writes are executed, a check before the loop inspects the data: the
// branches in front of these writes must go towards them in every iteration.
//
//   for (i) { for (j) if (mask[i][j] > 0) work[j] = f(i, j); else work[j] = g(i, j);
//             for (j) out[i][j] = work[j]; }                        no parameter, no check
//   for (i) { if (flag[i]) for (j) work[j] = f(i, j);
//             for (j) out[i][j] = work[j]; }                        check: flag[i] holds for all i
//
// The program expects the values of the last iteration that writes the array. If that is not the
// last one of the loop, the same code looks for it.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_CONDITIONAL_ARRAYS_H
#define SPECRT_SPECIALIZER_LOOPS_INDEPENDENCE_CONDITIONAL_ARRAYS_H

#include "specializer/loops/independence/path_conditions.h"
#include "specializer/loops/independence/work_arrays.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace specrt {

/// A branch in a loop that must go in one direction whenever it is executed.
struct BranchDemand {
  llvm::BranchInst *Branch;
  bool IsFirst; ///< the branch must go to the first successor
  /// True if this is demanded in the last iteration only, which is \p Last, counted from 0.
  bool IsLastOnly;
  int64_t Last;
};

struct ConditionalArray {
  WorkArray Array;
  llvm::SmallVector<BranchDemand, 4> Demands; ///< if they are met, it is a work array
  /// If set, each iteration executes this branch, writes all of the array if it goes in this
  /// direction, and nothing otherwise: the last write is not that of the last iteration.
  std::optional<BranchDirection> WrittenIf;
};

/// Returns the array at \p Base if it is a work array of \p L (work_arrays.h), or if it is one when
/// branches in \p L go in certain directions. Its values are \p IsReadBehind the loop; if not, the
/// iterations need not write the same bytes. \p IsConstant returns whether \p L does not write the
/// memory that a load reads. If there is no such array, sets \p Note to the reason, if known.
std::optional<ConditionalArray>
conditionalArrayAt(llvm::Value &Base, llvm::ArrayRef<ArrayAccess> Accesses, const llvm::Loop &L,
                   bool IsReadBehind, llvm::function_ref<bool(const llvm::LoadInst &)> IsConstant,
                   llvm::FunctionAnalysisManager &FAM, std::string &Note);

} // namespace specrt

#endif
