//===- specializer/loops/parallel_worker.h - code that threads execute in parts ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads begin with the address of some words and take parts of the work, numbers from a begin to
// before an end, until none is left (runtime/parallel).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_PARALLEL_WORKER_H
#define SPECRT_SPECIALIZER_LOOPS_PARALLEL_WORKER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace specrt {

/// Functions that emit the code of a worker.
struct WorkerCode {
  /// Code that each thread executes first. Returns an i1, whether it takes part; null: each does.
  llvm::function_ref<llvm::Value *(llvm::IRBuilder<> &B, llvm::Value *Words)> Begin;
  /// Code for a part. It may end in another block than it began in, which has no end yet.
  llvm::function_ref<void(llvm::IRBuilder<> &B, llvm::Value *From, llvm::Value *To)> Part;
  /// Code that each thread that took part executes last; null: none.
  llvm::function_ref<void(llvm::IRBuilder<> &B)> End = nullptr;
};

/// void (ptr words). Compiled like \p Like.
llvm::Function *buildParallelWorker(const llvm::Function &Like, const llvm::Twine &Name,
                                    const WorkerCode &Code);

/// Has \p Parts, an i64, done by \p Threads, an i32, with this one among them; 0: by any number.
/// Each thread gets its own \p Bytes bytes of memory. In a pipeline each thread takes one part, and
/// those with lower numbers are taken first.
void runParallelWorker(llvm::IRBuilderBase &B, llvm::Function &Worker, llvm::Value *Words,
                       llvm::Value *Threads, llvm::Value *Parts, uint64_t Bytes = 0,
                       bool IsPipeline = false);

} // namespace specrt

#endif
