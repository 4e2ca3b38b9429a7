//===- specializer/speculation/loop_pieces.h - one loop as several --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value that follows one affine function up to some iteration and another one from there on is
// none to an affine model. In several loops, one behind the other, it is one in each.
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

/// Some iterations of a loop.
struct LoopPiece {
  int64_t First = 0;                ///< iteration of the whole loop
  llvm::PHINode *Counter = nullptr; ///< 64 bits, from 0
  /// From the code of the first piece to that of this one; empty in the first piece.
  std::unique_ptr<llvm::ValueToValueMapTy> Copies;
};

/// Can splitIterations do it, without making too much code?
bool canSplitIterations(const llvm::Loop &L, size_t NumPieces);

/// Makes \p L, which is run \p Count times, several loops of which the first begins with iteration
/// 0 and the others with \p Others, which are in order and below Count. Loops and dominators have
/// to be computed anew.
llvm::SmallVector<LoopPiece, 8> splitIterations(llvm::Loop &L, llvm::LoopInfo &LI,
                                                const llvm::DominatorTree &DT,
                                                llvm::ScalarEvolution &SE,
                                                llvm::ArrayRef<int64_t> Others, int64_t Count);

} // namespace specrt

#endif
