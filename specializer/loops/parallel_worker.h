//===- specializer/loops/parallel_worker.h - code that threads execute in parts ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads begin with the address of some words and take parts of the work, numbers from a begin to
// before an end, until none is left (runtime/parallel).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_PARALLEL_WORKER_H
#define SPECRT_SPECIALIZER_LOOPS_PARALLEL_WORKER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace specrt {

/// Functions that emit the code of a worker.
struct WorkerCode {
  /// Code that each thread executes first. Returns an i1, whether it takes part; null: each does.
  llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &B, llvm::Value *Words)> Begin;
  /// Emits code for a part. It may end in another block, which has no terminator yet.
  llvm::function_ref<void(llvm::IRBuilder<> &B, llvm::Value *From, llvm::Value *To)> Part;
  /// Code that each thread that took part executes last; null: none.
  llvm::function_ref<void(llvm::IRBuilder<> &B)> End = nullptr;
  /// Loops of a nest that threads share, the outermost one included; 0: the work is not a nest.
  unsigned NestLoops = 0;
  /// Code for a part of an inner loop of a nest. \p Numbers are those of the iterations of the
  /// loops around it, from outside in, the first one of the part, and the one before which it ends.
  llvm::function_ref<void(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Value *> Numbers)> InnerPart =
      nullptr;
};

/// void (ptr words). Compiled like \p Like.
llvm::Function *buildParallelWorker(const llvm::Function &Like, const llvm::Twine &Name,
                                    const WorkerCode &Code);

/// Emits a call that executes \p Parts, an i64, on at most \p Threads threads, an i32, the caller
/// included; 0 means any number.
/// Each thread gets its own \p Bytes bytes of memory. In a pipeline each thread takes one part, and
/// those with lower numbers are taken first.
void runParallelWorker(llvm::IRBuilderBase &B, llvm::Function &Worker, llvm::Value *Words,
                       llvm::Value *Threads, llvm::Value *Parts, uint64_t Bytes = 0,
                       bool IsPipeline = false);

/// Emits a call that executes the nest that \p Nest points to, a specrt_ranked_nest
/// (runtime/parallel/parallel.h), by a worker with loops of a nest. The other arguments are those
/// of runParallelWorker().
void runNestWorker(llvm::IRBuilderBase &B, llvm::Function &Worker, llvm::Value *Words,
                   llvm::Value *Threads, llvm::Value *Nest, uint64_t Bytes);

} // namespace specrt

#endif
