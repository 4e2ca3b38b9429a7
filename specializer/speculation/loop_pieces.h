//===- specializer/speculation/loop_pieces.h - splits a loop into several -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value that follows one affine function up to some iteration and another one from there on is
// not affine for a model. In consecutive loops, it is affine in each.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_LOOP_PIECES_H
#define SPECRT_SPECIALIZER_SPECULATION_LOOP_PIECES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <memory>

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class PHINode;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// A part of a loop's iterations.
struct LoopPiece {
  int64_t First = 0;                ///< iteration of the original loop
  llvm::PHINode *Counter = nullptr; ///< 64 bits, from 0
  /// Maps the code of the first piece to that of this one; null in the first piece.
  std::unique_ptr<llvm::ValueToValueMapTy> Copies;
};

/// Returns whether splitIterations is possible without too much code.
bool canSplitIterations(const llvm::Loop &L, size_t NumPieces);

/// Splits \p L, which executes \p Count iterations, into several loops: the first begins with
/// iteration 0, the others with those in \p Others, which ascend and are below Count. Loop info and
/// dominators must be recomputed.
llvm::SmallVector<LoopPiece, 8> splitIterations(llvm::Loop &L, llvm::LoopInfo &LI,
                                                const llvm::DominatorTree &DT,
                                                llvm::ScalarEvolution &SE,
                                                llvm::ArrayRef<int64_t> Others, int64_t Count);

} // namespace specrt

#endif
