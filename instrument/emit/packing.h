//===- instrument/emit/packing.h - code that packs a region's arguments ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_INSTRUMENT_EMIT_PACKING_H
#define SPECRT_INSTRUMENT_EMIT_PACKING_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace specrt {

/// The type of the memory for the packed arguments of \p F.
llvm::ArrayType *packedType(const llvm::Function &F);

/// Stores \p Values, a region's arguments, into \p Packed, memory of that type, as abi.h says.
/// Returns the place of each.
llvm::SmallVector<llvm::Value *> packArguments(llvm::IRBuilder<> &Builder,
                                               llvm::ArrayRef<llvm::Value *> Values,
                                               llvm::Value *Packed);

} // namespace specrt

#endif
