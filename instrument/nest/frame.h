//===- instrument/nest/frame.h - stack memory for the calls of regions ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_INSTRUMENT_NEST_FRAME_H
#define SPECRT_INSTRUMENT_NEST_FRAME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace specrt {

/// The specrt_frame of a function. Its regions share it, because one ends before the next begins.
class Frame {
public:
  explicit Frame(llvm::Function &F) : F(F) {}

  /// The address, of a frame that has room for \p NumArgs arguments.
  llvm::Value *address(size_t NumArgs);

private:
  llvm::Function &F;
  llvm::AllocaInst *Memory = nullptr;
};

/// The address of a member of the frame at \p Address that lies \p Offset bytes behind its begin.
llvm::Value *memberOf(llvm::IRBuilder<> &B, llvm::Value *Address, size_t Offset);

/// Stores \p Values into the packed arguments of the frame, as abi.h says. Returns their places.
llvm::SmallVector<llvm::Value *> packInto(llvm::IRBuilder<> &B, llvm::Value *Address,
                                          llvm::ArrayRef<llvm::Value *> Values);

} // namespace specrt

#endif
