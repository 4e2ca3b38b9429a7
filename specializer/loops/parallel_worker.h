//===- specializer/loops/parallel_worker.h - code that threads execute in parts ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread calls the worker with the address of some words. The worker takes parts of the work,
// half-open ranges of numbers, until none is left (runtime/parallel).
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
  /// Emits code that each thread executes first. Returns an i1 that says whether the thread takes
  /// part, or null if each thread does.
  llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &B, llvm::Value *Words)> Begin;
  /// Emits code for a part. The code may end in another block, which has no terminator yet.
  llvm::function_ref<void(llvm::IRBuilder<> &B, llvm::Value *From, llvm::Value *To)> Part;
  /// Emits code that each thread that took part executes last. Null if there is none.
  llvm::function_ref<void(llvm::IRBuilder<> &B)> End = nullptr;
  /// The number of loops of a nest that threads share, including the outermost one; 0 if the work
  /// is not a nest.
  unsigned NestLoops = 0;
  /// Emits code for a part of an inner loop of a nest. \p Numbers are the iterations of the loops
  /// around it, from outside in, then the first iteration of the part, and the first one after it.
  llvm::function_ref<void(llvm::IRBuilder<> &B, llvm::ArrayRef<llvm::Value *> Numbers)> InnerPart =
      nullptr;
};

/// Builds a worker, void (ptr words), with the attributes of \p Like.
llvm::Function *buildParallelWorker(const llvm::Function &Like, const llvm::Twine &Name,
                                    const WorkerCode &Code);

/// Emits a call that executes \p Parts, an i64, on at most \p Threads threads, an i32, including
/// the caller; 0 means any number. Each thread has its own \p Bytes bytes of memory. In a pipeline
/// each thread takes one part, and parts with lower numbers are taken first.
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
