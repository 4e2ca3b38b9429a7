//===- specializer/polyhedral/parallel_loops.h - parallel loops of the source's order ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polly's model says which iterations access the same element of an array, and which work arrays
// are private (storage/private_arrays.h). Where that leaves the iterations of a loop independent,
// threads may share the loop as it is: no code has to be generated from the model.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_PARALLEL_LOOPS_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_PARALLEL_LOOPS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include <string>
#include <vector>

namespace llvm {
class BasicBlock;
class Value;
} // namespace llvm

namespace specrt {

/// An array of which each thread that shares a loop needs its own.
struct WorkArray {
  llvm::Value *Base; ///< where the program's array begins
  /// The part of the array that the loop accesses, in bytes from its beginning.
  uint64_t FirstByte, NumBytes;
  /// The iteration of the loop, counted from 0, whose values the program expects in the array.
  int64_t LastIteration;
};

/// A loop whose iterations may run in parallel if they carry nothing but counters in registers.
struct ModelledLoop {
  llvm::BasicBlock *Header;
  llvm::SmallVector<WorkArray, 4> Arrays;
};

/// Returns the parallel loops among the outermost loops of the Scops of \p F, which has to be in
/// Polly's canonical form and stays as it is. isl may use \p MaxOperations per Scop and array.
/// \p Why becomes a reason for a loop that is not among them, "" if there is none. \p Expired is
/// true when the compile budget is used up; null: no budget.
std::vector<ModelledLoop> findParallelLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                                            unsigned long MaxOperations,
                                            llvm::function_ref<bool()> Expired, std::string &Why);

} // namespace specrt

#endif
