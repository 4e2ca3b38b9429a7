//===- specializer/loops/loop_copy.h - copies a loop to another function ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_LOOPS_LOOP_COPY_H
#define SPECRT_SPECIALIZER_LOOPS_LOOP_COPY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace specrt {

/// Returns whether \p I is omitted when code is copied: debug info, assumptions, declarations of
/// alias scopes.
bool isOnlySaid(const llvm::Instruction &I);

/// Returns whether the instructions of \p L may exist \p Times times in one function. With more of
/// them, models and compiles take longer than they save in most programs.
bool maySplit(const llvm::Loop &L, size_t Times);

/// Erases \p I, and its operands if nothing else uses them.
void eraseWithOperands(llvm::Instruction &I);

/// Creates a function in the module of \p Like with those attributes of \p Like that concern how it
/// is compiled.
llvm::Function *createLike(const llvm::Function &Like, llvm::Type *Result,
                           llvm::ArrayRef<llvm::Type *> Arguments, const llvm::Twine &Name);

/// Copies the blocks of \p L to the end of \p Into without the instructions for which isOnlySaid(),
/// and without source lines unless \p KeepsLines. \p Map must map the loop's preheader to the block
/// before the copy, its exit to the block after it, and all values from outside. The function adds
/// the blocks and instructions to \p Map. Returns the copies in the loop's order.
llvm::SmallVector<llvm::BasicBlock *> copyLoop(const llvm::Loop &L, llvm::Function &Into,
                                               llvm::ValueToValueMapTy &Map,
                                               bool KeepsLines = false);

} // namespace specrt

#endif
