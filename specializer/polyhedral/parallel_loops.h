//===- specializer/polyhedral/parallel_loops.h - finds parallel loops in source order ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polly's model describes which iterations access the same element of an array, and which work
// arrays can be private (storage/private_arrays.h). If the iterations of a loop are then
// independent, threads may share the loop without code generated from the model.
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

/// An array that each thread needs for itself when threads share a loop.
struct WorkArray {
  llvm::Value *Base; ///< the address of the program's array
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

/// Returns the parallel loops among the outermost loops of the Scops of \p F, which must be in
/// Polly's canonical form. Does not change \p F. isl may use \p MaxOperations per Scop and array.
/// Sets \p Why to a reason why a loop is not among them, or leaves it as it is. \p Expired returns
/// true when the compile budget is used up; null means no budget.
std::vector<ModelledLoop> findParallelLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                                            unsigned long MaxOperations,
                                            llvm::function_ref<bool()> Expired, std::string &Why);

} // namespace specrt

#endif
